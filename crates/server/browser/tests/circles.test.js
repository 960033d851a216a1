// Bets in their circles at a table for one: at Multiple Action every bet is below the dealer's hand that it is against,
// with a result of its own; at Triple Attack the circles of the later attacks are marked before they are bet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { press, until } from '../play.js';
import { browser, house } from '../site.js';

const SIZES = [
  [1440, 900],
  [1920, 1080],
  [390, 844],
  [844, 390],
  [360, 640],
];

/** Opens a training table with these cards next, and bets. */
async function sitDown(table, cards, areas) {
  const visitor = await visit(browser, house, `/train?${new URLSearchParams({ play: '1', table, cards })}`);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
  return visitor;
}

/** Calls `look` at every size. */
async function atEverySize(page, look) {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await look(`at ${width} x ${height}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('at Multiple Action a hand of the dealer, its bet and its result are in one column', async () => {
  // 18 against a nine: the dealer makes 19, busts with 24, and makes 18.
  const visitor = await sitDown('nj-multiple-action', 'Kd 9s 8c Qh 5d Kc 9d', ['main-0', 'main-1', 'main-2']);
  const { page } = visitor;
  await press(page, 'mouse', 'deal');
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
  await page.waitForSelector('.bet-result[data-spot="3"] .pill');
  assert.equal(await page.textContent('.bar .status'), 'One lost, one won, one push');
  for (const [width, height] of SIZES.slice(0, 2)) {
    await page.setViewportSize({ width, height });
    const between = await page.$$eval('.versus', (all) =>
      all.map((text) => {
        const [own, pill] = [text, text.previousElementSibling].map((part) => part.getBoundingClientRect());
        return [text.textContent, own.left >= pill.right && own.top < pill.bottom && own.bottom > pill.top];
      }),
    );
    const beside = ['18 v 19', '18 v 24 bust', '18 v 18'].map((text) => [text, true]);
    assert.deepEqual(between, beside, `beside each result at ${width} x ${height}`);
  }
  await atEverySize(page, async (where) => {
    const columns = await page.evaluate(() => {
      const box = (part) => part.getBoundingClientRect();
      const middle = (parts) => {
        const all = parts.map(box);
        return (Math.min(...all.map(({ left }) => left)) + Math.max(...all.map(({ right }) => right))) / 2;
      };
      const hands = Array.from(document.querySelectorAll('.earlier .cards, .dealer-hand .cards'), (row) => [
        ...row.children,
      ]).sort(([a], [b]) => box(a).left - box(b).left);
      return hands.map((cards, at) => {
        const circle = document.querySelector(`[data-area="main-${at}"]`);
        const pill = document.querySelector(`.bet-result[data-spot="${at + 1}"] .pill`);
        const [rim, told] = [box(circle), box(pill)];
        return {
          cards: cards.length,
          chips: circle.querySelectorAll('.chip').length > 0,
          text: circle.textContent,
          net: pill.dataset.net,
          aside: Math.max(...[middle([circle]), middle([pill])].map((x) => Math.abs(x - middle(cards)))),
          touches: told.top < rim.bottom && told.bottom > rim.bottom - 4,
        };
      });
    });
    assert.deepEqual(
      columns.map(({ cards, chips, text, net }) => [cards, chips, text, net]),
      [
        [2, false, 'Bet 1', '-10.00'],
        [3, true, '20', '10.00'],
        [2, true, '10', '0.00'],
      ],
      where,
    );
    for (const { aside, touches } of columns) {
      assert.ok(aside < 12, `${aside} px beside its column ${where}`);
      assert.ok(touches, `the result is on the rim of its circle ${where}`);
    }
  });
  // The upcard is one card: it is faded where its hand is over.
  assert.deepEqual(
    await page.$$eval('.earlier cut-card:first-child, .dealer-hand cut-card:first-child', (all) =>
      all.map((card) => Number(getComputedStyle(card).opacity) < 1),
    ),
    [false, true, true],
  );
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('at Triple Attack the later attacks have their circles before they are bet', async () => {
  const visitor = await sitDown('nj-triple-attack', 'Ks 6h 5s 9c Kd', []);
  const { page } = visitor;
  const circles = () =>
    page.$$eval('.box .area', (all) =>
      all
        .filter((area) => area.checkVisibility({ visibilityProperty: true }))
        .map((area) => [area.textContent, Math.round(area.getBoundingClientRect().left)])
        .sort(([, a], [, b]) => a - b)
        .map(([text]) => text),
    );
  await atEverySize(page, async (where) =>
    assert.deepEqual(
      await circles(),
      ['Royals', 'First attack', 'Second attack', 'Third attack', 'Triple Match'],
      where,
    ),
  );
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('[data-later="second-attack"].offered');
  await press(page, 'mouse', 'attack');
  await page.waitForSelector('[data-later="third-attack"].offered');
  await atEverySize(page, async (where) => {
    assert.ok(await page.isVisible('[data-later="third-attack"]'), `it is marked ${where}`);
    assert.equal(await page.textContent('[data-later="second-attack"]'), '10', `the chips are in the circle ${where}`);
  });
  await press(page, 'mouse', 'decline');
  await page.waitForSelector('.play [data-act="stand"]');
  assert.equal(await page.locator('.area.offered').count(), 0);
  assert.equal(await page.locator('[data-later="third-attack"] .chip').count(), 0);
  assert.equal(await page.locator('.hand-stacks .stack').count(), 0, 'no chip is shown twice');
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
  // 15 against a dealer who busts: both attacks are paid in their circles.
  assert.equal(await page.textContent('[data-later="second-attack"]'), '20');
  assert.equal(await page.textContent('[data-area="main-0"]'), '20');
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('at Triple Attack the result of a side bet is on the rim of its circle, and each attack is named', async () => {
  // Of 5-6 unsuited against a six, Royals loses and Triple Match pays its pair.
  const visitor = await sitDown('nj-triple-attack', '5s 6h 6d 9c Kd', ['main-0', 'suited-royals', 'triple-match']);
  const { page } = visitor;
  await press(page, 'mouse', 'deal');
  for (const offer of ['second-attack', 'third-attack']) {
    await page.waitForSelector(`[data-later="${offer}"].offered`);
    await press(page, 'mouse', 'attack');
  }
  await page.waitForSelector('.at-rim .pill.win');
  const seen = (where) =>
    page.$$eval(
      '.side-place',
      (all, size) =>
        all.map((place) => {
          const [circle, pill] = ['.area', '.pill'].map((part) => place.querySelector(part).getBoundingClientRect());
          const [x, y] = [pill.left + pill.width / 2, pill.top + pill.height / 2];
          const there = place.querySelector('.pill').contains(document.elementFromPoint(x, y));
          const aside = Math.abs(x - circle.left - circle.width / 2);
          const onRim = pill.top < circle.top && pill.bottom > circle.top;
          return [place.querySelector('.pill').dataset.net, there && aside < 2 && onRim ? 'on its rim' : size];
        }),
      where,
    );
  const rims = [
    ['-5.00', 'on its rim'],
    ['10.00', 'on its rim'],
  ];
  await atEverySize(page, async (where) => assert.deepEqual(await seen(where), rims));
  assert.equal(await page.locator('.side-results').count(), 0, 'and is listed nowhere else');
  const named = await page.$$eval('.box .area.filled .area-text', (all) =>
    all
      .flatMap((text) => getComputedStyle(text, '::before').content.match(/\w+/g) ?? [])
      .filter((one) => one !== 'none'),
  );
  assert.deepEqual(named, ['1st', '2nd', '3rd']);
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
  await atEverySize(page, async (where) => assert.deepEqual(await seen(where), rims));
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the printed lines stay where they are from the empty felt to the result', async () => {
  for (const table of ['nj-blackjack', 'nj-triple-attack', 'nj-double-attack', 'nj-switch']) {
    const visitor = await sitDown(table, 'Ts 9h 6h 6d Td 9c', []);
    const { page } = visitor;
    const print = () => page.locator('.print').boundingBox();
    const empty = await print();
    await page.click('[data-box="1"] [data-area="main-0"]');
    await press(page, 'mouse', 'deal');
    const next = '.play [data-act]:not([aria-disabled]), [data-act="again"]:not([aria-disabled])';
    for (;;) {
      await page.waitForSelector(next);
      assert.deepEqual(await print(), empty, table);
      if (await page.$('[data-act="again"]:not([aria-disabled])')) break;
      const version = await page.getAttribute('.table-page', 'data-version');
      await page.click('.play :is([data-act="stand"], [data-act="decline"]):not([aria-disabled])');
      await until(page, (before) => document.querySelector('.table-page').dataset.version !== before, version);
    }
    await visitor.close();
  }
});

test('an insurance bet is on the band beside its words, and the print keeps its size', async () => {
  const visitor = await sitDown('nj-blackjack', 'Qs Ah Kd 5c 8c 9c', ['main-0']);
  const { page } = visitor;
  const sized = async (width, height) => {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return page.evaluate(() => ({
      height: document.querySelector('.print').getBoundingClientRect().height,
      sizes: Array.from(document.querySelectorAll('.inscription'), (line) => line.getAttribute('font-size')),
    }));
  };
  const desks = SIZES.slice(0, 2);
  const before = [];
  for (const [width, height] of desks) before.push(await sized(width, height));
  await press(page, 'mouse', 'deal');
  await press(page, 'mouse', 'insure');
  await page.waitForSelector('.insurance');
  for (const [at, [width, height]] of desks.entries()) {
    const where = `at ${width} x ${height}`;
    assert.deepEqual(await sized(width, height), before[at], `the print is as large as before ${where}`);
    const [words, chips, cards] = await Promise.all(
      ['.inscription >> nth=-1', '.insurance', '.box .cards'].map((part) => page.locator(part).boundingBox()),
    );
    const middle = chips.y + chips.height / 2;
    assert.ok(middle > words.y && middle < words.y + words.height, `the chips are on the band ${where}`);
    const gap = chips.x - words.x - words.width;
    assert.ok(gap > 0 && gap < 40, `${gap} px after the words ${where}`);
    assert.ok(chips.y + chips.height < cards.y, `not on the cards ${where}`);
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the chart is beside the hand on a desktop, and below it on a phone', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=hard');
  const { page } = visitor;
  await page.waitForSelector('.actions [data-act="stand"]');
  const box = (part) => page.locator(part).first().boundingBox();
  const felt = await box('.train-felt');
  await page.click('[data-act="chart"]');
  await page.waitForSelector('.train-chart .strategy', { timeout: 60_000 });
  assert.deepEqual(await box('.train-felt'), felt, 'the hand stays where it is');
  const shown = await page.evaluate(() => {
    const rank = (card) => card.getAttribute('card')[0];
    const [up, ...hand] = Array.from(document.querySelectorAll('.train-felt cut-card'), rank);
    const worth = (card) => ('TJQK'.includes(card) ? 10 : Number(card));
    const cell = document.querySelector('.train-chart .here');
    return {
      column: up === 'A' ? 'A' : String(worth(up)),
      total: String(hand.reduce((all, card) => all + worth(card), 0)),
      marked: cell && [cell.closest('tr').dataset.rows.split(' '), cell.dataset.up],
    };
  });
  assert.ok(shown.marked[0].includes(shown.total), JSON.stringify(shown));
  assert.equal(shown.marked[1], shown.column);
  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
  ]) {
    await page.setViewportSize({ width, height });
    const [hand, chart, bar] = await Promise.all(['.train-felt', '.train-chart', '.train .bar'].map(box));
    assert.ok(chart.x >= hand.x + hand.width && chart.x >= bar.x + bar.width, 'beside the hand and its answers');
    const rows = await page.locator('.train-chart tbody tr').last().boundingBox();
    assert.ok(rows.y + rows.height <= height, `the whole chart is in sight at ${width} x ${height}`);
  }
  for (const [width, height] of [
    [390, 844],
    [360, 640],
  ]) {
    await page.setViewportSize({ width, height });
    const [chart, bar] = await Promise.all(['.train-chart', '.train .bar'].map(box));
    assert.ok(chart.y >= bar.y + bar.height - 1, 'below the hand and its answers');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'within the window');
  }
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
