// Every game whole on a phone, held upright and across: the dealer, every hand and every act in sight, nothing covered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { deal, finish, press } from '../play.js';
import { browser, house } from '../site.js';

const SIZES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];

/** A table of every game in the middle of its most crowded hand. */
const GAMES = [
  ['nj-blackjack', '8s 6h 8d 8c 3h Td Ts', ['main-0'], ['split', 'split']],
  ['nj-multiple-action', 'Ks 6h 5d', ['main-0', 'main-1', 'main-2'], []],
  ['nj-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match'], ['switch']],
  ['ma-switch', 'Ts 6s 6h 5d Td', ['main-0'], ['switch']],
  ['nj-double-attack', '6h Ks 9d Kc Qh Jh', ['main-0'], ['attack']],
  ['nj-triple-attack', '5s 6h 6d', ['main-0'], ['attack', 'attack']],
];

/** Parts that a finger or an eye cannot reach: out of the window, or under something else. */
const hidden = (page, selector) =>
  page.$$eval(selector, (all) =>
    all
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return true;
        // The corner with the index: other cards of the hand may cover the rest.
        const found = document.elementFromPoint(left + (right - left) * 0.2, top + (bottom - top) * 0.2);
        return !found || !(element.contains(found) || found.contains(element));
      })
      .map((element) => `${element.getAttribute('card') ?? element.dataset.act ?? element.className}`),
  );

for (const [table, cards, areas, acts] of GAMES) {
  test(`${table} is whole on a phone`, async () => {
    const query = new URLSearchParams({ play: '1', table, cards });
    const visitor = await visit(browser, house, `/train?${query}`, { viewport: SIZES[0], hasTouch: true });
    const { page } = visitor;
    await page.waitForSelector('[data-awaiting="wagers"]');
    const look = async (when, selectors) => {
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await page.evaluate(() => scrollTo(0, 0));
        for (const selector of selectors)
          assert.deepEqual(await hidden(page, selector), [], `${selector} ${when} at ${size.width} x ${size.height}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide ${when} at ${size.width} x ${size.height}`);
      }
      await page.setViewportSize(SIZES[0]);
    };
    await look('before the cards', ['.table-head .tag', '.area', '.chip-button']);
    for (const area of areas) await page.tap(`[data-box="1"] [data-area="${area}"]`);
    await look('with chips laid', ['.area', '.chip-button', '.betting [data-act]']);
    await press(page, 'mouse', 'deal');
    for (const act of acts) await press(page, 'mouse', act);
    await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
    await look('in the hand', ['.dealer-hand cut-card', '.box.mine cut-card', '.play [data-act]', '.bar .status']);
    const low = await page.$$eval('.play [data-act]', (all) => all.map((act) => act.getBoundingClientRect().height));
    assert.ok(
      low.every((height) => height >= 48),
      `high enough for a thumb: ${low}`,
    );
    assert.deepEqual(await findings(page), []);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });
}

test('at 200 % of its size every page is whole, and a round can be played', async () => {
  // A window of 1440 x 900 has half as many points then.
  const visitor = await visit(browser, house, '/', { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });
  const { page } = visitor;
  for (const path of [
    '/',
    '/table/1',
    '/train',
    '/clauses',
    '/rules/1',
    '/sign-in',
    '/account',
    '/protect',
    '/rehearse',
  ]) {
    await page.goto(path);
    await page.waitForSelector('main h1, main .table-page, main form');
    assert.deepEqual(await findings(page), [], path);
  }
  await page.goto('/table/1');
  await deal(visitor, 2, 'mouse');
  await finish(visitor, 1, 'mouse');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
