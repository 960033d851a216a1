// What a player can do now: exactly what the house allows, in buttons with their keys and what each costs.

import { KEYS } from './choicekeys.js';
import { practise } from './analysis.js';
import { story, why } from './felt.js';
import { called as handName, worth } from './lesson.js';
import { me, playsForNothing, post, purse, refreshMe } from './net.js';
import { cents, complain, decimal, dialog, freshId, go, h, money, title, toast, typed, when } from './ui.js';
import { decimalMark, t } from './words.js';

/** @typedef {import('../../browser/types').Awaiting} Awaiting */
/** @typedef {import('../../browser/types').Command} Command */
/** @typedef {import('../../browser/types').Schemas} Schemas */

/** @typedef {import('./table.js').TablePage} TablePage */
/**
 * `harmless` acts decide nothing, so that they may be repeated quickly.
 * @typedef {{ label: string, run: () => unknown, key?: string, cost?: string | null, kind?: string, name?: string, harmless?: boolean }} Act
 */
/**
 * `quiet` is said beside the status, smaller; `notNow` is there while a decision is asked: what the table offers but not for this hand.
 * @typedef {{ status: string, quiet?: string, acts: Act[], box?: number, hand?: number, amount?: HTMLElement | null, notNow?: Schemas['RefusedAction'][] }} Offer
 */

const WORDS = /** @type {Record<string, string>} */ ({
  attack: t('double-attack-2'),
  'second-attack': t('second-attack'),
  'third-attack': t('third-attack'),
  insurance: t('insurance'),
});

/** @param {TablePage} page @returns {Offer} */
export function offer(page) {
  const { view } = page;
  const awaiting = view.awaiting ?? {};
  const asked = (awaiting.asked ?? []).find((a) => page.place(a.box)?.at === a.bettor);
  const { box } = awaiting;
  const mine = page.place(box)?.bettor.caller;
  const simple = act(page);
  switch (awaiting.what) {
    case 'wagers':
      return wagers(page);
    case 'decision':
      return decision(page, awaiting);
    case 'offer':
      if (!asked) return { status: t('others-decide-about', { a: WORDS[awaiting.offer] ?? awaiting.offer }), acts: [] };
      return awaiting.offer === 'insurance' ? insurance(page, asked) : attack(page, asked, awaiting.offer);
    case 'switch':
      if (!mine) return { box, status: t('may-switch', { page: caller(page, box) }), acts: [] };
      return {
        box,
        status: t('switch-the-second-cards', { a: roomy() ? ` ${switched(page, box, awaiting.becomes).words}` : '' }),
        acts: [
          simple(
            t('switch-2'),
            { do: 'switch', box },
            'w',
            'primary',
            'switch',
            switched(page, box, awaiting.becomes).after,
          ),
          simple(t('keep'), { do: 'decline-switch', box }, 'n', '', 'decline-switch'),
        ],
      };
    case 'revocation':
      if (!mine) return { box, status: t('may-take-the-switch-back', { page: caller(page, box) }), acts: [] };
      return {
        box,
        status: t('the-cards-are-switched-keep-it-so'),
        acts: [
          simple(t('keep-it'), { do: 'decline-switch', box }, 'n', 'primary', 'decline-switch'),
          simple(t('take-the-switch-back-2'), { do: 'revoke', box }, 'v', '', 'revoke'),
        ],
      };
    case 'cut':
      return cut(page, box);
    case 'co-bettors':
      if (!asked) return { status: t('a-co-bettor-decides'), acts: [] };
      return coBettor(page, asked.box, awaiting.on);
    case 'sevens-card':
    case 'late-card':
      if (!page.place(box)) return { box, status: t('decides-about-a-card', { page: caller(page, box) }), acts: [] };
      return {
        box,
        status:
          awaiting.what === 'sevens-card' ? t('take-a-card-for-the-sevens-wager') : t('a-card-was-left-over-take-it'),
        acts: [
          simple(t('take-it'), { do: awaiting.what, box, take: true }, 'h', 'primary', 'take'),
          simple(t('no-2'), { do: awaiting.what, box, take: false }, 'n', '', 'refuse'),
        ],
      };
    case 'award':
      return { status: t('box-the-bonus-button', { box }), acts: [] };
    case 'approval':
      return { status: t('a-supervisor-approves-a-large-payment'), acts: [] };
    case 'card':
      return { status: dealers(page, t('the-dealer-deals')), acts: [] };
    case 'reader':
      return { status: dealers(page, t('the-dealer-reads-the-hole-card')), acts: [] };
    case 'procedure':
      return { status: dealers(page, t('the-cards-are-prepared', { title: title(awaiting.step ?? '') })), acts: [] };
    default:
      return { status: t('the-table-is-closed'), acts: [] };
  }
}

/** What the dealer does, where one is. @param {TablePage} page @param {string} words */
const dealers = (page, words) => (page.attended ? words : t('no-dealer-is-at-this-table-now'));

/** Is there room for a longer sentence? */
const roomy = () => innerWidth > 1000;

/** What a switch would make of two hands, as the house says. @param {TablePage} page @param {number} box @param {{ total: number }[]} [becomes] */
function switched(page, box, becomes) {
  const [a, b] = page.view.boxes.find((x) => x.box === box)?.hands ?? [];
  if (!a || !b || !becomes?.length) return { words: '', after: '' };
  const after = becomes.map(({ total }) => total);
  return {
    words: t('and-become', { total: a.total, total2: b.total, c: after.join(t('and')) }),
    after: after.join(' · '),
  };
}

/** Who decides for a box. @param {TablePage} page @param {number} box */
function caller(page, box) {
  const found = page.view.boxes.find((b) => b.box === box);
  const bettor = found?.bettors.find((b) => b.caller) ?? found?.bettors[0];
  return bettor ? page.name(bettor.person) : t('box-6', { box });
}

/** A button that sends one request. @param {TablePage} page */
const act =
  (page) =>
  /**
   * @param {string} label @param {Command} action @param {string} key @param {string} kind
   * @param {string} name @param {string | null} [cost] @returns {Act}
   */
  (label, action, key, kind, name, cost) => ({ label, key, kind, name, cost, run: () => page.act(action) });

/** @param {TablePage} page @returns {Offer} */
function wagers(page) {
  const { card, view, summary } = page;
  /** @type {Act[]} */
  const acts = [];
  if (!page.player) return { status: t('wagers-are-open'), acts };
  if (page.excluded) {
    acts.push({ label: t('your-limits'), name: 'account', harmless: true, run: () => go('/account') });
    return { status: t('excluded-look-on', { until: when(page.excluded) }), acts };
  }
  if (page.calling) return { status: t('the-cards-are-dealt'), acts };
  const automatic = card.dealing !== 'dealer';
  const laid = page.bets.sum();
  const placed = view.boxes.find((b) => page.place(b.box));
  if (!placed) page.called = -1;
  const called = page.called === view.round;
  const lacks = page.bets.lacks();
  if (laid) {
    const cost = money(laid);
    if (!lacks)
      acts.push({
        label: automatic ? t('deal-2') : t('place'),
        key: ' ',
        kind: 'primary',
        name: 'deal',
        cost,
        run: () => page.deal(),
      });
    if (automatic && !page.training && !card.solo && !lacks)
      acts.push({ label: t('place'), key: 'p', name: 'place', run: () => page.deal(false) });
    acts.push({ label: t('undo'), key: 'Backspace', name: 'undo', harmless: true, run: () => page.bets.undo() });
    acts.push({ label: '2×', key: 'x', name: 'twice', harmless: true, run: () => page.bets.twice() });
    acts.push({ label: t('clear'), name: 'clear', harmless: true, run: () => page.bets.clear() });
  } else if (placed) {
    const { box } = placed;
    if (automatic && !called)
      acts.push({ label: t('deal-now'), key: ' ', kind: 'primary', name: 'deal', run: () => page.deal() });
    acts.push(act(page)(t('take-back-2'), { do: 'withdraw', box }, 'Backspace', '', 'withdraw'));
    if (card.bettors_per_box > 1 && !placed.consent) {
      acts.push(act(page)(t('let-others-bet-here'), { do: 'consent', box }, 'c', '', 'consent'));
    }
    if (view.shoe.may_reshuffle?.includes(box))
      acts.push(act(page)(t('shuffle-these-again'), { do: 'ask-reshuffle', box }, 'm', 'minor', 'reshuffle'));
  } else if (page.bets.hasOld()) {
    acts.push({
      label: automatic ? t('rebet-and-deal', { amount: money(page.bets.oldSum()) }) : t('again'),
      key: ' ',
      kind: 'primary',
      name: 'again',
      run: () => again(page),
    });
    acts.push({ label: t('same-bet'), key: 'r', name: 'rebet', harmless: true, run: () => page.rebet() });
  } else if (automatic && page.free() && (page.training || cents(purse()) >= page.bets.leastSum())) {
    // A newcomer needs no chip: the coloured action always works.
    acts.push({
      label: t('bet-and-deal', { amount: money(page.bets.leastSum()) }),
      key: ' ',
      kind: 'primary',
      name: 'deal',
      run: () => {
        page.clearFinished();
        page.bets.layLeast(page.free());
        page.deal();
      },
    });
  }
  // The cards that still lie can be put away, so that every box is there to bet on.
  if (!laid && page.model.ended && !view.boxes.length)
    acts.push({ label: t('clear'), name: 'clear', harmless: true, run: () => page.bets.clear() });
  const who = me();
  const broke = who && !page.training && !laid && !placed && cents(purse()) < cents(card.minimum);
  if (broke && playsForNothing())
    acts.push({ label: t('new-play-chips'), key: 'g', name: 'refill', harmless: true, run: () => refill(page) });
  if (summary)
    acts.push({
      label: t('why-2'),
      key: 'y',
      name: 'why',
      harmless: true,
      run: () =>
        why(summary.results, t('round-2', { lastRound: page.lastRound }), {
          words: (result) => story(result, page.model, (person) => page.name(person)),
          beside: document.querySelector('[data-act="why"]'),
          lesson: page.lesson ? worth(page.lesson) : null,
        }),
    });
  const { lesson } = page;
  if (summary && lesson?.choice?.hand)
    acts.push({
      label: t('practise-hand', { hand: handName(lesson.choice) }),
      key: 't',
      name: 'practise',
      harmless: true,
      run: () => go(practise(card, /** @type {Schemas['JudgedChoice']} */ (lesson.choice))),
    });
  const others = view.boxes.length > 0;
  const idle = placed
    ? called
      ? t('the-cards-are-dealt')
      : automatic
        ? t('your-wager-lies-deal-or-wait-for')
        : t('your-wager-lies-the-dealer-closes-the')
    : laid
      ? lacks
        ? t('needs-a-chip-too', lacks)
        : t('ready')
      : broke
        ? playsForNothing()
          ? t('your-play-chips-are-gone-take-new')
          : t('you-have-no-chips-buy-some-at')
        : !page.free()
          ? t('every-box-is-taken-look-on-or')
          : others
            ? t('wagers-are-open-join-in')
            : t('place-your-bet');
  const quiet = summary
    ? (lesson?.words ?? '')
    : laid || placed || broke
      ? ''
      : t('pick-a-chip', { least: money(card.minimum), most: money(card.maximum) });
  return { status: summary?.words ?? idle, quiet, acts };
}

/** The bets of the round before, and their cards. The boxes that nobody bets on stay away meanwhile. @param {TablePage} page */
async function again(page) {
  page.calling = true;
  if (page.rebet()) await page.deal();
  else page.calling = false;
}

/** A guest without chips gets new ones. @param {TablePage} page */
async function refill(page) {
  try {
    await post('/api/me/refill', { id: freshId() });
    await refreshMe();
    toast(t('here-are-new-play-chips'));
    page.draw();
  } catch (error) {
    complain(error);
  }
}

/** @param {number} net in cents */
export function outcome(net) {
  if (net > 0) return t('you-win', { net: money(net) });
  return net < 0 ? t('you-lose', { net: money(-net) }) : t('nothing-won-nothing-lost');
}

/** @param {TablePage} page @param {Awaiting} awaiting @returns {Offer} */
function decision(page, awaiting) {
  const { box, hand } = awaiting;
  const play = page.view.boxes.find((b) => b.box === box);
  if (!page.place(box)?.bettor.caller)
    return { box, hand, status: t('decides', { page: caller(page, box) }), acts: [] };
  const shown = play?.hands.find((x) => x.hand === hand);
  const which = (play?.hands.length ?? 0) > 1 ? t('hand', { hand }) : '';
  const points = shown ? `${shown.soft ? t('soft-2') : ''}${shown.total}` : '';
  const [up] = page.view.dealer.cards;
  const acts = awaiting.actions.flatMap((action) => choices(page, action, box));
  const may = awaiting.actions.find((action) => action.action === 'switch');
  const preview = may && roomy() ? t('a-switch', { words: switched(page, box, may.becomes).words }) : '';
  const status = up
    ? t('your-hand-against', { which, points, up: upWords(up) })
    : t('your-turn', { which, points: points ? `: ${points}` : '', preview: '' });
  const timeless = page.view.deadline_ms === null || page.view.deadline_ms === undefined;
  const quiet = preview.trim() || (timeless ? t('take-your-time') : '');
  return { box, hand, status, quiet, acts, notNow: awaiting.not_now ?? [] };
}

/** The dealer's up card as people say it: "a 10", "an ace". @param {string} card */
export const upWords = (card) =>
  'TJQK'.includes(card[0])
    ? t('up-ten')
    : card[0] === 'A'
      ? t('up-ace')
      : card[0] === '8'
        ? t('up-eight')
        : t('up-number', { n: card[0] });

/** An action, and the ways of doing it. @param {TablePage} page @param {Schemas['LawfulAction']} action @param {number} box @returns {Act[]} */
function choices(page, action, box) {
  const word = action.action;
  const cost = action.cost ? money(action.cost) : word === 'switch' ? switched(page, box, action.becomes).after : null;
  const simple = act(page);
  const list = [
    simple(
      word === 'revoke' ? t('take-the-switch-back-2') : title(word),
      { do: word, box },
      KEYS[word] ?? '',
      // Both are gold and equal: the page must not hint.
      word === 'stand' || word === 'hit' ? 'equal' : '',
      word,
      action.cost ? `+${cost}` : cost,
    ),
  ];
  if (word !== 'double') return list;
  if (page.card.double_face_down) {
    list.push(simple(t('double-face-down'), { do: 'double', box, face_down: true }, 'f', '', 'double-down', cost));
  }
  if (cents(action.cost) > cents(page.card.chip) && page.card.spots === 1) {
    const most = cents(action.cost);
    list.push({
      label: t('double-for-less-2'),
      name: 'double-less',
      kind: 'minor',
      key: 'l',
      run: () => less(page, box, most),
    });
  }
  return list;
}

/**
 * An amount up to the most that is lawful, to be typed or stepped.
 * @param {TablePage} page @param {string} label @param {number} most
 */
function amountField(page, label, most) {
  const unit = Math.max(1, cents(page.card.chip));
  const shown = (/** @type {number} */ value) => (value / 100).toFixed(value % 100 ? 2 : 0).replace('.', decimalMark);
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      inputmode: 'decimal',
      name: 'amount',
      autocomplete: 'off',
      'data-most': decimal(most),
      value: shown(most),
      'aria-label': label,
    })
  );
  const step = (/** @type {number} */ by, /** @type {string} */ sign) =>
    h(
      'button',
      {
        class: 'act step-amount',
        type: 'button',
        'aria-label': by < 0 ? t('less') : t('more-of-it'),
        onclick: () => {
          input.value = shown(Math.max(unit, Math.min(most, typed(input.value) + by * unit)));
        },
      },
      sign,
    );
  return {
    input,
    element: h('span', { class: 'amount' }, step(-1, '−'), input, step(1, '+')),
    amount: () => decimal(typed(input.value)),
  };
}

/** @param {TablePage} page @param {number} box @param {number} most */
function less(page, box, most) {
  const label = t('amount-up-to', { most: money(most) });
  const field = amountField(page, label, most);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    opened.close();
    page.act({ do: 'double', box, amounts: [field.amount()] });
  };
  const opened = dialog(
    t('double-for-less-3'),
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      h('p', null, label),
      field.element,
      h('button', { class: 'act primary' }, t('double-2')),
    ),
  );
  field.input.select();
}

/** What would lie on the hand with an attack. @param {TablePage} page @param {number} box @param {number} more */
function staked(page, box, more) {
  const lies = page
    .place(box)
    ?.bettor.main.reduce((/** @type {number} */ all, /** @type {string} */ one) => all + cents(one), 0);
  const before = page.place(box)?.box.hands[0]?.stakes[page.place(box)?.at ?? 0]?.attack;
  const now = (lies ?? 0) + cents(before);
  return t('become-up-to', { now: money(now), money: money(now + more) });
}

/** @param {TablePage} page @param {Schemas['Offered']} asked @param {string} offered @returns {Offer} */
function attack(page, asked, offered) {
  const { box, most, whole } = asked;
  const name = WORDS[offered] ?? offered;
  const field = amountField(page, t('amount-of-the', { name }), cents(most));
  return {
    box,
    status: t('your-2', { name, b: roomy() ? ` ${staked(page, box, cents(most))}` : '' }),
    amount: whole ? null : field.element,
    acts: [
      {
        label: title(name),
        key: 'a',
        kind: 'primary',
        name: 'attack',
        cost: whole ? money(most) : t('up-to', { most: money(most) }),
        run: () => page.act({ do: 'attack', box, amount: whole ? decimal(cents(most)) : field.amount() }),
      },
      act(page)(t('no-2'), { do: 'decline', box, offer: offered }, 'n', '', 'decline'),
    ],
  };
}

/** @param {TablePage} page @param {Schemas['Offered']} asked @returns {Offer} */
function insurance(page, asked) {
  const { box } = asked;
  const simple = act(page);
  const sum = (/** @type {Schemas['InsuredHand'][]} */ hands) =>
    hands.flatMap((x) => x.amounts).reduce((/** @type {number} */ all, /** @type {string} */ c) => all + cents(c), 0);
  /** Insures these hands; the others are answered with no, in the same breath. @param {Schemas['InsuredHand'][]} hands */
  const insure = async (hands) => {
    for (const { hand, amounts } of hands) {
      const only = hands.length === 1;
      if (!(await page.act({ do: 'insure', box, hand, amounts, only }))) return;
    }
  };
  const all = asked.insurance ?? [];
  const both = all.length > 1;
  // One wager may be insured for less than half of it, as the law allows.
  const single = all.length === 1 && all[0].amounts.length === 1 ? all[0] : null;
  const field = single
    ? amountField(page, t('amount-of-the', { name: t('insurance') }), cents(single.amounts[0]))
    : null;
  /** @type {Act[]} */
  const acts = [];
  if (all.length) {
    const label = both ? t('insure-both') : t('insurance-2');
    acts.push({
      label,
      key: 'i',
      name: 'insure',
      cost: single ? t('up-to', { most: money(sum(all)) }) : money(sum(all)),
      run: () => insure(single && field ? [{ ...single, amounts: [field.amount()] }] : all),
    });
  }
  for (const one of both ? all : []) {
    const label = t('hand-only', { hand: one.hand });
    acts.push({
      label,
      key: String(one.hand),
      name: `insure-${one.hand}`,
      cost: money(sum([one])),
      run: () => insure([one]),
    });
  }
  if (asked.even_money) acts.push(simple(t('even-money-2'), { do: 'even-money', box }, 'e', '', 'even-money'));
  acts.push(simple(t('no-insurance'), { do: 'decline', box, offer: 'insurance' }, 'n', '', 'decline'));
  return { box, status: t('insurance-3'), amount: field?.element ?? null, acts };
}

/** @param {TablePage} page @param {number} box @param {string} on @returns {Offer} */
function coBettor(page, box, on) {
  const simple = act(page);
  if (on === 'double') {
    return {
      box,
      status: t('the-caller-doubles-double-your-wager-too'),
      acts: [
        simple(t('double-too'), { do: 'double', box }, 'd', 'primary', 'double'),
        simple(t('no-2'), { do: 'not-double', box }, 'n', '', 'not-double'),
      ],
    };
  }
  const hands = page.place(box)?.box.hands ?? [];
  const follow = (/** @type {Schemas['HandView']} */ x) =>
    simple(
      t('follow-hand', { hand: x.hand }),
      { do: 'follow', box, hand: x.hand },
      String(x.hand),
      '',
      `follow-${x.hand}`,
    );
  return {
    box,
    status: t('the-caller-splits-cover-both-hands-or'),
    acts: [simple(t('cover-both'), { do: 'cover', box }, 'c', 'primary', 'cover'), ...hands.map(follow)],
  };
}

/** @param {TablePage} page @param {number} box @returns {Offer} */
function cut(page, box) {
  if (!page.lastBoxes.has(box)) return { box, status: t('another-player-cuts-the-cards'), acts: [] };
  const stack = page.view.shoe.left;
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: 10,
      max: Math.max(11, stack - 10),
      value: Math.floor(stack / 2),
      'aria-label': t('where-to-cut'),
    })
  );
  return {
    box,
    status: t('cut-the-cards-2'),
    amount: h('label', { class: 'amount' }, h('span', null, t('where')), input),
    acts: [
      {
        label: t('cut'),
        key: 'c',
        kind: 'primary',
        name: 'cut',
        run: () => page.act({ do: 'cut', box, at: Number(input.value) }),
      },
      act(page)(t('no-cut'), { do: 'decline-cut', box }, 'n', '', 'decline-cut'),
    ],
  };
}
