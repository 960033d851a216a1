// Plays a round through the page, by mouse or by keyboard alone, and compares what the page shows with the server's
// view.

import assert from 'node:assert/strict';

const SAFE = ['stand', 'decline', 'decline-switch', 'refuse', 'decline-cut', 'hit', 'not-double'];
/** The documented keys. */
const KEYS = {
  stand: 's',
  hit: 'h',
  double: 'd',
  'double-less': 'l',
  split: 'p',
  surrender: 'u',
  switch: 'w',
  revoke: 'v',
  attack: 'a',
  insure: 'i',
  'insure-1': '1',
  'insure-2': '2',
  'even-money': 'e',
  decline: 'n',
  'decline-switch': 'n',
  refuse: 'n',
  'decline-cut': 'n',
  'not-double': 'n',
  deal: 'd',
  place: 'p',
  undo: 'Backspace',
  rebet: 'r',
  again: 'd',
  cover: 'c',
};

/** Waits for a condition in the page. */
export const until = (page, condition, value = null) => page.waitForFunction(condition, value, { timeout: 30_000 });

/** Presses a button, by click or by key, as soon as it is enabled. */
export async function press(page, how, act) {
  const button = `.actions [data-act="${act}"]:not([aria-disabled])`;
  await page.waitForSelector(button);
  if (how === 'mouse') await page.click(button);
  else await page.keyboard.press(KEYS[act]);
}

/** Moves to a betting area with the arrow keys. */
export async function reach(page, area) {
  const there = () => page.evaluate((where) => document.activeElement === document.querySelector(where), area);
  for (let step = 0; step < 80; step += 1) {
    if (await there()) return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error(`the arrow keys do not come to ${area}`);
}

export const cents = (text) => Math.round(Number(text) * 100);

/** Returns what the page shows: cards by box and hand, the dealer's cards, and results. */
export const shown = (page) =>
  page.evaluate(() => ({
    dealer: Array.from(document.querySelectorAll('.dealer-hand cut-card'), (card) => card.getAttribute('card')).filter(
      Boolean,
    ),
    hands: Array.from(document.querySelectorAll('.box'), (box) =>
      Array.from(box.querySelectorAll('.hand'), (hand) => ({
        box: Number(box.dataset.box),
        hand: Number(hand.dataset.key),
        cards: Array.from(hand.querySelectorAll('cut-card'), (card) => card.getAttribute('card')).filter(Boolean),
      })),
    )
      .flat()
      // Box 1 is at the right.
      .sort((a, b) => a.box - b.box),
    actions: Array.from(document.querySelectorAll('.actions [data-act]'), (button) => button.dataset.act),
    mine: Array.from(document.querySelectorAll('.box.mine'), (box) => Number(box.dataset.box)),
    awaiting: document.querySelector('.table-page')?.dataset.awaiting,
    round: Number(document.querySelector('.table-page')?.dataset.round),
    version: Number(document.querySelector('.table-page')?.dataset.version),
  }));

/** Asserts that the page shows the same cards as the server's view of this version. */
export async function compare(visitor, table) {
  for (let tries = 0; tries < 50; tries += 1) {
    const { body } = await visitor.api('GET', `/api/tables/${table}`);
    // Players see their own cards, which are face down to others, and what these allow.
    body.view.boxes = body.view.boxes.map((box) => body.private.find((own) => own.box === box.box) ?? box);
    body.view.awaiting = body.private.find((own) => own.awaiting)?.awaiting ?? body.view.awaiting;
    await moved(visitor.page, body.view.version - 1);
    const seen = await shown(visitor.page);
    // Another player may have acted meanwhile.
    if (seen.version !== body.view.version || seen.awaiting !== body.view.awaiting.what) continue;
    if (body.view.awaiting.what === 'wagers') return body.view;
    assert.deepEqual(seen.dealer, body.view.dealer.cards, 'the dealer’s cards');
    const cards = body.view.boxes.flatMap((box) =>
      box.hands
        .filter((hand) => hand.cards.length)
        .map((hand) => ({ box: box.box, hand: hand.hand, cards: hand.cards })),
    );
    assert.deepEqual(
      seen.hands.filter((hand) => hand.cards.length),
      cards,
      'the players’ cards',
    );
    if (body.view.awaiting.what === 'decision') {
      const mine = seen.mine.includes(body.view.awaiting.box);
      const lawful = mine ? body.view.awaiting.actions.map((action) => action.action).sort() : [];
      assert.deepEqual(
        seen.actions.filter((act) => !['double-less', 'double-down'].includes(act)).sort(),
        lawful,
        'exactly the legal actions',
      );
    }
    return body.view;
  }
  throw new Error('page and house do not come to the same version');
}

/** Bets on every main area of a box and deals. */
export async function bet(visitor, box, how, spots = 1, act = 'deal') {
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (let spot = 0; spot < spots; spot += 1) {
    const area = `[data-box="${box}"] [data-area="main-${spot}"]`;
    if (how === 'mouse') await page.click(area);
    else {
      await reach(page, area);
      await page.keyboard.press('2');
    }
  }
  await press(page, how, act);
}

/** Waits until the page shows a later version than this one, and nothing moves. */
export const moved = (page, version) =>
  until(
    page,
    (before) => {
      const { dataset } = document.querySelector('.table-page');
      return Number(dataset.version) > before && dataset.awaiting !== 'dealing';
    },
    version,
  );

/** Waits until the cards of a round are dealt: the round has begun, or is over already. */
export const begun = (page, round) =>
  until(
    page,
    (before) => {
      const { dataset } = document.querySelector('.table-page');
      return dataset.awaiting !== 'wagers' || Number(dataset.round) > before;
    },
    round,
  );

/**
 * Bets, deals, waits for the cards, and returns the number of the round. Only after that does an open betting phase
 * mean that the round is over.
 */
export async function deal(visitor, box, how, spots = 1) {
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  const { round } = await shown(visitor.page);
  await bet(visitor, box, how, spots);
  await begun(visitor.page, round);
  return round;
}

/** Plays until the round is over: compares the cards before every decision, and takes the simplest action. */
export async function finish(visitor, table, how) {
  const { page } = visitor;
  for (let step = 0; step < 60; step += 1) {
    await until(page, () => document.querySelector('.actions [data-act], [data-awaiting="wagers"]'));
    const view = await compare(visitor, table);
    if (view.awaiting.what === 'wagers') return;
    const { actions } = await shown(page);
    const choice =
      view.awaiting.what === 'decision' &&
      view.boxes.find((b) => b.box === view.awaiting.box).hands.find((h) => h.hand === view.awaiting.hand).total < 12 &&
      actions.includes('hit')
        ? 'hit'
        : SAFE.find((act) => actions.includes(act));
    assert.ok(choice, `something to do of ${actions} at ${JSON.stringify(view.awaiting)}`);
    const before = (await shown(page)).version;
    await press(page, how, choice);
    await moved(page, before);
  }
  throw new Error('the round did not end');
}

/** Asserts that the results on the page are those in the record, and that each has its clause. */
export async function compareResults(visitor, table, round) {
  const { page } = visitor;
  const me = (await visitor.api('GET', '/api/me')).body;
  const { body } = await visitor.api('GET', `/api/tables/${table}/rounds/${round}`);
  const settled = body.steps
    .flatMap((step) => step.events)
    .filter((event) => event.event === 'settled' && event.person === me.person);
  assert.ok(settled.length > 0, 'something was settled');
  assert.ok(
    settled.every((event) => event.clause),
    'every settlement has its clause',
  );
  const net = settled.reduce((all, event) => all + cents(event.net), 0);
  const pills = await page.$$eval('.box.mine .pill[data-net]', (all) => all.map((pill) => Number(pill.dataset.net)));
  assert.equal(Math.round(pills.reduce((a, b) => a + b, 0) * 100), net, 'the results on the felt');
  const told = await page.textContent('.bar .net');
  assert.equal(cents(told.replace('−', '-').replace('+', '').replaceAll(',', '')), net, 'the net in the bar');
  const balance = cents((await page.textContent('#balance')).replace(/,/g, ''));
  assert.equal(balance, cents(me.guest ? me.play : me.cash), 'the balance in the bar');
  return { settled, net };
}
