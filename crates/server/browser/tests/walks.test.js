// Walkthroughs of people who have never seen the page: by touch alone, and by keyboard alone, from the landing page
// through rounds of every game to their explanation. `SHOTS=DIRECTORY` saves a screenshot of every step.

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import { visit } from '../house.js';
import { begun, press, until } from '../play.js';
import { browser, house } from '../site.js';

const { SHOTS } = process.env;
if (SHOTS) mkdirSync(SHOTS, { recursive: true });

/** Takes a screenshot of this step, if `SHOTS` is set. */
const picture = async (page, name) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png` });
};

/** The simplest actions, best first. */
const PLAIN = ['stand', 'decline', 'decline-switch', 'refuse', 'decline-cut', 'not-double'];
const plain = PLAIN.map((act) => `.bar [data-act="${act}"]:not([aria-disabled])`).join();
const over = '[data-awaiting="wagers"]';

/** Taps an element that is visible, uncovered, and large enough for a thumb. */
async function tap(page, selector, least = 40) {
  await page.locator(selector).first().waitFor();
  const spot = await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const found = document.elementFromPoint(x, y);
      return {
        x,
        y,
        width,
        height,
        reached: Boolean(found && element.contains(found)),
        at: found?.outerHTML.slice(0, 90),
      };
    });
  assert.ok(spot.reached, `${selector} lies under ${spot.at ?? 'the edge of the window'}`);
  assert.ok(Math.min(spot.width, spot.height) >= least, `${selector} is ${spot.width} by ${spot.height} px`);
  await page.touchscreen.tap(spot.x, spot.y);
}

/** Plays to the end of a round with taps alone. */
async function tapThrough(page) {
  for (let step = 0; step < 40; step += 1) {
    // The table asks this player, with an answer enabled, or the round is over: nothing changes until a tap.
    await page.locator(`${plain}, ${over}`).first().waitFor();
    if (await page.$(over)) return;
    const version = await page.getAttribute('.table-page', 'data-version');
    await tap(page, plain);
    await until(page, (before) => document.querySelector('.table-page').dataset.version !== before, version);
  }
  throw new Error('the round did not end');
}

/**
 * Opens Why with a tap. The panel appears with the text of its clauses, so that it does not grow under the thumb; only
 * a house that takes more than a second is not waited for. Both times are the page's own.
 */
async function tapWhy(page) {
  await page.evaluate(() => {
    window.why = { tapped: 0 };
    document.querySelector('[data-act="why"]').addEventListener('click', () => (window.why.tapped = performance.now()));
    new MutationObserver((changes, watch) => {
      const panel = changes.flatMap(({ addedNodes }) => [...addedNodes]).find((node) => node.matches?.('.why-panel'));
      if (!panel) return;
      watch.disconnect();
      Object.assign(window.why, {
        waited: performance.now() - window.why.tapped,
        empty: panel.querySelectorAll('.clause-words:empty').length,
      });
    }).observe(document.body, { childList: true });
  });
  await tap(page, '[data-act="why"]', 32);
  await page.waitForSelector('.why-panel .clause');
  const { tapped, waited, empty } = await page.evaluate(() => window.why);
  assert.ok(
    tapped > 0 && (empty === 0 || waited >= 1000),
    `the panel appears with its text: ${empty} after ${waited} ms`,
  );
  await page.waitForSelector('.why-panel .clause-words:not(:empty)');
}

for (const viewport of [
  { width: 360, height: 640 },
  { width: 844, height: 390 },
]) {
  const name = `${viewport.width}x${viewport.height}`;
  test(`a walk with a thumb alone, at ${name}`, async () => {
    const visitor = await visit(browser, house, '/', { viewport, hasTouch: true, isMobile: true });
    const { page } = visitor;
    await page.waitForSelector('[data-act="deal-me-in"]');
    await picture(page, `touch-${name}-landing`);
    await tap(page, '[data-act="deal-me-in"]');
    for (let round = 1; round <= 2; round += 1) {
      await page.waitForSelector(over);
      const before = Number(await page.getAttribute('.table-page', 'data-round'));
      if (round === 1) {
        await tap(page, '[data-box="3"] [data-area="main-0"]');
        await tap(page, '[data-act="deal"]:not([aria-disabled])');
      } else await tap(page, '[data-act="again"]:not([aria-disabled])');
      await begun(page, before);
      await page.waitForSelector('.box.mine cut-card');
      await picture(page, `touch-${name}-round-${round}`);
      await tapThrough(page);
      await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
    }
    await picture(page, `touch-${name}-over`);
    await tapWhy(page);
    await picture(page, `touch-${name}-why`);
    await tap(page, '.why-panel [aria-label="Close"]', 24);
    await until(page, () => !document.querySelector('.why-panel'));
    // A long touch takes a chip back.
    await tap(page, '[data-act="clear"]:not([aria-disabled])');
    await tap(page, '[data-box="3"] [data-area="main-0"]');
    await page.waitForSelector('[data-box="3"] [data-area="main-0"].filled');
    const client = await visitor.context.newCDPSession(page);
    const { x, y, width } = await page.locator('[data-box="3"] [data-area="main-0"]').boundingBox();
    const touchPoints = [{ x: x + width / 2, y: y + width / 2 }];
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await page.waitForTimeout(700);
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await until(page, () => !document.querySelector('.area.filled'));
    await tap(page, '.brand', 24);
    await page.waitForSelector('[data-table]');
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });
}

/** Ways to take part: with a thumb on a phone, and with the keys at a desktop. */
const WAYS = [
  {
    how: 'a thumb',
    more: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    start: (page) => tap(page, '[data-act="deal-me-in"]'),
    act: (page, name) => tap(page, `.bar [data-act="${name}"]:not([aria-disabled])`, 32),
    close: (page) => tap(page, '.why-panel [aria-label="Close"]', 24),
  },
  {
    how: 'the keys',
    more: {},
    start: (page) => page.keyboard.press('Space'),
    act: (page, name) =>
      ({ why: 'y', practise: 't' })[name]
        ? page.keyboard.press({ why: 'y', practise: 't' }[name])
        : press(page, 'keyboard', name),
    close: (page) => page.keyboard.press('Escape'),
  },
];

/** Waits for one of these actions to be enabled, and returns its name. */
async function offered(page, names) {
  const which = names.map((name) => `.bar [data-act="${name}"]:not([aria-disabled])`).join();
  return page.locator(which).first().getAttribute('data-act');
}

/** Deals a round as the bar proposes, and declines what is offered before the first decision. */
async function dealRound(page, act) {
  const round = Number(await page.getAttribute('.table-page', 'data-round'));
  await act(page, await offered(page, ['deal', 'again']));
  await begun(page, round);
  const next = await offered(page, ['decline', 'stand', 'again']);
  if (next === 'decline') await act(page, 'decline');
}

for (const { how, more, start, act, close } of WAYS)
  test(`from the address to one better decision in under three minutes, with ${how} alone`, async () => {
    const opened = performance.now();
    const visitor = await visit(browser, house, '/', more);
    const { page } = visitor;
    await page.waitForSelector('[data-act="deal-me-in"]');
    await start(page);
    await page.waitForSelector(over);
    // Who always stands is soon told of something better.
    let best;
    for (let round = 0; round < 40 && !best; round += 1) {
      await dealRound(page, act);
      if ((await offered(page, ['stand', 'again'])) === 'stand') await act(page, 'stand');
      await offered(page, ['again']);
      const told = page.locator('.quiet-line').filter({ hasText: /Best:|Well played|Nothing to decide/ });
      best = /Best: (stand|hit|double|split|surrender)/.exec(await told.first().textContent())?.[1];
    }
    assert.ok(best, 'a round had a better choice');
    await picture(page, `lesson-${how}-best`);
    await act(page, 'why');
    await page.waitForSelector('.why-panel .worth');
    await picture(page, `lesson-${how}-why`);
    await close(page);
    await until(page, () => !document.querySelector('.why-panel'));
    await act(page, 'practise');
    await page.waitForSelector('.training [data-awaiting="wagers"], .training[data-awaiting="wagers"]');
    await dealRound(page, act);
    await act(page, best);
    await page.waitForSelector('[data-verdict="right"]');
    assert.equal(await page.locator('[data-verdict="wrong"]').count(), 0);
    await picture(page, `lesson-${how}-learned`);
    const took = performance.now() - opened;
    console.log(`one better decision (${best}) learned after ${(took / 1000).toFixed(1)} s with ${how}`);
    assert.ok(took < 180_000);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('every game by touch alone, at 360 x 640', async () => {
  const viewport = { width: 360, height: 640 };
  const visitor = await visit(browser, house, '/lab', { viewport, hasTouch: true, isMobile: true });
  const { page } = visitor;
  const { presets } = (await visitor.api('GET', '/api/lab')).body;
  for (const { name } of presets) {
    await page.goto(`/train?play=1&table=${name}`);
    await page.waitForSelector(over);
    for (const area of await page.$$eval('[data-box="1"] .area.main', (all) => all.map((one) => one.dataset.area)))
      await tap(page, `[data-box="1"] [data-area="${area}"]`);
    await picture(page, `game-${name}-bet`);
    await tap(page, '[data-act="deal"]:not([aria-disabled])');
    await page.waitForSelector(`${plain}, [data-act="again"]`);
    await picture(page, `game-${name}-play`);
    await tapThrough(page);
    await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
    await picture(page, `game-${name}-over`);
  }
  assert.ok(presets.length > 5);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

/** Moves to an element with the Tab key, and checks at every step that the focus is visible. */
async function reach(page, selector, key = 'Tab') {
  for (let step = 0; step < 90; step += 1) {
    const here = await page.evaluate((wanted) => Boolean(document.activeElement?.matches(wanted)), selector);
    if (!here || step) await page.keyboard.press(key);
    const at = await page.evaluate((wanted) => {
      const now = document.activeElement;
      // A newly opened page has the focus on the page itself.
      if (!now || now === document.body || now.id === 'main') return { lost: false, there: false };
      const { left, right, top, bottom, width } = now.getBoundingClientRect();
      const seen = width > 0 && right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
      const style = getComputedStyle(now);
      const marked = style.outlineStyle !== 'none' && style.outlineWidth !== '0px';
      return { lost: !(seen && marked), there: now.matches(wanted), html: now.outerHTML.slice(0, 100) };
    }, selector);
    assert.ok(!at.lost, `the focus cannot be seen at ${at.html}`);
    if (at.there) return;
  }
  throw new Error(`Tab does not come to ${selector}`);
}

test('a walk with the keyboard alone', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await page.waitForSelector('[data-act="deal-me-in"]');
  await reach(page, '.skip');
  await reach(page, '[data-act="deal-me-in"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector(over);
  // Chips by Tab and Enter, then Deal and every answer with the buttons themselves.
  await reach(page, '[data-box="3"] [data-area="main-0"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await reach(page, '[data-act="deal"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.box.mine cut-card');
  for (let step = 0; step < 40; step += 1) {
    await page.locator(`${plain}, [data-act="again"]:not([aria-disabled])`).first().waitFor();
    if (await page.$('[data-act="again"]')) break;
    // The focus has moved to the question, and continues from there.
    const near = await page.evaluate(() => Boolean(document.activeElement?.closest('.bar')));
    assert.ok(near, 'the focus stays in the bar from one question to the next');
    await reach(page, plain);
    await page.keyboard.press('Enter');
    await page.waitForTimeout(60);
  }
  await picture(page, 'keyboard-over');
  await page.keyboard.press('y');
  await page.waitForSelector('.why-panel .clause');
  await page.keyboard.press('Escape');
  await until(page, () => !document.querySelector('.why-panel'));
  await reach(page, 'a[href^="/round/"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.bar input[type="range"]');
  await until(page, () => document.activeElement?.id === 'main');
  await page.keyboard.press('ArrowRight');
  await reach(page, '[aria-label="Settings"]', 'Shift+Tab');
  await picture(page, 'keyboard-replay');
  await page.keyboard.press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await until(page, () => document.activeElement?.getAttribute('aria-label') === 'Settings');
  // A drill, answered by its keys.
  await reach(page, 'nav a[href="/train"]', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.train [data-act="ask"]');
  await until(page, () => document.activeElement?.id === 'main');
  await page.keyboard.press('s');
  await page.waitForSelector('[data-act="next"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-act="ask"]');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a newcomer joins, looks up a clause and opens the account with the keyboard alone', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await page.waitForSelector('[data-act="deal-me-in"]');
  await reach(page, 'header a[href="/sign-in"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[name="password"]');
  await reach(page, '[name="name"]');
  await page.keyboard.type('tabitha');
  await reach(page, '[name="password"]');
  await page.keyboard.type('tabitha-has-a-password');
  await reach(page, 'form button + button');
  await page.keyboard.press('Enter');
  await until(page, () => !location.pathname.startsWith('/sign-in'));
  await reach(page, 'nav a[href="/clauses"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.clause-entry');
  await reach(page, '[type="search"]');
  await page.keyboard.type('split aces');
  await until(page, () => /split/i.test(document.querySelector('.clause-entry')?.textContent ?? ''));
  await reach(page, '[href="/account"]', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[aria-label="Statement"]');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a stranger deals a table with the keyboard alone', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await page.waitForSelector('[data-act="rehearse"]');
  await reach(page, '[data-act="rehearse"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.console-next .status');
  const state = () => page.$eval('.table-page', ({ dataset }) => ({ ...dataset }));
  const version = (before) => Number(document.querySelector('.table-page').dataset.version) > before;
  // Enter takes the next step as soon as it is enabled; a card is its rank and its suit.
  let cards = 0;
  for (let step = 0; step < 80; step += 1) {
    await page.waitForSelector('.console-next [data-act]:not([aria-disabled]), [data-rank]');
    const before = await state();
    if (before.awaiting === 'wagers' && cards) break;
    if (await page.$('[data-rank]')) {
      for (const key of ['8', 'cdhs'[cards % 4]]) await page.keyboard.press(key);
      cards += 1;
    }
    await page.keyboard.press('Enter');
    await until(page, version, Number(before.version));
  }
  await picture(page, 'keyboard-desk');
  assert.equal((await state()).awaiting, 'wagers', 'a round is dealt to its end');
  assert.ok(cards > 6 && (await page.locator('.pill').count()) >= 3, `${cards} cards, and every player’s result`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
