// The player's current options: exactly the actions that the server allows, as buttons with their keys and costs.

import { KEYS } from '../shared/choicekeys.js';
import { practise } from '../review/analysis.js';
import { story, why } from '../felt/results.js';
import { called as handName, worth } from './lesson.js';
import { me, playsForNothing, post, purse, refreshMe } from '../shared/net.js';
import { cents, complain, decimal, dialog, freshId, go, h, money, toast, typed, when } from '../shared/ui.js';
import { decimalMark, joined, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Awaiting} Awaiting */
/** @typedef {import('../../../browser/types').Command} Command */
/** @typedef {import('../../../browser/types').Schemas} Schemas */

/** @typedef {import('./table.js').TablePage} TablePage */
/**
 * An action of the player. A `harmless` one decides nothing, so it may be repeated quickly.
 * @typedef {{ label: string, run: () => unknown, key?: string, cost?: string | null, kind?: string, name?: string, harmless?: boolean }} Act
 */
/**
 * The current question. `quiet` is shown beside the status in small type. `notNow` is set while a decision is pending:
 * actions that the table offers, but not for this hand.
 * @typedef {{ status: string, quiet?: string, acts: Act[], box?: number, hand?: number, amount?: HTMLElement | null, notNow?: Schemas['RefusedAction'][] }} Offer
 */

/** Joins the sentences that are not empty. @param {string[]} all */
const sentences = (...all) => all.filter(Boolean).join(' ');

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
      if (!asked) return { status: t('status.others_deciding', { offer: term('offer', awaiting.offer) }), acts: [] };
      return awaiting.offer === 'insurance' ? insurance(page, asked) : attack(page, asked, awaiting.offer);
    case 'switch':
      if (!mine) return { box, status: t('status.may_switch', { name: caller(page, box) }), acts: [] };
      return {
        box,
        status: sentences(t('offer.switch.ask'), roomy() ? switched(page, box, awaiting.becomes).words : ''),
        acts: [
          simple(
            t('action.switch'),
            { do: 'switch', box },
            'w',
            'primary',
            'switch',
            switched(page, box, awaiting.becomes).after,
          ),
          simple(t('action.keep'), { do: 'decline-switch', box }, 'n', '', 'decline-switch'),
        ],
      };
    case 'revocation':
      if (!mine) return { box, status: t('status.may_undo_switch', { name: caller(page, box) }), acts: [] };
      return {
        box,
        status: t('offer.switch.keep_ask'),
        acts: [
          simple(t('offer.switch.keep'), { do: 'decline-switch', box }, 'n', 'primary', 'decline-switch'),
          simple(t('offer.switch.undo'), { do: 'revoke', box }, 'v', '', 'revoke'),
        ],
      };
    case 'cut':
      return cut(page, box);
    case 'co-bettors':
      if (!asked) return { status: t('status.co_bettor_deciding'), acts: [] };
      return coBettor(page, asked.box, awaiting.on);
    case 'sevens-card':
    case 'late-card':
      if (!page.place(box)) return { box, status: t('status.card_choice', { name: caller(page, box) }), acts: [] };
      return {
        box,
        status: awaiting.what === 'sevens-card' ? t('offer.sevens.ask') : t('offer.late_card.ask'),
        acts: [
          simple(t('offer.take'), { do: awaiting.what, box, take: true }, 'h', 'primary', 'take'),
          simple(t('action.no'), { do: awaiting.what, box, take: false }, 'n', '', 'refuse'),
        ],
      };
    case 'award':
      return { status: t('status.bonus', { box }), acts: [] };
    case 'approval':
      return { status: t('status.approval'), acts: [] };
    case 'card':
      return { status: dealers(page, t('status.dealing')), acts: [] };
    case 'reader':
      return { status: dealers(page, t('status.peek')), acts: [] };
    case 'procedure':
      return { status: dealers(page, t('status.shuffling', { step: term('step', awaiting.step ?? '') })), acts: [] };
    default:
      return { status: t('status.closed'), acts: [] };
  }
}

/** Returns what the dealer is doing, or that no dealer is there. @param {TablePage} page @param {string} words */
const dealers = (page, words) => (page.attended ? words : t('table.no_dealer'));

/** Returns whether there is room for a longer sentence. */
const roomy = () => innerWidth > 1000;

/**
 * Describes what a switch would make of two hands, from the server's totals.
 * @param {TablePage} page @param {number} box @param {{ total: number }[]} [becomes]
 */
function switched(page, box, becomes) {
  const [a, b] = page.view.boxes.find((x) => x.box === box)?.hands ?? [];
  if (!a || !b || !becomes?.length) return { words: '', after: '' };
  const after = becomes.map(({ total }) => total);
  return {
    words: t('offer.switch.preview', { first: a.total, second: b.total, after: joined(after.map(String)) }),
    after: after.join(' · '),
  };
}

/** Names the person who decides for a box. @param {TablePage} page @param {number} box */
function caller(page, box) {
  const found = page.view.boxes.find((b) => b.box === box);
  const bettor = found?.bettors.find((b) => b.caller) ?? found?.bettors[0];
  return bettor ? page.name(bettor.person) : t('box.name', { box });
}

/** Returns a function that builds a button sending one command. @param {TablePage} page */
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
  if (!page.player) return { status: t('status.bets_open'), acts };
  if (page.excluded) {
    acts.push({ label: t('limit.yours.label'), name: 'account', harmless: true, run: () => go('/account') });
    return { status: t('exclusion.at_table', { date: when(page.excluded) }), acts };
  }
  if (page.calling) return { status: t('status.deal_requested'), acts };
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
        label: automatic ? t('bet.deal') : t('bet.wait'),
        key: ' ',
        kind: 'primary',
        name: 'deal',
        cost,
        run: () => page.deal(),
      });
    if (automatic && !page.training && !card.solo && !lacks)
      acts.push({ label: t('bet.wait'), key: 'p', name: 'place', run: () => page.deal(false) });
    acts.push({ label: t('bet.undo'), key: 'Backspace', name: 'undo', harmless: true, run: () => page.bets.undo() });
    acts.push({ label: '2×', key: 'x', name: 'twice', harmless: true, run: () => page.bets.twice() });
    acts.push({ label: t('bet.clear'), name: 'clear', harmless: true, run: () => page.bets.clear() });
  } else if (placed) {
    const { box } = placed;
    if (automatic && !called)
      acts.push({ label: t('bet.deal_now'), key: ' ', kind: 'primary', name: 'deal', run: () => page.deal() });
    acts.push(act(page)(t('bet.take_back'), { do: 'withdraw', box }, 'Backspace', '', 'withdraw'));
    if (card.bettors_per_box > 1 && !placed.consent) {
      acts.push(act(page)(t('bet.share_box'), { do: 'consent', box }, 'c', '', 'consent'));
    }
    if (view.shoe.may_reshuffle?.includes(box))
      acts.push(act(page)(t('bet.ask_reshuffle'), { do: 'ask-reshuffle', box }, 'm', 'minor', 'reshuffle'));
  } else if (page.bets.hasOld()) {
    acts.push({
      label: automatic ? t('bet.rebet_deal_amount', { amount: money(page.bets.oldSum()) }) : t('bet.rebet_deal'),
      key: ' ',
      kind: 'primary',
      name: 'again',
      run: () => again(page),
    });
    acts.push({ label: t('bet.rebet'), key: 'r', name: 'rebet', harmless: true, run: () => page.rebet() });
  } else if (automatic && page.free() && (page.training || cents(purse()) >= page.bets.leastSum())) {
    // A newcomer needs no chip: the primary action always works.
    acts.push({
      label: t('bet.bet_deal_amount', { amount: money(page.bets.leastSum()) }),
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
  // The cards on the felt can be cleared, so that every box is free to bet on.
  if (!laid && page.model.ended && !view.boxes.length)
    acts.push({ label: t('bet.clear'), name: 'clear', harmless: true, run: () => page.bets.clear() });
  const who = me();
  const broke = who && !page.training && !laid && !placed && cents(purse()) < cents(card.minimum);
  if (broke && playsForNothing())
    acts.push({ label: t('bet.refill'), key: 'g', name: 'refill', harmless: true, run: () => refill(page) });
  if (summary)
    acts.push({
      label: t('action.why'),
      key: 'y',
      name: 'why',
      harmless: true,
      run: () =>
        why(summary.results, t('round.name', { round: page.lastRound }), {
          words: (result) => story(result, page.model, (person) => page.name(person)),
          beside: document.querySelector('[data-act="why"]'),
          lesson: page.lesson ? worth(page.lesson) : null,
        }),
    });
  const { lesson } = page;
  if (summary && lesson?.choice?.hand)
    acts.push({
      label: t('lesson.practice', { hand: handName(lesson.choice) }),
      key: 't',
      name: 'practise',
      harmless: true,
      run: () => go(practise(card, /** @type {Schemas['JudgedChoice']} */ (lesson.choice))),
    });
  const others = view.boxes.length > 0;
  const idle = placed
    ? called
      ? t('status.deal_requested')
      : automatic
        ? t('status.bet_placed')
        : t('status.bet_placed_live')
    : laid
      ? lacks
        ? t('status.bet_incomplete', lacks)
        : t('status.ready')
      : broke
        ? playsForNothing()
          ? t('status.no_play_chips')
          : t('status.no_chips')
        : !page.free()
          ? t('status.table_full')
          : others
            ? t('status.join')
            : t('status.place_bet');
  const quiet = summary
    ? (lesson?.words ?? '')
    : laid || placed || broke
      ? ''
      : t('status.pick_chip', { min: money(card.minimum), max: money(card.maximum) });
  return { status: summary?.words ?? idle, quiet, acts };
}

/**
 * Repeats the bets of the previous round and deals. Boxes without a bet stay hidden meanwhile.
 * @param {TablePage} page
 */
async function again(page) {
  page.calling = true;
  if (page.rebet()) await page.deal();
  else page.calling = false;
}

/** Refills the chips of a guest who has run out. @param {TablePage} page */
async function refill(page) {
  try {
    await post('/api/me/refill', { id: freshId() });
    await refreshMe();
    toast(t('bet.refilled'));
    page.draw();
  } catch (error) {
    complain(error);
  }
}

/** @param {number} net net result in cents */
export function outcome(net) {
  if (net > 0) return t('result.you_win', { amount: money(net) });
  return net < 0 ? t('result.you_lose', { amount: money(-net) }) : t('result.you_push');
}

/** @param {TablePage} page @param {Awaiting} awaiting @returns {Offer} */
function decision(page, awaiting) {
  const { box, hand } = awaiting;
  const play = page.view.boxes.find((b) => b.box === box);
  if (!page.place(box)?.bettor.caller)
    return { box, hand, status: t('status.player_turn', { name: caller(page, box) }), acts: [] };
  const shown = play?.hands.find((x) => x.hand === hand);
  const told = {
    hand: (play?.hands.length ?? 0) > 1 ? hand : 0,
    soft: shown?.soft ? 'yes' : 'no',
    total: shown?.total ?? 0,
  };
  const [up] = page.view.dealer.cards;
  const acts = awaiting.actions.flatMap((action) => choices(page, action, box));
  const may = awaiting.actions.find((action) => action.action === 'switch');
  const preview = may && roomy() ? t('status.switch_preview', { preview: switched(page, box, may.becomes).words }) : '';
  const status = up
    ? t('status.your_turn_versus', { ...told, upcard: 'TJQK'.includes(up[0]) ? '10' : up[0] })
    : t('status.your_turn', told);
  const timeless = page.view.deadline_ms === null || page.view.deadline_ms === undefined;
  const quiet = preview.trim() || (timeless ? t('status.no_clock') : '');
  return { box, hand, status, quiet, acts, notNow: awaiting.not_now ?? [] };
}

/**
 * Returns the buttons of an action: one for each way to take it.
 * @param {TablePage} page @param {Schemas['LawfulAction']} action @param {number} box @returns {Act[]}
 */
function choices(page, action, box) {
  const word = action.action;
  // On a desktop the totals after a switch are in the quiet line.
  const after = word === 'switch' && !roomy() ? switched(page, box, action.becomes).after : null;
  const cost = action.cost ? money(action.cost) : after;
  const simple = act(page);
  const list = [
    simple(
      term('action', word),
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
    list.push(simple(t('action.double_down'), { do: 'double', box, face_down: true }, 'f', '', 'double-down', cost));
  }
  if (cents(action.cost) > cents(page.card.chip) && page.card.spots === 1) {
    const most = cents(action.cost);
    list.push({
      label: t('action.double_less.label'),
      name: 'double-less',
      kind: 'minor',
      key: 'l',
      run: () => less(page, box, most),
    });
  }
  return list;
}

/**
 * Builds a field for an amount up to the legal maximum, to be typed or stepped.
 * @param {TablePage} page @param {string} label @param {number} most @param {number} [least] one chip by default
 */
function amountField(page, label, most, least) {
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
        'aria-label': by < 0 ? t('amount.less') : t('amount.more'),
        onclick: () => {
          input.value = shown(Math.max(least ?? unit, Math.min(most, typed(input.value) + by * unit)));
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
  const label = t('action.amount_max', { max: money(most) });
  const field = amountField(page, label, most);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    opened.close();
    page.act({ do: 'double', box, amounts: [field.amount()] });
  };
  const opened = dialog(
    t('action.double_less.title'),
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      h('p', null, label),
      field.element,
      h('button', { class: 'act primary' }, t('action.double')),
    ),
  );
  field.input.select();
}

/**
 * Asks how much to insure on each hand and each of its bets: up to half, or nothing.
 * @param {TablePage} page @param {Schemas['InsuredHand'][]} all @param {(hands: Schemas['InsuredHand'][]) => unknown} insure
 */
function insureLess(page, all, insure) {
  const fields = all.map(({ hand, amounts }) =>
    amounts.map((most, spot) => {
      const place =
        amounts.length > 1 ? t('bet.spot', { number: spot + 1 }) : hand > 1 ? t('hand.second') : t('hand.first');
      const label = t('offer.insurance.amount', { place, max: money(most) });
      return { label, ...amountField(page, label, cents(most), 0) };
    }),
  );
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const hands = all
      .map(({ hand }, at) => ({ hand, amounts: fields[at].map((field) => field.amount()) }))
      .filter(({ amounts }) => amounts.some((amount) => cents(amount) > 0));
    if (!hands.length) return complain(new Error(t('cage.amount_missing')));
    opened.close();
    return insure(hands);
  };
  const opened = dialog(
    t('offer.insurance.less_title'),
    h(
      'form',
      { class: 'stack-y', onsubmit: submit },
      fields.flat().map((field) => h('p', { class: 'row' }, h('span', null, field.label), field.element)),
      h('button', { class: 'act primary' }, t('action.insurance')),
    ),
  );
  fields[0]?.[0]?.input.select();
}

/**
 * Says what the bet on the hand would be with an attack.
 * @param {TablePage} page @param {number} box @param {number} more
 */
function staked(page, box, more) {
  const lies = page
    .place(box)
    ?.bettor.main.reduce((/** @type {number} */ all, /** @type {string} */ one) => all + cents(one), 0);
  const before = page.place(box)?.box.hands[0]?.stakes[page.place(box)?.at ?? 0]?.attack;
  const now = (lies ?? 0) + cents(before);
  return t('offer.attack.preview', { bet: money(now), max: money(now + more) });
}

/** @param {TablePage} page @param {Schemas['Offered']} asked @param {string} offered @returns {Offer} */
function attack(page, asked, offered) {
  const { box, most, whole } = asked;
  const name = term('offer', offered);
  const field = amountField(page, t('offer.attack.amount', { offer: name }), cents(most));
  return {
    box,
    status: sentences(t('offer.attack.ask', { offer: name }), roomy() ? staked(page, box, cents(most)) : ''),
    amount: whole ? null : field.element,
    acts: [
      {
        label: name,
        key: 'a',
        kind: 'primary',
        name: 'attack',
        cost: whole ? money(most) : t('offer.attack.max', { max: money(most) }),
        run: () => page.act({ do: 'attack', box, amount: whole ? decimal(cents(most)) : field.amount() }),
      },
      act(page)(t('action.no'), { do: 'decline', box, offer: offered }, 'n', '', 'decline'),
    ],
  };
}

/** @param {TablePage} page @param {Schemas['Offered']} asked @returns {Offer} */
function insurance(page, asked) {
  const { box } = asked;
  const simple = act(page);
  const sum = (/** @type {Schemas['InsuredHand'][]} */ hands) =>
    hands.flatMap((x) => x.amounts).reduce((/** @type {number} */ all, /** @type {string} */ c) => all + cents(c), 0);
  /** Insures these hands, and declines for the others in the same command. @param {Schemas['InsuredHand'][]} hands */
  const insure = async (hands) => {
    for (const { hand, amounts } of hands) {
      const only = hands.length === 1;
      if (!(await page.act({ do: 'insure', box, hand, amounts, only }))) return;
    }
  };
  const all = asked.insurance ?? [];
  const both = all.length > 1;
  // A single bet may be insured for less than half of it, as the regulations allow.
  const single = all.length === 1 && all[0].amounts.length === 1 ? all[0] : null;
  const field = single
    ? amountField(page, t('offer.attack.amount', { offer: term('offer', 'insurance') }), cents(single.amounts[0]))
    : null;
  /** @type {Act[]} */
  const acts = [];
  if (all.length) {
    const label = both ? t('offer.insurance.both') : t('action.insurance');
    acts.push({
      label,
      key: 'i',
      name: 'insure',
      cost: single ? t('offer.attack.max', { max: money(sum(all)) }) : money(sum(all)),
      run: () => insure(single && field ? [{ ...single, amounts: [field.amount()] }] : all),
    });
  }
  for (const one of both ? all : []) {
    const label = t('offer.insurance.one', { hand: one.hand });
    acts.push({
      label,
      key: String(one.hand),
      name: `insure-${one.hand}`,
      cost: money(sum([one])),
      run: () => insure([one]),
    });
  }
  if (all.length && !single)
    acts.push({
      label: t('offer.insurance.less'),
      key: 'l',
      name: 'insure-less',
      kind: 'minor',
      run: () => insureLess(page, all, insure),
    });
  if (asked.even_money) acts.push(simple(t('offer.even_money'), { do: 'even-money', box }, 'e', '', 'even-money'));
  acts.push(simple(t('offer.insurance.decline'), { do: 'decline', box, offer: 'insurance' }, 'n', '', 'decline'));
  return { box, status: t('offer.insurance.ask'), amount: field?.element ?? null, acts };
}

/** @param {TablePage} page @param {number} box @param {string} on @returns {Offer} */
function coBettor(page, box, on) {
  const simple = act(page);
  if (on === 'double') {
    return {
      box,
      status: t('offer.co_double.ask'),
      acts: [
        simple(t('offer.co_double.yes'), { do: 'double', box }, 'd', 'primary', 'double'),
        simple(t('action.no'), { do: 'not-double', box }, 'n', '', 'not-double'),
      ],
    };
  }
  const hands = page.place(box)?.box.hands ?? [];
  const follow = (/** @type {Schemas['HandView']} */ x) =>
    simple(
      t('offer.co_split.follow', { hand: x.hand }),
      { do: 'follow', box, hand: x.hand },
      String(x.hand),
      '',
      `follow-${x.hand}`,
    );
  return {
    box,
    status: t('offer.co_split.ask'),
    acts: [simple(t('offer.co_split.cover'), { do: 'cover', box }, 'c', 'primary', 'cover'), ...hands.map(follow)],
  };
}

/** @param {TablePage} page @param {number} box @returns {Offer} */
function cut(page, box) {
  if (!page.lastBoxes.has(box)) return { box, status: t('status.cut'), acts: [] };
  const stack = page.view.shoe.left;
  const input = /** @type {HTMLInputElement} */ (
    h('input', {
      type: 'range',
      min: 10,
      max: Math.max(11, stack - 10),
      value: Math.floor(stack / 2),
      'aria-label': t('offer.cut.where'),
    })
  );
  return {
    box,
    status: t('offer.cut.ask'),
    amount: h('label', { class: 'amount' }, h('span', null, t('offer.cut.position')), input),
    acts: [
      {
        label: t('offer.cut.yes'),
        key: 'c',
        kind: 'primary',
        name: 'cut',
        run: () => page.act({ do: 'cut', box, at: Number(input.value) }),
      },
      act(page)(t('offer.cut.no'), { do: 'decline-cut', box }, 'n', '', 'decline-cut'),
    ],
  };
}
