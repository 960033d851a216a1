// The felt: a color for every family, boxes turned towards the dealer, the shoe with its cut card, cards as large as
// the number of players allows; motion that a press ends at once, a balance that counts, and panels that explain
// results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { openHouse, visit } from '../house.js';
import { deal, finish, press, shown, until } from '../play.js';
import { browser, house } from '../site.js';

/** The window sizes under test. */
const SIZES = [
  [1440, 900],
  [1920, 1080],
  [390, 844],
  [844, 390],
  [360, 640],
];

/** Opens a training table with these cards next. */
async function sitDown(table, cards, more = {}) {
  const query = new URLSearchParams({ play: '1', table, cards });
  const visitor = await visit(browser, house, `/train?${query}`, more);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  return visitor;
}

test('every family has its cloth, and what is printed lies on an arc', async () => {
  const visitor = await visit(browser, house, '/table/1');
  const { page } = visitor;
  const cloths = new Set();
  for (const table of [1, 6, 8, 9]) {
    await page.goto(`/table/${table}`);
    await page.waitForSelector('[data-awaiting="wagers"]');
    cloths.add(await page.$eval('.felt', (felt) => getComputedStyle(felt).getPropertyValue('--cloth-2')));
    const arcs = await page.$$eval('.print .arc', (all) => all.map((arc) => arc.getAttribute('d')));
    assert.ok(arcs.length > 1 && arcs.every((d) => /^M.*Q/.test(d ?? '')), `${arcs}`);
  }
  assert.equal(cloths.size, 4, [...cloths].join());
  // In the lobby and in the drills a game has the color of its table.
  const cloth = (part) => page.$eval(part, (on) => getComputedStyle(on).getPropertyValue('--cloth-2'));
  await page.goto('/');
  await page.waitForSelector('.lobby .games');
  const listed = await page.$$eval('.lobby .game', (all) =>
    all.map((panel) => getComputedStyle(panel).getPropertyValue('--cloth-2')),
  );
  assert.deepEqual([...new Set(listed)], [...cloths]);
  const drilled = [];
  for (const table of ['nj-blackjack', 'nj-switch', 'nj-double-attack', 'nj-triple-attack']) {
    await page.goto(`/train?table=${table}`);
    await page.waitForSelector('.train-felt cut-card');
    drilled.push(await cloth('.train-felt'));
  }
  assert.deepEqual(drilled, [...cloths]);
  await visitor.close();
});

test('boxes lie on a curve inside the rail, and the shoe tells how full it is', async () => {
  const visitor = await visit(browser, house, '/table/1');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const turns = await page.$$eval('.box', (all) =>
    all.map((box) => Number.parseFloat(box.style.getPropertyValue('--turn'))),
  );
  assert.ok(turns[0] > 8 && turns.at(-1) < -8, `the outer boxes look at the dealer: ${turns}`);
  // Every betting area and name is on the felt: within its ellipse, less the rail.
  const outside = () =>
    page.evaluate(() => {
      const felt = document.querySelector('.felt').getBoundingClientRect();
      const [a, b] = [felt.width * 0.46, felt.height * 0.38];
      const off = [];
      for (const part of document.querySelectorAll('.area, .box-foot .box-name')) {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        // The lower edge is nearest to the rail.
        const y = bottom - (bottom - top) / 4;
        const deep = Math.max(0, (y - (felt.bottom - b)) / b);
        const room = felt.width / 2 - a + a * Math.sqrt(Math.max(0, 1 - deep * deep)) - 14;
        const x = Math.abs((left + right) / 2 - (felt.left + felt.right) / 2) + (right - left) / 4;
        if (x > room) off.push(part.textContent);
      }
      return off;
    });
  for (const [width, height] of [
    [1440, 900],
    [1920, 1080],
    [1100, 800],
  ]) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(100);
    assert.deepEqual(await outside(), [], `nothing lies on the rail at ${width} x ${height}`);
  }
  const { shoe } = (await visitor.api('GET', '/api/tables/1')).body.view;
  assert.ok(shoe.behind_cutting_card > 0);
  const told = await page.getAttribute('.shoe', 'aria-label');
  assert.equal(told, `Shoe: ${shoe.left} cards, ${shoe.behind_cutting_card} behind the cut card`);
  assert.match(
    await page.getAttribute('.discards', 'aria-label'),
    new RegExp(`${shoe.discards} ${shoe.discards === 1 ? 'card' : 'cards'}\\b`),
  );
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a double lies across, and a blackjack has its badge', async () => {
  const visitor = await sitDown('nj-blackjack', '6s 6h 5d Td Tc As Kd');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('[data-act="double"]');
  await press(page, 'mouse', 'double');
  await page.waitForSelector('.cards.doubled');
  const across = await page.locator('.box.mine cut-card').last().boundingBox();
  assert.ok(across.width > across.height, 'the card of the double lies across');
  await visitor.close();
  const other = await sitDown('nj-blackjack', 'As 6h Kd Tc Kc');
  await other.page.click('[data-box="1"] [data-area="main-0"]');
  await press(other.page, 'mouse', 'deal');
  await other.page.waitForSelector('.box.mine .badge:has-text("Blackjack")');
  await other.close();
});

test('the cards of one player are as large as their game has room for', async () => {
  for (const [table, cards, areas, acts, desktop, phone] of [
    ['nj-blackjack', '6s 6h 5d', ['main-0'], [], 128, 105],
    // Marked circles for the later bets, with results on their rims, take height from the hand.
    ['nj-double-attack', '6h Ks 9d', ['main-0'], ['attack'], 120, 105],
    ['nj-triple-attack', '5s 6h 6d', ['main-0'], ['attack', 'attack'], 120, 105],
    // So do the totals of the dealer's three hands.
    ['nj-multiple-action', 'Ks 6h Qd', ['main-0', 'main-1', 'main-2'], [], 120, 105],
    // Two hands have their totals below them, and side by side they fill the width of a phone.
    ['nj-switch', 'Ts 6s 6h 5d Td', ['main-0'], [], 113, 66],
  ]) {
    const { page, close } = await sitDown(table, cards);
    for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
    for (const act of ['deal', ...acts]) await press(page, 'mouse', act);
    await until(page, () => document.querySelectorAll('.box.mine .hand cut-card').length >= 2);
    for (const [least, width, height] of [
      [desktop, 1440, 900],
      [phone, 390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      const card = await page.locator('.box.mine cut-card').first().boundingBox();
      assert.ok(card.width >= least, `${table}: ${card.width} px at ${width} x ${height}`);
    }
    await close();
  }
});

test('two cards and the dealer’s lie within 900 ms, and a press ends all motion', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 2d 3d 9c 2c', { still: false });
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await page.evaluate(() => {
    const felt = document.querySelector('.felt');
    new MutationObserver(() => {
      const cards = felt.querySelectorAll('.box.mine cut-card, .dealer-hand cut-card').length;
      if (cards && !window.first) window.first = performance.now();
      if (cards === 3 && !window.third) {
        window.third = performance.now();
        requestAnimationFrame(() => {
          window.longest = Math.max(...felt.getAnimations({ subtree: true }).map((a) => a.effect.getTiming().duration));
        });
      }
    }).observe(felt, { childList: true, subtree: true });
  });
  await press(page, 'mouse', 'deal');
  await until(page, () => window.longest !== undefined);
  const { took, longest } = await page.evaluate(() => ({ took: window.third - window.first, longest: window.longest }));
  assert.ok(took + 380 < 900, `${took} ms between the first card and the third`);
  assert.ok(longest <= 400, `${longest} ms`);
  await press(page, 'keyboard', 'hit');
  await until(page, () => document.querySelectorAll('.box.mine cut-card').length === 3);
  await page.mouse.move(5, 5);
  await page.mouse.down();
  const moving = await page.evaluate(
    () =>
      document
        .querySelector('.felt')
        .getAnimations({ subtree: true })
        .filter((a) => a.playState === 'running').length,
  );
  await page.mouse.up();
  assert.equal(moving, 0, 'nothing moves any more');
  assert.equal(await page.locator('cut-card.unturned').count(), 0, 'and every card is turned');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a new answer is disabled until it can have been seen', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 2d 3d 9c 2c', { still: false });
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await page.evaluate(() => {
    new MutationObserver(() => {
      const hit = document.querySelector('.play [data-act="hit"]');
      if (hit) window.disabled ??= hit.hasAttribute('aria-disabled');
    }).observe(document.querySelector('.bar'), { childList: true, subtree: true, attributes: true });
  });
  await press(page, 'mouse', 'deal');
  await until(page, () => window.disabled !== undefined);
  assert.equal(await page.evaluate(() => window.disabled), true, 'when it appears');
  await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the balance counts to its new value, and ends there', async () => {
  const visitor = await visit(browser, house, '/table/1', { still: false });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.evaluate(() => {
    window.seen = new Set();
    const balance = document.querySelector('#balance');
    new MutationObserver(() => window.seen.add(balance.textContent)).observe(balance, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await page.click('[data-chip="10000"]');
  await page.click('[data-box="2"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await until(page, () => window.seen.size > 2);
  await finish(visitor, 1, 'mouse');
  const { play } = (await visitor.api('GET', '/api/me')).body;
  await until(
    page,
    (text) => Number(document.querySelector('#balance').textContent.replace(/,/g, '')) === Number(text),
    play,
  );
  await visitor.close();
});

test('a switch is shown before it is made, and why a hand lost is said in a line', async () => {
  const visitor = await sitDown('nj-switch', 'Ts 6s 6h 5d Td 9c Kc');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.quiet-line:has-text("15 and 16 become 20 and 11")');
  await visitor.close();
  const other = await sitDown('nj-blackjack', 'Ts 6h 5d Kd');
  await other.page.click('[data-box="1"] [data-area="main-0"]');
  await press(other.page, 'mouse', 'deal');
  await press(other.page, 'mouse', 'hit');
  await other.page.click('.box.mine .pill');
  await other.page.waitForSelector('.why-panel .why-head:has-text("Your hand busts with 25")');
  assert.equal(await other.page.locator('dialog').count(), 0, 'a small panel, and no dialog');
  assert.equal(await other.page.locator('.why-panel .clause').count(), 1, 'the clause once');
  assert.deepEqual(await findings(other.page), []);
  await other.page.keyboard.press('Escape');
  await other.page.waitForSelector('.why-panel', { state: 'detached' });
  assert.equal(await other.page.locator('.recent .pill').count(), 1, 'the round is among the last ones');
  await other.close();
});

test('three rounds won in a row have a mark; nothing sounds before it is switched on; a press is felt', async () => {
  const blackjacks = ['6h', '7h', '8h', '9h'].map((up) => `As ${up} Kd`).join(' ');
  const visitor = await sitDown('nj-blackjack', blackjacks);
  const { page } = visitor;
  await page.evaluate(() => {
    window.sounds = 0;
    window.felt = [];
    for (const make of ['createOscillator', 'createBufferSource']) {
      const made = AudioContext.prototype[make];
      AudioContext.prototype[make] = function () {
        window.sounds += 1;
        return made.call(this);
      };
    }
    navigator.vibrate = (ms) => window.felt.push(ms);
  });
  const round = async (nth) => {
    await page.click('[data-box="1"] [data-area="main-0"]');
    await press(page, 'mouse', 'deal');
    await until(page, (n) => document.querySelectorAll('.recent .pill.win').length === n, nth);
  };
  await round(1);
  assert.equal(await page.evaluate(() => window.sounds), 0, 'quiet until somebody wants it otherwise');
  assert.ok((await page.evaluate(() => window.felt.length)) > 0, 'a press is felt in the hand');
  await page.evaluate(async () => (await import('/page/shared/ui.js')).prefer('sound', 40));
  await round(2);
  assert.equal(await page.locator('.recent .badge').count(), 0, 'two are no streak');
  const heard = await page.evaluate(() => window.sounds);
  assert.ok(heard >= 5, `three cards, chips and a win sound: ${heard}`);
  await page.evaluate(async () => (await import('/page/shared/ui.js')).prefer('touch', 'off'));
  const before = await page.evaluate(() => window.felt.length);
  await round(3);
  assert.equal(await page.evaluate(() => window.felt.length), before, 'nothing is felt once it is off');
  assert.match(await page.textContent('.recent .badge'), /3 in a row/);
  await visitor.close();
});

test('a right click takes one chip back', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 5d Kd');
  const { page } = visitor;
  const area = page.locator('[data-box="1"] [data-area="main-0"]');
  for (let chips = 0; chips < 3; chips += 1) await area.click();
  const laid = async () => Number(await page.textContent('[data-box="1"] [data-area="main-0"] .area-text'));
  const before = await laid();
  await area.click({ button: 'right' });
  assert.equal(await laid(), before - 5);
  await visitor.close();
});

test('one’s own play, looked at afterwards', async () => {
  const visitor = await visit(browser, house, '/table/1');
  const { page } = visitor;
  let round = 0;
  // Play until a round includes a decision.
  for (;;) {
    round = await deal(visitor, 3, 'mouse');
    const { actions } = await shown(page);
    await finish(visitor, 1, 'mouse');
    if (actions.includes('stand')) break;
  }
  const { body } = await visitor.api('GET', `/api/tables/1/rounds/${round}/analysis`);
  assert.ok(body.decisions.length > 0);
  for (const { cost, best, chosen, values } of body.decisions) {
    assert.ok(cost >= 0 && best && chosen);
    if (values.length) {
      const of = (name) => values.find((value) => value.action === name).ev;
      assert.ok(Math.abs(of(best) - of(chosen) - cost) < 1e-9, 'the cost is the difference');
    }
  }
  await page.goto(`/round/1/${round}`);
  await page.waitForSelector('.analysis [data-cost]', { timeout: 30_000 });
  assert.equal(await page.locator('.choices-made li').count(), body.decisions.length);
  assert.equal(await page.getAttribute('.analysis [data-cost]', 'data-cost'), body.cost.toFixed(6));
  await page.click('.choices-made summary');
  const practise = await page.getAttribute('.choices-made a:has-text("Practice")', 'href');
  assert.match(practise, /\/train\?play=1&table=nj-blackjack&cards=/);
  assert.deepEqual(await findings(page), []);
  await page.goto('/history');
  await page.click('[data-act="analyse"]');
  await page.waitForSelector('.luck svg', { timeout: 30_000 });
  assert.match(await page.textContent('.figures'), /Accuracy/);
  // The graph has a scale: the same amounts above and below zero, and the number of rounds.
  const marks = await page.$$eval('.luck .mark', (all) => all.map((mark) => mark.textContent));
  const amounts = marks.slice(0, -2).map((text) => Number(text.replace('−', '-').replace(/[+,]/g, '')));
  assert.ok(amounts.length >= 3 && amounts.includes(0), `${marks}`);
  assert.deepEqual(amounts, amounts.map((amount) => 0 - amount).toReversed(), 'as far up as down');
  const { items } = (await visitor.api('GET', '/api/me/rounds?limit=50')).body;
  assert.match(marks.at(-1), new RegExp(`^${items.length} round`));
  const sums = items
    .toReversed()
    .reduce((all, r) => [...all, (all.at(-1) ?? 0) + Number(r.returned) - Number(r.staked)], []);
  assert.ok(Math.max(...amounts) >= Math.max(...sums.map(Math.abs)), 'and nothing lies beyond it');
  // One session alone.
  await page.selectOption('[name="sitting"]', '0');
  await page.click('[data-act="analyse"]:not([disabled])');
  await page.waitForSelector('.luck svg', { timeout: 30_000 });
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('nobody is told about a round that is in play, nor about another’s', async () => {
  const visitor = await visit(browser, house, '/table/2');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const { round } = await shown(page);
  const { status } = await visitor.api('GET', `/api/tables/2/rounds/${round}/analysis`);
  assert.equal(status, 404);
  await visitor.close();
});

/** Returns the letters of the inscriptions that are under a card or a hand. */
const covered = (page) =>
  page.evaluate(() => {
    const over = Array.from(document.querySelectorAll('.hand:has(cut-card), .dealer-hand cut-card'), (part) =>
      part.getBoundingClientRect(),
    );
    const letters = [];
    for (const text of document.querySelectorAll('.inscription')) {
      const ctm = text.getScreenCTM();
      for (let at = 0; at < text.getNumberOfChars(); at += 1) {
        const { x, y, width, height } = text.getExtentOfChar(at);
        const middle = new DOMPoint(x + width / 2, y + height / 2).matrixTransform(ctm);
        const under = (r) => middle.x > r.left && middle.x < r.right && middle.y > r.top && middle.y < r.bottom;
        if (over.some(under)) letters.push(text.textContent[at]);
      }
    }
    return letters.join('');
  });

const IN_PLAY = [
  ['nj-blackjack', '8s 6h 8d 8c 3h Td Ts', ['main-0'], ['split', 'split']],
  ['nj-multiple-action', 'Ks 6h 5d', ['main-0', 'main-1', 'main-2'], []],
  ['nj-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match'], ['switch']],
  ['nj-double-attack', '6h Ks 9d Kc Qh Jh', ['main-0'], ['attack']],
  ['nj-triple-attack', '5s 6h 6d', ['main-0'], ['attack', 'attack']],
];

test('no hand lies on what is printed, at any size', async () => {
  for (const [table, cards, areas, acts] of IN_PLAY) {
    const visitor = await sitDown(table, cards);
    const { page } = visitor;
    for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
    await press(page, 'mouse', 'deal');
    for (const act of acts) await press(page, 'mouse', act);
    await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.waitForTimeout(60);
      assert.equal(await covered(page), '', `${table} at ${width} x ${height}`);
    }
    await visitor.close();
  }
});

test('insurance lies on its band between the hand and the dealer', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts Ah 9d 5c 8c 9c');
  const { page } = visitor;
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await press(page, 'mouse', 'insure');
  await page.waitForSelector('.insurance-band .stack');
  const top = async (part) => (await page.locator(part).first().boundingBox()).y;
  const [dealer, band, hand] = await Promise.all(
    ['.dealer-hand cut-card', '.insurance-band .stack', '.box.mine cut-card'].map(top),
  );
  assert.ok(dealer < band && band < hand, `${dealer} < ${band} < ${hand}`);
  const lies = () =>
    page.evaluate(() => {
      const chips = document.querySelector('.insurance').getBoundingClientRect();
      return Array.from(document.querySelectorAll('.inscription'), (line) => [line, line.getBoundingClientRect()])
        .filter(([, on]) => on.bottom - chips.top > 3 && chips.bottom - on.top > 3 && on.right > chips.left)
        .map(([line]) => line.textContent);
    });
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(60);
    assert.deepEqual(await lies(), [], `insurance covers nothing that is printed at ${width} x ${height}`);
  }
  assert.equal(await page.textContent('.insurance'), '5', 'its sum is told once');
  await visitor.close();
});

test('insurance is printed last, on a band of its own, whatever else is printed', async () => {
  const visitor = await sitDown('nj-double-attack', '6h Ks 9d Kc Qh Jh');
  const { page } = visitor;
  const lines = await page.$$eval('.inscription textPath', (all) => all.map((line) => line.textContent));
  assert.match(lines.at(-1), /^Insurance/);
  const band = await page.locator('.print .band').boundingBox();
  const text = await page.locator('.inscription').last().boundingBox();
  assert.ok(band.y < text.y + 4 && band.y + band.height > text.y + text.height - 4, JSON.stringify({ band, text }));
  await visitor.close();
});

test('the index of a court stands free of its picture, and no court is like another', async () => {
  const visitor = await visit(browser, house, '/train');
  const { page } = visitor;
  await page.waitForSelector('cut-card');
  for (const suit of 'shdc') {
    const seen = await page.evaluate((of) => {
      const drawn = (card) => {
        const element = document.createElement('cut-card');
        element.setAttribute('card', card);
        element.style.width = '63px';
        document.body.append(element);
        const [index, frame, figure] = ['.rank', '.frame', 'g'].map((part) => element.querySelector(part));
        const [a, b] = [index.getBBox(), frame.getBBox()];
        const [on, in_] = [figure.getBoundingClientRect(), frame.getBoundingClientRect()];
        const told = {
          card,
          free: a.x + a.width <= b.x,
          framed: on.left >= in_.left - 0.5 && on.right <= in_.right + 0.5,
          shapes: Array.from(figure.querySelectorAll('.gold'), (path) => path.getAttribute('d')).join(),
        };
        element.remove();
        return told;
      };
      return ['K', 'Q', 'J'].map((rank) => drawn(rank + of));
    }, suit);
    assert.deepEqual(
      seen.filter(({ free, framed }) => !free || !framed),
      [],
    );
    assert.equal(new Set(seen.map(({ shapes }) => shapes)).size, 3);
  }
  await visitor.close();
});

test('in a stack the last chip lies on top', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 9d Tc Kc');
  const { page } = visitor;
  for (const worth of [10000, 2500, 500]) {
    await page.click(`[data-chip="${worth}"]`);
    await page.click('[data-box="1"] [data-area="main-0"]');
  }
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
  const top = await page.$eval('.box.mine .stack-chips', (chips) => {
    chips.style.pointerEvents = 'auto';
    // Whatever covers the lowest chip is above its middle.
    const { left, right, top, height } = chips.firstElementChild.getBoundingClientRect();
    const found = document.elementFromPoint((left + right) / 2, top + height / 3);
    return found.closest('.chip')?.getAttribute('class');
  });
  assert.match(top, /chip-1/, 'the red one, not the black one that lies lowest');
  await visitor.close();
});

test('the ring has its number in the last five seconds', async () => {
  const own = await openHouse('[timings]\ndecision_ms = 7000\n[[table]]\nrules = "nj-blackjack"\n');
  const visitor = await visit(browser, own, '/table/1');
  const { page } = visitor;
  for (let tries = 0; tries < 6; tries += 1) {
    await deal(visitor, 2, 'mouse');
    await until(page, () => document.querySelector('.actions [data-act], [data-awaiting="wagers"]'));
    if ((await page.getAttribute('.table-page', 'data-awaiting')) === 'decision') break;
    await finish(visitor, 1, 'mouse');
  }
  await page.waitForSelector('.hand.asked');
  assert.equal(await page.$('[data-left]'), null, 'no number before that');
  await page.waitForSelector('.hand.asked[data-left="5"], .hand.asked[data-left="4"]', { timeout: 5000 });
  await visitor.close();
  await own.close();
});

test('a second of dealing is less than a second of work for a phone four times slower', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts 6h 2d 3d 9c 2c', {
    still: false,
    viewport: { width: 390, height: 844 },
  });
  const { page } = visitor;
  const client = await visitor.context.newCDPSession(page);
  // The page's own work by the clock of its thread: other load on this machine does not count.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  // Work that is always the same tells how fast this machine is now.
  const yardstick = async () => {
    const before = await worked();
    await page.evaluate(() => {
      const rows = document.createElement('div');
      rows.style.cssText = 'position: fixed; visibility: hidden; width: 600px';
      document.body.append(rows);
      for (let row = 0; row < 1000; row += 1) {
        rows.append(Object.assign(document.createElement('p'), { textContent: `${row} `.repeat(50) }));
        if (row % 50 === 0) rows.getBoundingClientRect();
      }
      rows.remove();
    });
    return (await worked()) - before;
  };
  const frames = () =>
    page.evaluate(
      () =>
        new Promise((done) => {
          const from = performance.now();
          let many = 0;
          const step = () => {
            many += 1;
            if (performance.now() - from < 1000) requestAnimationFrame(step);
            else done(many);
          };
          requestAnimationFrame(step);
        }),
    );
  const yards = [await yardstick()];
  await page.click('[data-box="1"] [data-area="main-0"]');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  const before = await worked();
  const counted = frames();
  await page.keyboard.press('d');
  const shown = await counted;
  const spent = (await worked()) - before;
  yards.push(await yardstick());
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.click('[data-act="stand"]:not([aria-disabled])');
  const slow = await frames();
  console.log(
    `a second of dealing: ${shown} frames, ${spent.toFixed(0)} ms of work, ${yards.map(Math.round)} ms a yardstick; ${slow} frames a second at a quarter of the speed`,
  );
  // Where this was made the yardstick takes 95 ms.
  const slower = Math.max(1, yards.reduce((sum, ms) => sum + ms / yards.length, 0) / 95);
  assert.ok(spent * 4 < 1000 * slower, `${spent} ms of work in a second of motion, where the yardstick takes ${yards}`);
  await visitor.close();
});
