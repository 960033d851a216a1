// The felt in four rows: dealer, print, hands and bets. Whatever is dealt, nothing lies on the printed lines, and on a
// phone the rows take the whole height of the felt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../house.js';
import { browser, house } from '../site.js';

const SIZES = [
  [1440, 900],
  [1920, 1080],
  [390, 844],
  [844, 390],
  [360, 640],
];

/** Small cards, so that every hand becomes long. */
const SMALL = '2c 3d Ah 2s 3h 2d Ac 3s 2h 3c As 2c 3d 2s Ad 3h'.split(' ');
const many = (cards) => [...cards.split(' '), ...SMALL, ...SMALL, ...SMALL].join(' ');

/** Each game with long hands, and with as many splits as it allows. */
const GAMES = [
  ['nj-blackjack', 'long hands', many('As 2h 2d'), ['main-0']],
  ['nj-blackjack', 'splits', many('8s 2h 8d 8c 8h'), ['main-0']],
  ['nj-triple-attack', 'long hands', many('2s 3h 3d'), ['main-0', 'suited-royals', 'triple-match']],
  ['nj-triple-attack', 'splits', many('8s 2h 8d 8c 8h'), ['main-0', 'suited-royals']],
  ['nj-switch', 'long hands', many('2s 3s 2h 3d Ad'), ['main-0', 'match']],
  ['nj-switch', 'splits', many('8s 8h 2h 8d 8c 8h 8d'), ['main-0', 'match']],
  ['nj-multiple-action', 'long hands', many('2s 2h 3d'), ['main-0', 'main-1', 'main-2']],
  ['nj-multiple-action', 'splits', many('8s 2h 8d 8c 8h'), ['main-0', 'main-1', 'main-2']],
];

/** Returns what is beyond the sides of the felt. */
const offCloth = (page) =>
  page.evaluate(() => {
    const felt = document.querySelector('.felt').getBoundingClientRect();
    return Array.from(document.querySelectorAll('.felt :is(cut-card, .total, .pill, .badge, .stack, .area)'))
      .filter((part) => {
        const { left, right, width } = part.getBoundingClientRect();
        return width && (left < felt.left || right > felt.right) && part.checkVisibility({ visibilityProperty: true });
      })
      .map((part) => `${part.getAttribute('card') ?? part.className} beyond the edge`);
  });

/** Returns what lies on a printed letter, with the letters. */
const onPrint = (page) =>
  page.evaluate(() => {
    const letters = [];
    for (const text of document.querySelectorAll('.inscription')) {
      if (!text.checkVisibility()) continue;
      const ctm = text.getScreenCTM();
      for (let at = 0; at < text.getNumberOfChars(); at += 1) {
        // The print is in capitals: they leave the lowest and the highest part of a letter's height free.
        const { x, y, width, height } = text.getExtentOfChar(at);
        const [from, to] = [
          new DOMPoint(x, y + height * 0.25).matrixTransform(ctm),
          new DOMPoint(x + width, y + height * 0.75).matrixTransform(ctm),
        ];
        letters.push([text.textContent[at], from, to]);
      }
    }
    const found = [];
    for (const part of document.querySelectorAll('.felt :is(cut-card, .total, .pill, .badge, .stack, .insurance)')) {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      if (right <= left) continue;
      const under = letters.filter(
        ([, from, to]) => left < to.x - 1 && right > from.x + 1 && top < to.y - 1 && bottom > from.y + 1,
      );
      if (under.length)
        found.push(`${part.getAttribute('card') ?? part.className} on “${under.map(([letter]) => letter).join('')}”`);
    }
    return found;
  });

/** Chooses what makes hands long and many. */
const WANTED = ['attack', 'decline-switch', 'decline', 'split', 'hit', 'stand'];

/** Opens a training table with these cards next, bets, and deals. */
async function dealt(table, cards, areas, more = {}) {
  const visitor = await visit(browser, house, `/train?${new URLSearchParams({ play: '1', table, cards })}`, more);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
  await page.click('[data-act="deal"]:not([aria-disabled])');
  return visitor;
}

/** Waits for the next question and answers it. Returns whether there was one. */
async function step(page) {
  await page.waitForSelector('[data-act="again"]:not([aria-disabled]), .play [data-act]:not([aria-disabled])');
  const [total = ''] = await page.$$eval('.hand.asked .total', (all) => all.map((one) => one.textContent));
  // A hard hand of 17 or more stands, and so does a soft 20.
  const enough = Number(total.replace(/\D/g, '')) >= (/\D/.test(total) ? 20 : 17);
  for (const act of WANTED) {
    const button = page.locator(`.play [data-act="${act}"]:not([aria-disabled])`);
    if (!(await button.count()) || (act === 'hit' && enough)) continue;
    const before = await page.getAttribute('.table-page', 'data-version');
    await button.click();
    await page.waitForFunction((version) => {
      const { dataset } = document.querySelector('.table-page');
      return dataset.version !== version && dataset.awaiting !== 'dealing';
    }, before);
    return true;
  }
  return false;
}

for (const [table, what, cards, areas] of GAMES)
  test(`nothing lies on the print at ${table}, with ${what}`, async () => {
    const visitor = await dealt(table, cards, areas);
    const { page } = visitor;
    let most = 0;
    const covered = [];
    for (let steps = 0; steps < 60; steps += 1) {
      const went = await step(page);
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const lies = [...(await onPrint(page)), ...(await offCloth(page))];
        if (lies.length) covered.push(`${width} x ${height}, step ${steps}: ${lies.join(', ')}`);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      most = Math.max(most, await page.locator('.felt cut-card').count());
      if (!went) break;
    }
    assert.deepEqual(covered, []);
    assert.equal(await page.getAttribute('.table-page', 'data-awaiting'), 'wagers', 'the round is over');
    assert.ok(most >= 7, `${most} cards lay on the felt`);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('on a phone the four rows take the whole height of the felt', async () => {
  for (const [table, cards, areas] of [
    ['nj-blackjack', 'Ts 6h 6d', ['main-0']],
    // with a 5 no second card makes a blackjack
    ['nj-triple-attack', '5s 6h 6d', ['main-0']],
    ['nj-multiple-action', 'Ts 6h 6d', ['main-0', 'main-1', 'main-2']],
  ]) {
    const visitor = await dealt(table, cards, areas, { viewport: { width: 390, height: 844 } });
    const { page } = visitor;
    const asked = () => page.waitForSelector('.play [data-act]:not([aria-disabled])');
    const stand = () => page.$('.play [data-act="stand"]:not([aria-disabled])');
    for (await asked(); !(await stand()); await asked()) assert.ok(await step(page), `${table} has no hand to play`);
    for (const [width, height] of [
      [390, 844],
      [360, 640],
    ]) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const { gap, bare, tall } = await page.evaluate(() => {
        const box = (part) => part.getBoundingClientRect();
        const felt = box(document.querySelector('.felt'));
        const rows = Array.from(
          document.querySelectorAll('.felt :is(cut-card, .total, .inscription, .stack, .area)'),
          box,
        )
          .filter(({ height: tall }) => tall > 0)
          .sort((a, b) => a.top - b.top);
        let [bare, deep] = [0, felt.top];
        for (const { top, bottom } of [...rows, { top: felt.bottom, bottom: felt.bottom }]) {
          bare = Math.max(bare, top - deep);
          deep = Math.max(deep, bottom);
        }
        return { gap: box(document.querySelector('.bar')).top - felt.bottom, bare, tall: felt.height };
      });
      const where = `${table} at ${width} x ${height}`;
      assert.ok(gap < 16, `${gap} px between felt and bar, ${where}`);
      assert.ok(bare < tall * 0.2, `${Math.round(bare)} px of ${Math.round(tall)} are bare, ${where}`);
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  }
});

test('on a low laptop the bets stay on the felt', async () => {
  for (const [table, cards, areas] of [
    ['nj-blackjack', 'Ts 6h 6d', ['main-0']],
    ['nj-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match']],
    ['nj-triple-attack', '5s 6h 6d', ['main-0', 'suited-royals', 'triple-match']],
    ['nj-multiple-action', 'Ts 6h 6d', ['main-0', 'main-1', 'main-2']],
  ]) {
    const visitor = await dealt(table, cards, areas, { viewport: { width: 1366, height: 768 } });
    const { page } = visitor;
    await page.waitForSelector('.play [data-act]:not([aria-disabled])');
    for (const height of [768, 720]) {
      await page.setViewportSize({ width: 1366, height });
      const low = await page.evaluate(() => {
        const bottom = (part) => part.getBoundingClientRect().bottom;
        const parts = Array.from(document.querySelectorAll('.felt :is(cut-card, .area, .stack, .total)'), bottom);
        // The rail is 14 px wide.
        return Math.max(...parts) - bottom(document.querySelector('.felt')) + 14;
      });
      assert.ok(low <= 0, `${table}: ${low} px below the cloth at a height of ${height}`);
    }
    await visitor.close();
  }
});
