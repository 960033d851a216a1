// Calls for the floor: on every page that the floor and the supervisors have open, at once, with table, reason, a sound and
// the time it takes. And the question for a reason, which calls and voids have in common.

import { me, post } from './net.js';
import { BASE, complain, dialog, field, fill, freshId, h, tableName } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */

/**
 * Asks for a reason: a usual one or words of one's own. `null` when nobody wants it any more.
 * @param {string} heading @param {string} text @param {string[]} usual @param {string} label
 * @returns {Promise<string | null>}
 */
export function askReason(heading, text, usual, label) {
  return new Promise((done) => {
    const input = /** @type {HTMLInputElement} */ (
      h('input', { name: 'reason', maxlength: 200, required: true, autocomplete: 'off', list: 'usual-reasons' })
    );
    let answer = /** @type {string | null} */ (null);
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const words = input.value.trim();
      if (!words) return;
      answer = words;
      opened.close();
    };
    const opened = dialog(
      heading,
      h(
        'form',
        { class: 'stack-y', onsubmit: submit },
        h('p', null, text),
        h(
          'div',
          { class: 'reasons', role: 'group', 'aria-label': t('reason.common') },
          usual.map((words) =>
            h(
              'button',
              {
                class: 'act',
                type: 'button',
                onclick: () => {
                  input.value = words;
                  input.focus();
                },
              },
              words,
            ),
          ),
        ),
        field(t('reason.label'), input),
        h('button', { class: 'act primary', 'data-act': 'give-reason' }, label),
      ),
    );
    input.focus();
    opened.addEventListener('close', () => done(answer));
  });
}

/** Two short notes, synthesised; browsers that want a touch of the page first stay silent until there is one. */
function chime() {
  try {
    const audio = new AudioContext();
    [880, 660].forEach((pitch, at) => {
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      const from = audio.currentTime + at * 0.18;
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.0001, from);
      loud.gain.exponentialRampToValueAtTime(0.25, from + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, from + 0.4);
      tone.connect(loud).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.45);
    });
    setTimeout(() => audio.close(), 1500);
  } catch {
    /* a browser without sound */
  }
}

const TOLD_FOR_MS = 20_000;

/** Shows the calls of the floor while somebody who answers them is here. */
/** Did I answer this call? @param {Schemas['FloorCall']} call */
const mine = (call) => call.answered?.name === me()?.name;

/** Who answered a call, and how soon. @param {Schemas['FloorCall']} call */
const answered = (call) => {
  const seconds = Math.round((call.answered?.after_ms ?? 0) / 1000);
  return mine(call)
    ? t('floor.call.answered.you', { seconds })
    : t('floor.call.answered.other', { name: call.answered?.name ?? '', seconds });
};

export class Alerts {
  constructor() {
    this.element = h('div', { id: 'calls', class: 'calls', role: 'alert' });
    document.body.append(this.element);
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Schemas['FloorCall'][]} */
    this.calls = [];
    /** How far this clock is behind the house's. */
    this.behind = 0;
    /** @type {Set<string>} */
    this.rung = new Set();
    this.tries = 0;
    this.at = '';
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
  }

  /** Opens or closes with whoever is signed in. */
  follow() {
    const role = me()?.role;
    const wanted = (role === 'floor' || role === 'supervisor') && !me()?.must_change_password;
    if (wanted && !this.socket) this.open();
    if (!wanted && this.socket) {
      const { socket } = this;
      this.socket = null;
      socket.close();
      this.calls = [];
      this.draw();
    }
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${BASE}/api/calls/live`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.tries = 0;
    });
    socket.addEventListener('message', (event) => this.heard(JSON.parse(event.data)));
    socket.addEventListener('close', () => {
      if (this.socket !== socket) return;
      this.tries += 1;
      setTimeout(() => this.socket === socket && this.open(), Math.min(5000, 150 * 2 ** this.tries));
    });
    this.ticking ??= setInterval(() => this.tick(), 1000);
  }

  /** @param {{ now: string, calls: Schemas['FloorCall'][] }} told */
  heard({ now, calls }) {
    this.behind = Date.parse(now) - Date.now();
    this.calls = calls;
    for (const call of calls) {
      const key = `${call.table}/${call.at_ms}`;
      if (call.answered || this.rung.has(key)) continue;
      this.rung.add(key);
      chime();
    }
    this.draw();
  }

  /** How long a call has waited. @param {Schemas['FloorCall']} call */
  waited(call) {
    return Date.now() + this.behind - call.at_ms;
  }

  /** @param {Schemas['FloorCall']} call */
  seconds(call) {
    return `${Math.max(0, Math.floor(this.waited(call) / 1000))} s`;
  }

  tick() {
    const news = this.element.querySelectorAll('[data-since]');
    for (const shown of news) {
      const call = this.calls.find((c) => String(c.table) === /** @type {HTMLElement} */ (shown).dataset.since);
      if (call) shown.textContent = this.seconds(call);
    }
    // Where one is decides what is offered.
    if (this.calls.some((call) => call.answered) || this.at !== location.pathname) this.draw();
  }

  /** @param {Schemas['FloorCall']} call @param {string} what */
  async answer(call, what) {
    try {
      await post(`/api/tables/${call.table}/actions`, { id: freshId(), do: /** @type {'answer-call'} */ (what) });
    } catch (error) {
      complain(error);
    }
  }

  draw() {
    this.at = location.pathname;
    // Whoever comes keeps it in sight until there; the others are told for a moment.
    const shown = this.calls.filter(
      (call) => !call.answered || mine(call) || this.waited(call) - call.answered.after_ms < TOLD_FOR_MS,
    );
    const open = shown.filter((call) => !call.answered).length;
    document.title = document.title.replace(/^\(\d+\) /, '');
    if (open) document.title = `(${open}) ${document.title}`;
    const button = (
      /** @type {Schemas['FloorCall']} */ call,
      /** @type {string} */ what,
      /** @type {string} */ label,
    ) =>
      h(
        'button',
        { class: 'act primary', type: 'button', 'data-act': what, onclick: () => this.answer(call, what) },
        label,
      );
    fill(
      this.element,
      shown.map((call) =>
        h(
          'div',
          { class: `call${call.answered ? ' answered' : ''}`, 'data-call': call.table },
          h(
            'p',
            null,
            h('b', null, t('floor.call.at', { table_name: tableName(call.table_name), table: call.table })),
            `: ${call.reason}. `,
            h(
              'span',
              { class: 'dim' },
              `${call.caller}, `,
              h('span', { 'data-since': call.table }, this.seconds(call)),
            ),
            call.answered ? h('span', null, ' · ', answered(call)) : null,
          ),
          h(
            'p',
            { class: 'actions' },
            call.answered ? null : button(call, 'answer-call', t('floor.call.accept')),
            mine(call) ? button(call, 'end-call', t('floor.call.arrived')) : null,
            // Whoever is at its console is there already.
            this.at === `${BASE}/console/${call.table}`
              ? null
              : h('a', { class: 'act', href: `/console/${call.table}` }, t('floor.call.go')),
          ),
        ),
      ),
    );
  }
}
