// Every game complete on a phone, in portrait and in landscape: the dealer, every hand and every action are visible,
// and nothing is covered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { deal, finish, press, shown, until } from '../play.js';
import { browser, house } from '../site.js';

const SIZES = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 640, height: 360 },
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

/** Returns elements that cannot be reached or seen: outside the window, or under something else. */
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

/** Returns what stays hidden after the page has come to rest. */
async function settled(page, selector) {
  let out = await hidden(page, selector);
  for (let tries = 0; out.length && tries < 50; tries += 1) {
    await page.waitForTimeout(60);
    out = await hidden(page, selector);
  }
  return out;
}

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
          assert.deepEqual(await settled(page, selector), [], `${selector} ${when} at ${size.width} x ${size.height}`);
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
    // At the end, the whole result and the next action are visible.
    await finishHand(page);
    await look('when it is over', [
      '.dealer cut-card',
      '.box.mine cut-card',
      '.box.mine .pill',
      '.area',
      '.betting [data-act]',
      '.table-head h1',
    ]);
    // The chips make room for the result, and come back with a press.
    await page.tap('[data-act="clear"]');
    await look('when the felt is cleared', ['.area', '.chip-button', '.betting [data-act]']);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });
}

/** A dealer's hand of seven cards, the most that a shoe of six decks deals in practice. */
const LONG_DEALER = [
  ['nj-blackjack', 'Ts 2h Td 2c 2d 3c 2s 3d 4h', ['main-0']],
  ['ma-switch', 'Ts 6s 2h 5d Td 2c 2d 3c 2s 3d 4h', ['main-0']],
  ['nj-switch', 'Ts 6s 2h 5d Td 2c 2d 3c 2s 3d 4h', ['main-0']],
  ['nj-double-attack', '2h Ks 9d 2c 2d 3c 2s 3d 4h', ['main-0']],
  ['nj-triple-attack', 'Ks 2h 9d 2c 2d 3c 2s 3d 4h', ['main-0']],
];

for (const [table, cards, areas] of LONG_DEALER)
  test(`a long hand of the dealer is whole on a phone at ${table}`, async () => {
    const query = new URLSearchParams({ play: '1', table, cards });
    const visitor = await visit(browser, house, `/train?${query}`, { viewport: SIZES[0], hasTouch: true });
    const { page } = visitor;
    await page.waitForSelector('[data-awaiting="wagers"]');
    for (const area of areas) await page.tap(`[data-box="1"] [data-area="${area}"]`);
    await press(page, 'mouse', 'deal');
    await finishHand(page);
    const dealt = await page.locator('.dealer-hand cut-card').count();
    assert.ok(dealt >= 6, `${dealt} cards of the dealer`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.evaluate(() => scrollTo(0, 0));
      const out = await settled(page, '.dealer cut-card');
      assert.deepEqual(out, [], `the dealer's cards at ${size.width} x ${size.height}`);
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

/** Stands and declines until the round is over. */
async function finishHand(page) {
  for (let step = 0; step < 12 && !(await page.$('[data-act="again"]')); step += 1) {
    const act = await page.waitForSelector(
      ['stand', 'decline', 'decline-switch', 'again'].map((act) => `[data-act="${act}"]:not([aria-disabled])`).join(),
    );
    if ((await act.getAttribute('data-act')) !== 'again') await act.click();
  }
  await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
}

/** Returns pairs of different elements that overlap. */
const overlapping = (page, one, other) =>
  page.evaluate(
    ([a, b]) => {
      const seen = (selector) =>
        Array.from(document.querySelectorAll(selector)).filter(
          (element) => getComputedStyle(element).visibility !== 'hidden',
        );
      const found = [];
      for (const first of seen(a))
        for (const second of seen(b)) {
          const [x, y] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
          if (
            Math.min(x.right, y.right) - Math.max(x.left, y.left) > 3 &&
            Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top) > 3
          )
            found.push(`${first.textContent || first.getAttribute('card')} on ${second.textContent}`);
        }
      return found;
    },
    [one, other],
  );

test('nothing lies on anything else when a round is over, at any size', async () => {
  for (const [table, cards, areas, acts] of [
    ['nj-blackjack', '5s 6h 6d 9c Kc 8d', ['main-0'], ['double']],
    ['nj-multiple-action', 'Ks 6h Qd Tc Kc Kd 3h 7h 8h', ['main-0', 'main-1', 'main-2'], ['stand']],
    ['nj-switch', 'Ts 9s 6h Kd Td 8c 7c', ['main-0'], ['stand', 'stand']],
    // Five cards of the dealer, and winnings beside the bet.
    ['nj-blackjack', 'As 6d 6s 4h 2s 3h Qh', ['main-0'], ['stand']],
  ]) {
    const visitor = await visit(browser, house, `/train?${new URLSearchParams({ play: '1', table, cards })}`);
    const { page } = visitor;
    await page.waitForSelector('[data-awaiting="wagers"]');
    for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
    await press(page, 'mouse', 'deal');
    for (const act of acts) await press(page, 'mouse', act);
    await page.waitForSelector('[data-act="again"]');
    // A circle under the pointer shows its name.
    await page.mouse.move(5, 5);
    for (const size of [{ width: 1440, height: 900 }, { width: 1920, height: 1080 }, ...SIZES]) {
      await page.setViewportSize(size);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const where = `${table} at ${size.width} x ${size.height}`;
      assert.ok(await page.isVisible('.shoe'), `the shoe can be seen, ${where}`);
      assert.deepEqual(await overlapping(page, '.dealer cut-card, .box cut-card', '.inscription'), [], where);
      assert.deepEqual(await overlapping(page, '.stack-amount', '.area-text'), [], where);
      assert.deepEqual(await overlapping(page, '.dealer cut-card, .dealer .total', '.shoe, .discards'), [], where);
      assert.deepEqual(await overlapping(page, '.area, .stack, .hand-foot span', '.bar'), [], where);
    }
    await visitor.close();
  }
});

for (const locale of ['en', 'es'])
  test(`the dealer sees the whole table above what is done there, at any size, in ${locale}`, async () => {
    const visitor = await visit(browser, house, '/rehearse', { locale });
    const { page } = visitor;
    const waits = () => page.getAttribute('.table-page', 'data-awaiting');
    const next = async (act) => {
      const version = await page.getAttribute('.table-page', 'data-version');
      await page.click(`[data-act="${act}"]:not([aria-disabled])`);
      await page.waitForFunction((before) => document.querySelector('.table-page').dataset.version !== before, version);
    };
    await page.waitForSelector('.console-next .status');
    for (let step = 0; step < 40 && (await waits()) === 'procedure'; step += 1) await next('perform');
    for (let step = 0; step < 10 && (await waits()) === 'card'; step += 1) await next('draw');
    await next('players-bet');
    await next('close-wagers');
    for (let card = 0; card < 5; card += 1) await next('draw');
    await page.keyboard.press('9');
    await page.keyboard.press('h');
    for (const size of [{ width: 1440, height: 900 }, ...SIZES]) {
      await page.setViewportSize(size);
      await page.evaluate(() => scrollTo(0, 0));
      for (const part of [
        '[data-rank]',
        '[data-suit]',
        '.entry-card',
        '.entry-record',
        '.console-next :is(.status, .act)',
      ])
        assert.deepEqual(await hidden(page, part), [], `${part} at ${size.width} x ${size.height}`);
      const cut = await page.$$eval('.console-next .actions, .console-next .act, .entry-record', (all) =>
        all.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => part.textContent),
      );
      assert.deepEqual(cut, [], `every order fits at ${size.width} x ${size.height}`);
      // Cards are turned, so their corners prove nothing: they must be above the bar or beside it, and within the
      // window.
      const under = await page.evaluate(() => {
        const bar = document.querySelector('.bar').getBoundingClientRect();
        return Array.from(
          document.querySelectorAll('.dealer cut-card, .box cut-card, .box.taken .box-name'),
          (part) => {
            const { top, bottom, left, right } = part.getBoundingClientRect();
            const free = bottom <= bar.top + 1 || right <= bar.left + 1;
            return free && top >= 0 && left >= 0 && right <= innerWidth && bottom <= innerHeight
              ? ''
              : part.outerHTML.slice(0, 60);
          },
        ).filter(Boolean);
      });
      assert.deepEqual(under, [], `at ${size.width} x ${size.height}`);
    }
    await visitor.close();
  });

test('a word stays within its circle, in every language', async () => {
  for (const locale of ['en', 'es']) {
    const visitor = await visit(browser, house, '/table/6', { viewport: SIZES[0], locale });
    const { page } = visitor;
    await page.waitForSelector('[data-awaiting="wagers"]');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const out = await page.$$eval('.area', (all) =>
        all
          .filter((area) => {
            const [own, words] = [area, area.querySelector('.area-text')].map((one) => one.getBoundingClientRect());
            return words.left < own.left || words.right > own.right;
          })
          .map((area) => area.textContent),
      );
      assert.deepEqual(out, [], `${locale} at ${size.width} x ${size.height}`);
    }
    await visitor.close();
  }
});

test('how others ended lies on the felt, whole, for who looks on', async () => {
  const visitor = await visit(browser, house, '/table/3', { viewport: SIZES[0] });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const other = await visit(browser, house, '/table/3');
  await deal(other, 1, 'mouse');
  await finish(other, 3, 'mouse');
  await other.close();
  await page.waitForSelector('.felt.over .box .pill');
  for (const size of [...SIZES, { width: 720, height: 450 }]) {
    await page.setViewportSize(size);
    const out = await page.evaluate(() => {
      const felt = document.querySelector('.felt').getBoundingClientRect();
      return Array.from(document.querySelectorAll('.box :is(cut-card, .pill, .area)'))
        .filter((part) => {
          const { left, right, bottom } = part.getBoundingClientRect();
          return left < felt.left || right > felt.right || bottom > felt.bottom;
        })
        .map((part) => part.outerHTML.slice(0, 60));
    });
    assert.deepEqual(out, [], `${size.width} x ${size.height}`);
  }
  await visitor.close();
});

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

// A table for each run, since the first table may still wait for the player who left.
for (const [still, table] of [
  [true, 1],
  [false, 4],
])
  test(`Again brings the cards, and no free box on the way${still ? ', without motion' : ''}`, async () => {
    const viewport = { width: 390, height: 844 };
    const visitor = await visit(browser, house, `/table/${table}`, { viewport, hasTouch: true, isMobile: true, still });
    const { page } = visitor;
    await deal(visitor, 3, 'mouse');
    for (let round = 0; round < 2; round += 1) {
      await finish(visitor, table, 'mouse');
      await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
      await page.evaluate(() => {
        window.seen = new Set();
        window.moves = new Set();
        window.watch = () => {
          for (const box of document.querySelectorAll('.box')) if (box.offsetParent) window.seen.add(box.dataset.box);
          const own = document.querySelector('.box.mine')?.getBoundingClientRect();
          if (own) window.moves.add(Math.round(own.x + own.width / 2));
          window.frame = requestAnimationFrame(window.watch);
        };
        window.watch();
      });
      const before = (await shown(page)).version;
      await press(page, 'mouse', 'again');
      await until(
        page,
        (version) =>
          Number(document.querySelector('.table-page').dataset.version) > version &&
          document.querySelectorAll('.box.mine cut-card').length > 1,
        before,
      );
      const [seen, moves] = await page.evaluate(() => {
        cancelAnimationFrame(window.frame);
        return [[...window.seen], [...window.moves]];
      });
      assert.deepEqual(seen, ['3'], 'only the own box is seen');
      assert.equal(moves.length, 1, `and it stays where it is: ${moves}`);
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('a replay keeps its felt in sight at every step, and leaves the browser its keys', async () => {
  const visitor = await visit(browser, house, '/table/3');
  const { page } = visitor;
  const round = await deal(visitor, 3, 'mouse');
  await finish(visitor, 3, 'mouse');
  for (const viewport of [...SIZES, { width: 720, height: 450 }]) {
    await page.setViewportSize(viewport);
    await page.goto(`/round/3/${round}`);
    await page.waitForSelector('.log li.now');
    const high = () => page.evaluate(() => Math.round(scrollY));
    const name = `${viewport.width} x ${viewport.height}`;
    assert.equal(await high(), 0, `it begins at its top, ${name}`);
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'End']) {
      await page.keyboard.press(key);
      assert.equal(await high(), 0, `and stays there with ${key}, ${name}`);
    }
    const shown = await page.evaluate(() => {
      const [list, now] = ['.log-box', '.log li.now'].map((one) => document.querySelector(one).getBoundingClientRect());
      return now.top >= list.top - 1 && now.bottom <= list.bottom + 1;
    });
    assert.ok(shown, `the list has come along, ${name}`);
  }
  const step = () => page.$eval('.bar input[type="range"]', (one) => one.value);
  const last = await step();
  await page.keyboard.press('Alt+ArrowLeft');
  await page.waitForTimeout(200);
  if (page.url().includes('/round/')) assert.equal(await step(), last, 'a key of the browser is no step');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('where one is stays in sight among the places of the page', async () => {
  const viewport = { width: 360, height: 640 };
  const visitor = await visit(browser, house, '/table/2', { viewport, locale: 'es' });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.goto('/history');
  await page.waitForSelector('nav [aria-current="page"]');
  const { left, right } = await page.$eval('nav [aria-current="page"]', (one) => one.getBoundingClientRect().toJSON());
  assert.ok(left >= 0 && right <= viewport.width, `from ${left} to ${right}`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
