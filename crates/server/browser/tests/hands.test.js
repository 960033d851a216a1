// Guards against accidental input: a second click, a held key and an answer to an offer that nobody can have seen
// decide nothing; every action keeps its place.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, visit } from '../house.js';
import { begun, moved, press, shown, until } from '../play.js';
import { browser, house } from '../site.js';

/** Opens a training table with these cards next. */
async function sitDown(table, cards, more = {}) {
  const query = new URLSearchParams({ play: '1', table, cards });
  const visitor = await visit(browser, house, `/train?${query}`, more);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  return visitor;
}

const place = (page, act) => page.locator(`.actions [data-act="${act}"]`).boundingBox();

for (const still of [true, false]) {
  test(`a double click on Deal decides nothing about the hand${still ? ', without motion' : ''}`, async () => {
    const visitor = await sitDown('nj-blackjack', 'Ts 6h 6d Td 9c', { still });
    const { page } = visitor;
    await page.click('[data-box="1"] [data-area="main-0"]');
    await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
    const deal = await place(page, 'deal');
    const middle = [deal.x + deal.width / 2, deal.y + deal.height / 2];
    await page.mouse.dblclick(...middle);
    await page.mouse.dblclick(...middle);
    await page.waitForSelector('.actions [data-act="stand"]');
    await page.waitForTimeout(400);
    const seen = await shown(page);
    assert.equal(seen.awaiting, 'decision', 'the hand waits for its player');
    assert.deepEqual(seen.hands[0].cards, ['Ts', '6d']);
    const stand = await place(page, 'stand');
    const apart = stand.x >= deal.x + deal.width || stand.y >= deal.y + deal.height || deal.x >= stand.x + stand.width;
    assert.ok(apart, 'Stand is not where Deal was');
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });
}

for (const touch of [false, true])
  test(`an enabled button answers, and no double click answers two hands, by ${touch ? 'touch' : 'mouse'}`, async () => {
    const visitor = await sitDown('nj-switch', 'Ts 9h 6h 6d Td 9c', { hasTouch: touch });
    const { page } = visitor;
    const stand = '.bar [data-act="stand"]:not([aria-disabled])';
    const click = async () => {
      await page.waitForSelector(stand);
      const { x, y, width, height } = await place(page, 'stand');
      await page[touch ? 'touchscreen' : 'mouse'][touch ? 'tap' : 'click'](x + width / 2, y + height / 2);
    };
    await page.click('[data-box="1"] [data-area="main-0"]');
    await press(page, 'keyboard', 'deal');
    await page.waitForSelector(stand);
    // The page notes when Stand was clicked, and when it was enabled again.
    await page.evaluate((enabled) => {
      window.times = {};
      const now = () => performance.now();
      document.addEventListener('click', () => (window.times.clicked ??= now()), true);
      new MutationObserver(() => {
        const { times } = window;
        if (times.clicked && !document.querySelector(enabled)) times.off = true;
        else if (times.off) times.enabled ??= now();
      }).observe(document.querySelector('.bar'), { attributes: true, childList: true, subtree: true });
    }, stand);
    const { version } = await shown(page);
    await click();
    await moved(page, version);
    await click();
    await moved(page, version + 1);
    const { clicked, enabled } = await page.evaluate(() => window.times);
    assert.ok(enabled - clicked >= 500, `the second hand took an answer ${enabled - clicked} ms after the click`);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('an offer takes no answer before anybody can have seen it', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 2d 3c 4c');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  // Answer Stand the moment the offer appears, by key and by click.
  await page.evaluate(() => {
    const watch = new MutationObserver(() => {
      const stand = document.querySelector('.actions [data-act="stand"][aria-disabled]');
      if (!stand) return;
      document.body.dataset.hasty = String(Number(document.body.dataset.hasty ?? 0) + 1);
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 's', bubbles: true }));
      stand.click();
    });
    watch.observe(document.querySelector('.bar'), { childList: true, subtree: true });
  });
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.actions [data-act="hit"]:not([aria-disabled])');
  assert.equal((await shown(page)).awaiting, 'decision');
  await press(page, 'keyboard', 'hit');
  await until(page, () => document.querySelectorAll('.box.mine cut-card').length === 3);
  await page.waitForSelector('.actions [data-act="hit"]:not([aria-disabled])');
  assert.equal((await shown(page)).awaiting, 'decision', 'with every new card it is a new offer');
  assert.ok(Number(await page.getAttribute('body', 'data-hasty')) >= 2, 'both offers were answered hastily');
  await press(page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="wagers"]');
  await visitor.close();
});

test('a key that is held down acts once', async () => {
  const visitor = await sitDown('nj-blackjack', '5s 6h 6d Td 9c 2c 3c 4c');
  const { page } = visitor;
  await page.keyboard.press('2');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await page.keyboard.down('d');
  for (let times = 0; times < 30; times += 1) {
    await page.keyboard.down('d');
    await page.waitForTimeout(40);
  }
  await page.keyboard.up('d');
  await page.waitForSelector('.actions [data-act="hit"]');
  const seen = await shown(page);
  assert.equal(seen.awaiting, 'decision', 'dealt, and not doubled');
  assert.deepEqual(seen.hands[0].cards, ['5s', '6d']);
  // Nor does a held Enter on the focused button.
  await page.waitForSelector('.actions [data-act="hit"]:not([aria-disabled])');
  await page.focus('.actions [data-act="hit"]');
  for (let times = 0; times < 20; times += 1) {
    await page.keyboard.down('Enter');
    await page.waitForTimeout(40);
  }
  await page.keyboard.up('Enter');
  assert.ok((await shown(page)).hands[0].cards.length <= 3, 'one card for one press');
  await visitor.close();
});

test('on a phone the bar is as high whatever the coach says', async () => {
  for (const locale of ['en', 'es'])
    for (const viewport of [
      { width: 360, height: 640 },
      { width: 390, height: 844 },
    ]) {
      const query = new URLSearchParams({ play: '1', table: 'nj-blackjack', cards: '8s 6h 8d Td 3c 2c 9h Th 5s' });
      const visitor = await visit(browser, house, `/train?${query}`, { viewport, hasTouch: true, locale });
      const { page } = visitor;
      const bar = async () => (await page.locator('.bar').boundingBox()).height;
      await page.waitForSelector('[data-awaiting="wagers"]');
      const height = await bar();
      await page.tap('[data-box="1"] [data-area="main-0"]');
      await press(page, 'keyboard', 'deal');
      await press(page, 'keyboard', 'stand');
      await until(page, () => /56[.,]32/.test(document.querySelector('.bar .note').textContent));
      assert.equal(await bar(), height, `${locale} at ${viewport.width} x ${viewport.height}`);
      await visitor.close();
    }
});

test('at Switch every button is in the bar, Stand stays, and no chip covers a stake', async () => {
  for (const locale of ['en', 'es']) {
    const visitor = await sitDown('nj-switch', 'Ts 6s 6h 5d Td', { locale });
    const { page } = visitor;
    /** Looks at both sizes of a desktop. */
    const looked = async (look) => {
      const seen = {};
      for (const [width, height] of [
        [1920, 1080],
        [1440, 900],
      ]) {
        await page.setViewportSize({ width, height });
        seen[`${locale} at ${width} x ${height}`] = await look();
      }
      return seen;
    };
    const height = async () => (await page.locator('.bar').boundingBox()).height;
    const betting = await looked(height);
    for (const area of ['main-0', 'match']) await page.click(`[data-box="1"] [data-area="${area}"]`);
    await press(page, 'mouse', 'deal');
    await page.waitForSelector('.play [data-act="switch"]:not([aria-disabled])');
    const stand = await looked(() => place(page, 'stand'));
    await press(page, 'mouse', 'switch');
    await page.waitForSelector('.play [data-act="revoke"]:not([aria-disabled])');
    await page.waitForSelector('.side-results .pill');
    assert.equal(await page.locator('[data-place="play-switch"]').count(), 0, 'one of the two');
    assert.deepEqual(await looked(height), betting, 'the bar is as high as while betting');
    assert.deepEqual(await looked(() => place(page, 'stand')), stand, 'Stand is where it was');
    const amiss = await looked(() =>
      page.evaluate(() => {
        const rect = (part) => part.getBoundingClientRect();
        const all = (which) => Array.from(document.querySelectorAll(which), rect);
        const [bar, felt] = ['.bar', '.felt'].map((which) => rect(document.querySelector(which)));
        const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const stakes = all('.hand-stacks .stack, .hand-foot .total');
        const pill = rect(document.querySelector('.side-results .pill'));
        return [
          ...all('.bar .act').map((act) => act.right > bar.right - 4 && 'an action is beyond the bar'),
          ...all('.area .chip').map((chip) => stakes.some((stake) => overlap(chip, stake)) && 'a chip is on a stake'),
          stakes.some((stake) => overlap(pill, stake)) && 'the result is on a stake',
          // The rail is 14 px wide.
          pill.bottom > felt.bottom - 14 && 'the result is on the rail',
        ].filter(Boolean);
      }),
    );
    for (const [where, what] of Object.entries(amiss)) assert.deepEqual(what, [], where);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  }
});

test('on a phone held across no button lies on another or beyond the bar', async () => {
  for (const viewport of [
    { width: 844, height: 390 },
    { width: 640, height: 360 },
  ])
    for (const [table, cards] of [
      ['nj-blackjack', 'Ts 6h 6d Td 9c'],
      ['nj-switch', 'Ts 6s 6h 5d Td'],
    ]) {
      const visitor = await sitDown(table, cards, { viewport });
      const { page } = visitor;
      await page.click('[data-box="1"] [data-area="main-0"]');
      await press(page, 'mouse', 'deal');
      await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
      const amiss = await page.evaluate(() => {
        const bar = document.querySelector('.bar').getBoundingClientRect();
        const all = Array.from(document.querySelectorAll('.play .act'), (act) => [
          act.textContent,
          act.getBoundingClientRect(),
        ]);
        return all
          .filter(
            ([, a], at) =>
              a.right > bar.right - 4 ||
              all.some(
                ([, b], other) =>
                  other < at && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
              ),
          )
          .map(([text]) => text);
      });
      assert.deepEqual(amiss, [], `${table} at ${viewport.width} x ${viewport.height}`);
      await visitor.close();
    }
});

test('every act keeps its place through the phases of a round, and nothing jumps', async () => {
  const visitor = await sitDown('nj-blackjack', '8s 6h 8d 2c 3h Td Ts Jd Tc Qd');
  const { page } = visitor;
  const bar = async () => (await page.locator('.bar').boundingBox()).height;
  const slots = () =>
    page.$$eval('.slot', (all) =>
      Object.fromEntries(
        all.map((slot) => {
          const { x, y, width, height } = slot.getBoundingClientRect();
          return [slot.dataset.place, [x, y, width, height].map(Math.round).join(' ')];
        }),
      ),
    );
  const [height, places] = [await bar(), await slots()];
  const same = async (when) => {
    assert.equal(await bar(), height, `the bar is as high ${when}`);
    const now = await slots();
    for (const [name, at] of Object.entries(now)) {
      // Actions of another phase are hidden; when they come back, they are in the same place.
      if (at.endsWith(' 0 0')) continue;
      places[name] = places[name]?.endsWith(' 0 0') ? at : (places[name] ?? at);
      assert.equal(at, places[name], `${name} is where it was ${when}`);
    }
  };
  await page.click('[data-box="1"] [data-area="main-0"]');
  await same('with a chip laid');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('[data-act="split"]');
  await same('at the first decision');
  const split = await place(page, 'split');
  await press(page, 'mouse', 'split');
  await until(page, () => document.querySelectorAll('.box.mine .hand').length === 2);
  await page.waitForSelector('[data-act="stand"]');
  await same('after a split');
  const stand = await place(page, 'stand');
  assert.notDeepEqual(split, stand);
  await press(page, 'mouse', 'stand');
  await until(page, () => document.querySelector('.hand.asked')?.dataset.key === '2');
  assert.deepEqual(await place(page, 'stand'), stand, 'Stand is where it was');
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('[data-act="again"]');
  await same('when the round is over');
  await visitor.close();
});

test('an empty line leaves no gap before the links beside it', async () => {
  const visitor = await sitDown('nj-blackjack', 'As 6h Kd Td Tc');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.lesson [data-act="why"]');
  assert.equal(await page.textContent('.quiet-line'), '');
  assert.equal(await page.getAttribute('.quiet-line', 'aria-live'), 'polite');
  const there = await page.evaluate(() => document.querySelector('.quiet-line').checkVisibility());
  assert.ok(there, 'a live region is not hidden');
  const left = async (part) => (await page.locator(part).boundingBox()).x;
  assert.ok(Math.abs((await left('.lesson [data-act="why"]')) - (await left('.bar .status'))) < 1);
  await visitor.close();
});

test('undo takes back one chip, twice is twice', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 6d');
  const { page } = visitor;
  const laid = () => page.textContent('[data-box="1"] [data-area="main-0"] .area-text');
  await page.click('[data-chip="500"]');
  for (let chips = 0; chips < 4; chips += 1) await page.click('[data-box="1"] [data-area="main-0"]');
  const before = Number(await laid());
  await page.click('[data-act="undo"]');
  assert.equal(Number(await laid()), before - 5, 'one chip');
  await page.click('[data-act="twice"]');
  assert.equal(Number(await laid()), (before - 5) * 2);
  await page.click('[data-act="undo"]');
  assert.equal(Number(await laid()), before - 5);
  await page.click('[data-act="clear"]');
  assert.equal(await laid(), 'Bet');
  await visitor.close();
});

test('a bet above the maximum says so, and stays at the maximum', async () => {
  const visitor = await visit(browser, house, '/table/1');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const most = Number((await visitor.api('GET', '/api/tables/1')).body.card.maximum);
  const chips = page.locator('[data-chip]').last();
  const worth = Number(await chips.getAttribute('data-chip')) / 100;
  await chips.click();
  const area = '[data-box="2"] [data-area="main-0"]';
  for (let sum = 0; sum + worth <= most; sum += worth) await page.click(area);
  assert.equal(await page.locator('.toast').count(), 0, 'as much as is lawful');
  const told = `${most.toLocaleString('en')} is the maximum`;
  await page.click(area);
  await page.waitForSelector(`.toast:has-text("${told}")`);
  assert.equal(await page.getAttribute(area, 'aria-label'), `Box 2, Bet: ${most.toLocaleString('en')}`);
  await page.click('[data-act="clear"]');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('four hands of a split show forty chips, what is lost goes and what is won is paid', async () => {
  // 8 8 against 6: split three times, then 18, 17, 18 and 19 against a dealer who makes 18.
  const visitor = await sitDown('nj-blackjack', '8s 6h 8d 8c 8h Ts 9d Td Jd 2d Tc');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  const staked = () =>
    page.$$eval('.box.mine .hand-stacks [data-amount]', (all) =>
      all.reduce((sum, s) => sum + Number(s.dataset.amount), 0),
    );
  for (let hands = 2; hands <= 4; hands += 1) {
    await press(page, 'mouse', 'split');
    await until(page, (many) => document.querySelectorAll('.box.mine .hand').length === many, hands);
    assert.equal(await staked(), hands * 10, `${hands} hands`);
  }
  for (;;) {
    await until(page, () => document.querySelector('[data-act="stand"]:not([aria-disabled]), [data-act="again"]'));
    if (await page.$('[data-act="again"]')) break;
    await press(page, 'mouse', 'stand');
    await page.waitForTimeout(60);
  }
  const hands = await page.$$eval('.box.mine .hand', (all) =>
    all.map((hand) => ({
      net: Number(hand.querySelector('.pill').dataset.net),
      lies: Array.from(hand.querySelectorAll('.hand-stacks [data-amount]'), (s) => Number(s.dataset.amount)),
    })),
  );
  assert.equal(hands.length, 4);
  for (const { net, lies } of hands)
    assert.deepEqual(lies, net < 0 ? [] : net > 0 ? [10, net] : [10], `${net}: ${lies}`);
  await visitor.close();
});

test('who has asked for the cards is not told to ask for them, or to wait for others', async () => {
  // A pause in which a slow machine too finds the button.
  const own = await openHouse('[timings]\npause_ms = 8000\ndecision_ms = 120000\n[[table]]\nrules = "nj-blackjack"\n');
  const visitor = await visit(browser, own, '/table/1');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  for (let step = 0; step < 9 && !(await page.locator('[data-act="again"]').count()); step += 1) {
    const answer = page.locator('.play :is([data-act="stand"], [data-act="decline"]):not([aria-disabled])');
    await answer.or(page.locator('[data-act="again"]:not([aria-disabled])')).first().waitFor();
    if (await answer.count()) await answer.click();
  }
  await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
  const { round } = await shown(page);
  await press(page, 'mouse', 'again');
  // During the pause after a round nothing is asked.
  await until(page, () => /Dealing/.test(document.querySelector('.status').textContent));
  assert.equal(await page.locator('[data-act="deal"]').count(), 0, 'Deal is not offered again');
  await begun(page, round);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  await own.close();
});

test('the focus waits where it was while nothing is asked, and goes to what is asked then', async () => {
  const visitor = await visit(browser, house, '/table/4');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const held = () =>
    page.evaluate(() => {
      const { activeElement: now } = document;
      return now?.closest('.bar') && !now.matches(':disabled') ? now.textContent : `lost at ${now?.tagName}`;
    });
  // After the last chip is taken back, Undo has nothing left to do but keeps the focus.
  await page.focus('[data-box="2"] [data-area="main-0"]');
  await page.keyboard.press('2');
  await page.focus('[data-act="undo"]');
  await page.keyboard.press('Enter');
  await until(page, () => !document.querySelector('.area.filled'));
  await page.waitForTimeout(100);
  assert.match(await held(), /Undo/);
  await page.focus('[data-box="2"] [data-area="main-0"]');
  await page.keyboard.press('2');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await page.focus('[data-act="deal"]');
  for (let round = 0; round < 4; round += 1) {
    const before = (await shown(page)).round;
    await page.keyboard.press('Enter');
    // Check every frame from the bet to the end of the round.
    await page.evaluate(() => {
      window.lost = [];
      window.watch = () => {
        const { activeElement: now } = document;
        if (!now?.closest('.bar')) window.lost.push(document.querySelector('.status').textContent);
        window.frame = requestAnimationFrame(window.watch);
      };
      window.watch();
    });
    await begun(page, before);
    while ((await shown(page)).awaiting !== 'wagers') {
      await page.waitForSelector('.play [data-act]:not([aria-disabled]), [data-awaiting="wagers"]');
      assert.doesNotMatch(await held(), /^lost/);
      await page.keyboard.press('n');
      await page.keyboard.press('s');
      await page.waitForTimeout(30);
    }
    await page.waitForSelector('[data-act="again"]:not([aria-disabled])');
    assert.match(await held(), /Rebet/);
    const lost = await page.evaluate(() => {
      cancelAnimationFrame(window.frame);
      return window.lost;
    });
    assert.deepEqual(lost, [], 'the focus never goes to the top of the page');
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('chips are chosen with the arrow keys, and are one stop for the Tab key', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 6d');
  const { page } = visitor;
  await page.focus('.rack [aria-checked="true"]');
  const chosen = () =>
    page.evaluate(() => [document.activeElement?.dataset.chip, document.querySelector('.rack .on').dataset.chip]);
  const [before] = await chosen();
  await page.keyboard.press('ArrowRight');
  const [now, on] = await chosen();
  assert.ok(Number(now) > Number(before), `${now} after ${before}`);
  assert.equal(on, now, 'what has the focus is chosen');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual(await chosen(), [before, before]);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => Boolean(document.activeElement?.closest('.rack'))), false, 'one stop');
  await visitor.close();
});
