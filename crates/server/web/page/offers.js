// What a player can do now: exactly what the house allows, in buttons with their keys and what each costs.

import { story, why } from './felt.js';
import { total } from './model.js';
import { me, playsForNothing, post, purse, refreshMe } from './net.js';
import { cents, complain, decimal, dialog, field, freshId, h, money, title, toast } from './ui.js';

/** @typedef {import('./table.js').TablePage} TablePage */
/**
 * `harmless` acts decide nothing, so that they may be repeated quickly.
 * @typedef {{ label: string, run: () => any, key?: string, cost?: string | null, kind?: string, name?: string, harmless?: boolean }} Act
 */
/** @typedef {{ status: string, acts: Act[], box?: number, hand?: number, amount?: HTMLElement | null }} Offer */

/** The key of each choice, at the table and in a drill. */
export const KEYS = /** @type {Record<string, string>} */ ({
  hit: 'h',
  stand: 's',
  double: 'd',
  split: 'p',
  surrender: 'u',
  switch: 'w',
  revoke: 'v',
  keep: 'n',
  'no switch': 'n',
  attack: 'a',
  pass: 'n',
  insure: 'i',
  decline: 'n',
});
const WORDS = /** @type {Record<string, string>} */ ({
  attack: 'double attack',
  'second-attack': 'second attack',
  'third-attack': 'third attack',
  insurance: 'insurance',
});

/** @param {TablePage} page @returns {Offer} */
export function offer(page) {
  const { view } = page;
  const awaiting = view.awaiting ?? {};
  const asked = (awaiting.asked ?? []).find((/** @type {any} */ a) => page.place(a.box)?.at === a.bettor);
  const { box } = awaiting;
  const mine = page.place(box)?.bettor.caller;
  const simple = act(page);
  switch (awaiting.what) {
    case 'wagers':
      return wagers(page);
    case 'decision':
      return decision(page, awaiting);
    case 'offer':
      if (!asked) return { status: `Others decide about ${WORDS[awaiting.offer] ?? awaiting.offer}`, acts: [] };
      return awaiting.offer === 'insurance' ? insurance(page, asked) : attack(page, asked, awaiting.offer);
    case 'switch':
      if (!mine) return { box, status: `${caller(page, box)} may switch`, acts: [] };
      return {
        box,
        status: `Switch the second cards?${roomy() ? ` ${switched(page, box).words}` : ''}`,
        acts: [
          simple('Switch', { do: 'switch', box }, 'w', 'primary', 'switch', switched(page, box).after),
          simple('Keep', { do: 'decline-switch', box }, 'n', '', 'decline-switch'),
        ],
      };
    case 'revocation':
      if (!mine) return { box, status: `${caller(page, box)} may take the switch back`, acts: [] };
      return {
        box,
        status: 'The cards are switched. Keep it so?',
        acts: [
          simple('Keep it', { do: 'decline-switch', box }, 'n', 'primary', 'decline-switch'),
          simple('Take the switch back', { do: 'revoke', box }, 'v', '', 'revoke'),
        ],
      };
    case 'cut':
      return cut(page, box);
    case 'co-bettors':
      if (!asked) return { status: 'A co-bettor decides', acts: [] };
      return coBettor(page, asked.box, awaiting.on);
    case 'sevens-card':
    case 'late-card':
      if (!page.place(box)) return { box, status: `${caller(page, box)} decides about a card`, acts: [] };
      return {
        box,
        status:
          awaiting.what === 'sevens-card' ? 'Take a card for the sevens wager?' : 'A card was left over. Take it?',
        acts: [
          simple('Take it', { do: awaiting.what, box, take: true }, 'h', 'primary', 'take'),
          simple('No', { do: awaiting.what, box, take: false }, 'n', '', 'refuse'),
        ],
      };
    case 'award':
      return { status: `Box ${box}: the bonus button`, acts: [] };
    case 'approval':
      return { status: 'A supervisor approves a large payment', acts: [] };
    case 'card':
      return { status: 'The dealer deals', acts: [] };
    case 'reader':
      return { status: 'The dealer reads the hole card', acts: [] };
    case 'procedure':
      return { status: `The cards are prepared: ${title(awaiting.step ?? '')}`, acts: [] };
    default:
      return { status: 'The table is closed', acts: [] };
  }
}

/** Is there room for a longer sentence? */
const roomy = () => innerWidth > 1000;

/** What a switch would make of two hands. @param {TablePage} page @param {number} box */
function switched(page, box) {
  const [a, b] = page.view.boxes.find((/** @type {any} */ x) => x.box === box)?.hands ?? [];
  if (!a || !b || a.cards.length < 2 || b.cards.length < 2) return { words: '', after: '' };
  const after = [
    [a.cards[0], b.cards[1]],
    [b.cards[0], a.cards[1]],
  ].map((cards) => total(cards).points);
  return { words: `${a.total} and ${b.total} become ${after.join(' and ')}`, after: after.join(' · ') };
}

/** Who decides for a box. @param {TablePage} page @param {number} box */
function caller(page, box) {
  const found = page.view.boxes.find((/** @type {any} */ b) => b.box === box);
  const bettor = found?.bettors.find((/** @type {any} */ b) => b.caller) ?? found?.bettors[0];
  return bettor ? page.name(bettor.person) : `Box ${box}`;
}

/** A button that sends one request. @param {TablePage} page */
const act =
  (page) =>
  /**
   * @param {string} label @param {Record<string, any>} action @param {string} key @param {string} kind
   * @param {string} name @param {string | null} [cost] @returns {Act}
   */
  (label, action, key, kind, name, cost) => ({ label, key, kind, name, cost, run: () => page.act(action) });

/** @param {TablePage} page @returns {Offer} */
function wagers(page) {
  const { card, view, summary } = page;
  /** @type {Act[]} */
  const acts = [];
  if (!page.player) return { status: 'Wagers are open', acts };
  const automatic = card.dealing !== 'dealer';
  const laid = page.bets.sum();
  const placed = view.boxes.find((/** @type {any} */ b) => page.place(b.box));
  if (laid) {
    const cost = money(laid);
    acts.push({
      label: automatic ? 'Deal' : 'Place',
      key: 'd',
      kind: 'primary',
      name: 'deal',
      cost,
      run: () => page.deal(),
    });
    if (automatic && !page.training)
      acts.push({ label: 'Place', key: 'p', name: 'place', run: () => page.deal(false) });
    acts.push({ label: 'Undo', key: 'Backspace', name: 'undo', harmless: true, run: () => page.bets.undo() });
    acts.push({ label: '2×', key: 'x', name: 'twice', harmless: true, run: () => page.bets.twice() });
    acts.push({ label: 'Clear', name: 'clear', harmless: true, run: () => page.bets.clear() });
  } else if (placed) {
    const { box } = placed;
    if (automatic) acts.push({ label: 'Deal now', key: 'd', kind: 'primary', name: 'deal', run: () => page.deal() });
    acts.push(act(page)('Take back', { do: 'withdraw', box }, 'Backspace', '', 'withdraw'));
    if (card.bettors_per_box > 1 && !placed.consent) {
      acts.push(act(page)('Let others bet here', { do: 'consent', box }, 'c', '', 'consent'));
    }
  } else if (page.hasOld()) {
    acts.push({
      label: 'Again',
      key: 'd',
      kind: 'primary',
      name: 'again',
      cost: money(page.oldSum()),
      run: () => page.rebet() && page.deal(),
    });
    acts.push({ label: 'Same bet', key: 'r', name: 'rebet', harmless: true, run: () => page.rebet() });
  }
  const who = me();
  const broke = who && !page.training && !laid && !placed && cents(purse()) < cents(card.minimum);
  if (broke && playsForNothing())
    acts.push({ label: 'New play chips', key: 'g', name: 'refill', harmless: true, run: () => refill(page) });
  if (summary)
    acts.push({
      label: 'Why?',
      key: 'y',
      name: 'why',
      harmless: true,
      run: () =>
        why(summary.results, `Round ${page.lastRound}`, {
          words: (result) => story(result, page.model, (person) => page.name(person)),
          beside: document.querySelector('[data-act="why"]'),
        }),
    });
  const others = view.boxes.length > 0;
  const idle = placed
    ? automatic
      ? 'Your wager lies. Deal, or wait for others'
      : 'Your wager lies. The dealer closes the betting'
    : laid
      ? 'Ready?'
      : broke
        ? playsForNothing()
          ? 'Your play chips are gone: take new ones'
          : 'You have no chips: buy some at the cashier’s cage, or play with play chips'
        : !page.free()
          ? 'Every box is taken: look on, or try another table'
          : others
            ? 'Wagers are open: join in'
            : 'Put a chip on a box';
  return { status: summary ? outcome(summary.net) : idle, acts };
}

/** A guest without chips gets new ones. @param {TablePage} page */
async function refill(page) {
  try {
    await post('/api/me/refill', { id: freshId() });
    await refreshMe();
    toast('Here are new play chips.');
    page.draw();
  } catch (error) {
    complain(error);
  }
}

/** @param {number} net in cents */
export function outcome(net) {
  if (net > 0) return `You win ${money(net)}`;
  return net < 0 ? `You lose ${money(-net)}` : 'Nothing won, nothing lost';
}

/** @param {TablePage} page @param {any} awaiting @returns {Offer} */
function decision(page, awaiting) {
  const { box, hand } = awaiting;
  const play = page.view.boxes.find((/** @type {any} */ b) => b.box === box);
  if (!page.place(box)?.bettor.caller) return { box, hand, status: `${caller(page, box)} decides`, acts: [] };
  const shown = play?.hands.find((/** @type {any} */ x) => x.hand === hand);
  const which = play?.hands.length > 1 ? `, hand ${hand}` : '';
  const points = shown ? `: ${shown.soft ? 'soft ' : ''}${shown.total}` : '';
  const acts = awaiting.actions.flatMap((/** @type {any} */ action) => choices(page, action, box));
  const may = awaiting.actions.some((/** @type {any} */ action) => action.action === 'switch');
  const preview = may && roomy() ? `. A switch: ${switched(page, box).words}` : '';
  return { box, hand, status: `Your turn${which}${points}${preview}`, acts };
}

/** An action, and the ways of doing it. @param {TablePage} page @param {any} action @param {number} box @returns {Act[]} */
function choices(page, action, box) {
  const word = action.action;
  const cost = action.cost ? money(action.cost) : word === 'switch' ? switched(page, box).after : null;
  const simple = act(page);
  const list = [
    simple(
      word === 'revoke' ? 'Take the switch back' : title(word),
      { do: word, box },
      KEYS[word] ?? '',
      '',
      word,
      cost,
    ),
  ];
  if (word !== 'double') return list;
  if (page.options.double_card === 'on-request') {
    list.push(simple('Double, face down', { do: 'double', box, face_down: true }, 'f', '', 'double-down', cost));
  }
  if (cents(action.cost) > cents(page.card.chip) && page.card.variation !== 'multiple-action') {
    const most = cents(action.cost);
    list.push({
      label: 'Double for less…',
      name: 'double-less',
      kind: 'minor',
      key: 'l',
      run: () => less(page, box, most),
    });
  }
  return list;
}

/** @param {TablePage} page @param {string} label @param {number} most @returns {HTMLInputElement} */
function amountInput(page, label, most) {
  const unit = decimal(cents(page.card.chip));
  const value = decimal(most);
  return /** @type {HTMLInputElement} */ (
    h('input', { type: 'number', name: 'amount', min: unit, max: value, step: unit, value, 'aria-label': label })
  );
}

/** @param {TablePage} page @param {number} box @param {number} most */
function less(page, box, most) {
  const label = `Amount, up to ${money(most)}`;
  const input = amountInput(page, label, most);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    opened.close();
    page.act({ do: 'double', box, amounts: [decimal(cents(input.value))] });
  };
  const opened = dialog(
    'Double for less',
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      field(label, input),
      h('button', { class: 'act primary' }, 'Double'),
    ),
  );
  input.select();
}

/** What would lie on the hand with an attack. @param {TablePage} page @param {number} box @param {number} more */
function staked(page, box, more) {
  const lies = page
    .place(box)
    ?.bettor.main.reduce((/** @type {number} */ all, /** @type {string} */ one) => all + cents(one), 0);
  const before = page.place(box)?.box.hands[0]?.stakes[page.place(box)?.at ?? 0]?.attack;
  const now = (lies ?? 0) + cents(before);
  return `${money(now)} become up to ${money(now + more)}`;
}

/** @param {TablePage} page @param {any} asked @param {string} offered @returns {Offer} */
function attack(page, asked, offered) {
  const { box, most, whole } = asked;
  const name = WORDS[offered] ?? offered;
  const input = amountInput(page, `Amount of the ${name}`, cents(most));
  return {
    box,
    status: `Your ${name}?${roomy() ? ` ${staked(page, box, cents(most))}` : ''}`,
    amount: whole ? null : h('label', { class: 'amount' }, h('span', null, 'Amount'), input),
    acts: [
      {
        label: title(name),
        key: 'a',
        kind: 'primary',
        name: 'attack',
        cost: whole ? money(most) : `up to ${money(most)}`,
        run: () => page.act({ do: 'attack', box, amount: decimal(whole ? cents(most) : cents(input.value)) }),
      },
      act(page)('No', { do: 'decline', box, offer: offered }, 'n', '', 'decline'),
    ],
  };
}

/** @param {TablePage} page @param {any} asked @returns {Offer} */
function insurance(page, asked) {
  const { box } = asked;
  const simple = act(page);
  const sum = (/** @type {any[]} */ hands) =>
    hands.flatMap((x) => x.amounts).reduce((/** @type {number} */ all, /** @type {string} */ c) => all + cents(c), 0);
  /** Insures these hands; the others are answered with no, in the same breath. @param {any[]} hands */
  const insure = async (hands) => {
    for (const { hand, amounts } of hands) {
      const only = hands.length === 1;
      if (!(await page.act({ do: 'insure', box, hand, amounts, only }))) return;
    }
  };
  const all = asked.insurance;
  const both = all.length > 1;
  /** @type {Act[]} */
  const acts = [];
  if (all.length) {
    const label = both ? 'Insure both' : 'Insurance';
    acts.push({ label, key: 'i', name: 'insure', cost: money(sum(all)), run: () => insure(all) });
  }
  for (const one of both ? all : []) {
    const label = `Hand ${one.hand} only`;
    acts.push({
      label,
      key: String(one.hand),
      name: `insure-${one.hand}`,
      cost: money(sum([one])),
      run: () => insure([one]),
    });
  }
  if (asked.even_money) acts.push(simple('Even money', { do: 'even-money', box }, 'e', '', 'even-money'));
  acts.push(simple('No insurance', { do: 'decline', box, offer: 'insurance' }, 'n', '', 'decline'));
  return { box, status: 'Insurance?', acts };
}

/** @param {TablePage} page @param {number} box @param {string} on @returns {Offer} */
function coBettor(page, box, on) {
  const simple = act(page);
  if (on === 'double') {
    return {
      box,
      status: 'The caller doubles. Double your wager too?',
      acts: [
        simple('Double too', { do: 'double', box }, 'd', 'primary', 'double'),
        simple('No', { do: 'not-double', box }, 'n', '', 'not-double'),
      ],
    };
  }
  const hands = page.place(box)?.box.hands ?? [];
  const follow = (/** @type {any} */ x) =>
    simple(`Follow hand ${x.hand}`, { do: 'follow', box, hand: x.hand }, String(x.hand), '', `follow-${x.hand}`);
  return {
    box,
    status: 'The caller splits. Cover both hands, or follow one?',
    acts: [simple('Cover both', { do: 'cover', box }, 'c', 'primary', 'cover'), ...hands.map(follow)],
  };
}

/** @param {TablePage} page @param {number} box @returns {Offer} */
function cut(page, box) {
  if (!page.lastBoxes.has(box)) return { box, status: 'Another player cuts the cards', acts: [] };
  const stack = page.view.shoe.left;
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: 10,
      max: Math.max(11, stack - 10),
      value: Math.floor(stack / 2),
      'aria-label': 'Where to cut',
    })
  );
  return {
    box,
    status: 'Cut the cards?',
    amount: h('label', { class: 'amount' }, h('span', null, 'Where'), input),
    acts: [
      {
        label: 'Cut',
        key: 'c',
        kind: 'primary',
        name: 'cut',
        run: () => page.act({ do: 'cut', box, at: Number(input.value) }),
      },
      act(page)('No cut', { do: 'decline-cut', box }, 'n', '', 'decline-cut'),
    ],
  };
}
