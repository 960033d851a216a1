// Drills on every kind of hand, and whole rounds with the coach: exact values on request, a verdict after the choice, a
// score.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { press, until } from '../play.js';
import { browser, house } from '../site.js';

const value = (text) => text.replace('−', '-').replace('+', '');

/** Returns the cards that a drill shows. */
const scene = (page) =>
  page.evaluate(() => {
    const cards = (row) =>
      Array.from(row?.querySelectorAll('cut-card') ?? [], (c) => c.getAttribute('card')).filter(Boolean);
    const [hand, hand2] = document.querySelectorAll('.train-hands .train-row');
    return { up: cards(document.querySelector('.train-felt > .train-row')), hand: cards(hand), hand2: cards(hand2) };
  });

const points = (cards) => cards.map((card) => ('TJQK'.includes(card[0]) ? 'T' : card[0]));

/** Each drill: a table, its kind, a choice by key, and a test that every hand of it must pass. */
const DRILLS = [
  ['nj-blackjack', 'hard', 's', ({ hand }) => !points(hand).includes('A') && new Set(points(hand)).size === 2],
  ['nj-blackjack', 'soft', 's', ({ hand }) => points(hand).includes('A') && new Set(points(hand)).size === 2],
  ['nj-blackjack', 'pairs', 's', ({ hand }) => new Set(points(hand)).size === 1],
  ['nj-blackjack', 'insurance', 'n', ({ up }) => up[0][0] === 'A'],
  ['nj-switch', 'switch', 'n', ({ hand, hand2 }) => hand.length === 2 && hand2.length === 2],
  ['ma-switch', 'switch', 'w', ({ hand, hand2 }) => hand.length === 2 && hand2.length === 2],
  ['nj-double-attack', 'attack', 'a', ({ up, hand }) => up.length === 1 && hand.length === 0],
  ['nj-triple-attack', 'attack', 'n', ({ up, hand }) => up.length <= 1 && hand.length === 1],
];

for (const [table, kind, key, fits] of DRILLS) {
  test(`a drill on ${kind} at ${table}`, async () => {
    const visitor = await visit(browser, house, `/train?table=${table}&kind=${kind}`);
    const { page } = visitor;
    for (let hands = 1; hands <= 2; hands += 1) {
      await page.waitForSelector('[data-act="ask"]');
      const cards = await scene(page);
      assert.ok(fits(cards), `${kind}: ${JSON.stringify(cards)}`);
      const asked = { table, hand: cards.hand.join(' '), hand2: cards.hand2.join(' '), up: cards.up.join(' ') };
      const told = (await visitor.api('POST', '/api/coach', asked)).body;
      const insure = [
        { action: 'insure', ev: told.insurance },
        { action: 'decline', ev: 0 },
      ];
      const list = { switch: told.switch, attack: told.attack, insurance: insure }[kind] ?? told.actions;
      const values = list.toSorted((a, b) => b.ev - a.ev).map((o) => o.ev.toFixed(5));
      const shown = () => page.$$eval('.values tbody tr', (all) => all.map((row) => row.children[1].textContent));
      // The coach speaks on request, and after the choice.
      assert.equal(await page.$('.values'), null, 'nothing is told before');
      if (hands === 1) {
        await page.click('[data-act="ask"]');
        await page.waitForSelector('.values');
        assert.deepEqual((await shown()).map(value), values);
      }
      await page.keyboard.press(key);
      await page.waitForSelector('[data-act="next"]');
      assert.deepEqual((await shown()).map(value), values);
      const chosen = await page.textContent('.values .chosen td');
      const cost = Number(values[0]) - Number(value(await page.textContent('.values .chosen td:nth-child(2)')));
      const verdict = await page.textContent('.coach-words .status');
      assert.match(verdict, cost === 0 ? /^Correct/ : new RegExp(`is correct. ${chosen} costs`));
      assert.equal(await page.textContent('[data-hands]'), String(hands));
      if (hands === 1) assert.deepEqual(await findings(page), []);
      await page.keyboard.press('Enter');
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });
}

test('a hand that was wrong comes again soon, and is remembered after the page is closed', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=pairs');
  const { page } = visitor;
  let wrong = null;
  const seen = [];
  for (let hands = 0; hands < 14; hands += 1) {
    await page.waitForSelector('[data-act="ask"]');
    const { hand, up } = await scene(page);
    const name = `${points(hand).join('')} ${points(up)}`;
    seen.push(name);
    const order = await page.$$eval('.actions [data-act]', (all) => all.map((act) => act.dataset.act));
    assert.deepEqual(order.slice(0, 2), ['stand', 'hit'], 'in the order of the table');
    // The first hand gets the worst answer, all others the best.
    const told = (
      await visitor.api('POST', '/api/coach', { table: 'nj-blackjack', hand: hand.join(' '), up: up.join(' ') })
    ).body.actions;
    const choice = wrong ? told[0].action : told.at(-1).action;
    wrong ??= name;
    await page.click(`[data-act="${choice}"]`);
    await page.waitForSelector('[data-act="next"]');
    await page.keyboard.press('Enter');
  }
  assert.ok(seen.lastIndexOf(wrong) > 0, `${wrong} comes again among ${seen.join(', ')}`);
  await page.goto('/train?table=nj-blackjack&kind=any');
  await page.waitForSelector('.progress .days i');
  assert.match(await page.getAttribute('.days', 'aria-label'), /14 hands/);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the chart to peek at reads 2 to 10, then the ace; who asks first does not know the hand yet', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=hard');
  const { page } = visitor;
  /** Answers as the coach would. Returns the number of hands and the share of them that are known. */
  const answer = async () => {
    const { hand, up } = await scene(page);
    const asked = { table: 'nj-blackjack', hand: hand.join(' '), up: up.join(' ') };
    const [best] = (await visitor.api('POST', '/api/coach', asked)).body.actions;
    await page.click(`.actions [data-act="${best.action}"]`);
    await page.waitForSelector('[data-act="next"]');
    return page.$$eval('.score dd', (all) => all.slice(0, 2).map((one) => Number.parseFloat(one.textContent)));
  };
  const next = async () => {
    await page.click('[data-act="next"]');
    await page.waitForSelector('[data-act="ask"]');
  };
  await page.waitForSelector('[data-act="ask"]');
  assert.deepEqual(await answer(), [1, 100], 'known without help');
  await next();
  await page.click('[data-act="ask"]');
  await page.waitForSelector('.values');
  assert.deepEqual(await answer(), [2, 50], 'not after the coach was asked');
  await next();
  await page.click('[data-act="chart"]');
  await page.waitForSelector('.train-chart .strategy', { timeout: 60_000 });
  const columns = await page.$eval('.train-chart .strategy', (chart) =>
    Array.from(chart.querySelectorAll('thead th'), (head) => head.textContent),
  );
  assert.deepEqual(columns, ['2', '3', '4', '5', '6', '7', '8', '9', '10', 'A']);
  assert.deepEqual((await answer()).map(Math.round), [3, 33], 'nor after a look at the chart');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('in a drill the focus goes on to what is next, and Enter belongs to what has it', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=hard');
  const { page } = visitor;
  const at = () =>
    page.evaluate(() => document.activeElement?.dataset.act ?? document.activeElement?.className ?? 'nowhere');
  await page.waitForSelector('[data-act="ask"]');
  await page.focus('[data-act="stand"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-act="next"]');
  assert.equal(await at(), 'next', 'the answer is given, the next hand is one press away');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-act="ask"]');
  assert.equal(await at(), 'status', 'the question is read before anything can be pressed');
  await page.keyboard.press('Tab');
  assert.equal(await at(), 'stand');
  // A held key gives one answer, and requests no other hand.
  for (let times = 0; times < 6; times += 1) {
    await page.keyboard.down('Enter');
    await page.waitForTimeout(60);
  }
  await page.keyboard.up('Enter');
  assert.equal(await page.textContent('[data-hands]'), '2');
  assert.equal(await at(), 'next');
  // A link elsewhere works after an answer.
  await page.focus('nav a[href="/lab"]');
  await page.keyboard.press('Enter');
  await until(page, () => location.pathname === '/lab');
  // The second of two quick clicks decides nothing: neither about the next hand nor about the verdict.
  await page.goto('/train?table=nj-blackjack&kind=hard');
  await page.waitForSelector('[data-act="ask"]');
  await page.dblclick('[data-act="stand"]');
  await page.waitForTimeout(300);
  assert.equal(await page.locator('[data-act="next"]').count(), 1, 'the verdict is there to be read');
  await page.dblclick('[data-act="next"]', { delay: 30 });
  await page.waitForTimeout(300);
  assert.equal(await page.textContent('[data-hands]'), '1', 'nobody answered the hand that came');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

for (const locale of ['en', 'es'])
  test(`hand, verdict and what is next are in sight at every size, and the score moves nothing, in ${locale}`, async () => {
    const visitor = await visit(browser, house, '/', { locale });
    const { page } = visitor;
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
      [360, 640],
      [844, 390],
    ]) {
      await page.setViewportSize({ width, height });
      for (const [table, kind] of [
        ['nj-multiple-action', 'pairs'],
        ['nj-switch', 'any'],
      ]) {
        await page.goto(`/train?table=${table}&kind=${kind}`);
        await page.waitForSelector('[data-act="ask"]');
        const felt = async () => (await page.locator('.train-felt').boundingBox()).y;
        const before = await felt();
        await page.click('.actions [data-act]');
        await page.waitForSelector('[data-act="next"]');
        const name = `${table} at ${width} x ${height}`;
        assert.equal(await felt(), before, `nothing moves down, ${name}`);
        const hidden = await page.evaluate(() =>
          [
            '.train-hands cut-card:last-child',
            '.train-hands .total',
            '.coach-words .status',
            '[data-act="next"]',
          ].filter((which) => {
            const { left, right, top, bottom } = document.querySelector(which).getBoundingClientRect();
            const found = document.elementFromPoint((left + right) / 2, bottom - 2);
            return top < 0 || bottom > innerHeight || !found?.closest(which.split(' ')[0]);
          }),
        );
        assert.deepEqual(hidden, [], name);
        const wide = await page.$eval(
          '.values',
          (one) => one.getBoundingClientRect().right - one.closest('.bar').getBoundingClientRect().right,
        );
        assert.ok(wide <= 0, `the values stay within their bar, ${name}: ${wide}`);
      }
    }
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('the count is drilled with the cards shown, and decisions by the count are valued exactly', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=count');
  const { page } = visitor;
  await page.waitForSelector('[data-act="count"]');
  await page.evaluate(() => {
    window.cards = [];
    new MutationObserver(() => {
      const card = document.querySelector('.counting-cards cut-card')?.getAttribute('card');
      if (card) window.cards.push(card);
    }).observe(document.querySelector('.counting-cards'), { childList: true });
  });
  await page.fill('.counting input[type="number"]', '6');
  await page.fill('.counting input[type="range"]', '1600');
  await page.click('[data-act="count"]');
  await page.waitForSelector('[name="running"]');
  const cards = await page.evaluate(() => window.cards);
  assert.equal(cards.length, 6);
  const count = cards.reduce((all, [rank]) => all + ('23456'.includes(rank) ? 1 : 'TJQKA'.includes(rank) ? -1 : 0), 0);
  await page.fill('[name="running"]', String(count));
  await page.fill('[name="true"]', String(Math.round((count / (410 / 52)) * 2) / 2));
  await page.click('[data-act="tell"]');
  await page.waitForSelector('[data-verdict="right"]');
  // A count costs nothing: the score shows the error instead.
  assert.deepEqual(await page.$$eval('.score dt', (all) => all.map((one) => one.textContent)), [
    'Runs',
    'Accuracy',
    'Average error',
  ]);
  assert.equal(await page.textContent('.score dd:last-child'), '0.0');
  await until(page, () => document.activeElement?.dataset.act === 'count');
  assert.deepEqual(await findings(page), []);
  // The cards that went by are laid out with their tags, so that a mistake can be found.
  const counted = await page.$$eval('.counted li', (all) =>
    all.map((one) => [one.querySelector('cut-card').getAttribute('card'), one.lastElementChild.textContent]),
  );
  assert.deepEqual(
    counted.map(([card]) => card),
    cards,
  );
  const signs = counted.map(([, words]) => Number(words.replace('−', '-')));
  assert.equal(
    signs.reduce((a, b) => a + b, 0),
    count,
  );
  // On a small phone the current card is entirely visible, and the score fits in one line.
  await page.setViewportSize({ width: 360, height: 640 });
  const [score, line] = await page.$eval('.score', (all) => [all.offsetHeight, all.lastElementChild.offsetHeight]);
  assert.ok(score < 1.5 * line, `hands, accuracy and cost beside each other: ${score} of ${line}`);
  await page.click('[data-act="count"]');
  await page.waitForSelector('[name="running"]');
  const [card, bar] = await page.evaluate(() =>
    ['.counting-cards cut-card', '.counting .bar'].map((one) => document.querySelector(one).getBoundingClientRect()),
  );
  assert.ok(card.bottom <= bar.top + 1, `the card ends at ${card.bottom}, the bar begins at ${bar.top}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/coach'));
  await page.goto('/train?table=nj-blackjack&kind=deviation');
  const body = (await asked).postDataJSON();
  assert.ok(body.removed.split(' ').length > 100, 'the cards that have gone are asked with');
  await page.waitForSelector('.status:has-text("true count")');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the coach is not available at live tables', async () => {
  const visitor = await visit(browser, house, '/train');
  const live = await visitor.api('POST', '/api/coach', { table: '1', hand: 'Ts 6d', up: 'Kh' });
  assert.equal(live.status, 409);
  await visitor.page.goto('/table/1');
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  assert.equal(await visitor.page.$('[data-act="coach"]'), null);
  await visitor.close();
});

test('whole rounds with the coach, who values every action when asked', async () => {
  const visitor = await visit(browser, house, '/train?play=1&table=nj-blackjack&cards=Ts+Kh+6d');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.keyboard.press('2');
  await press(page, 'keyboard', 'deal');
  await page.waitForSelector('.actions [data-act="stand"]');
  await page.click('[data-act="coach"]');
  await page.waitForSelector('.coach .values tbody tr');
  const told = (await visitor.api('GET', '/api/training/coach')).body;
  const rows = await page.$$eval('.coach .values tbody tr', (all) => all.map((row) => row.children[1].textContent));
  assert.deepEqual(
    rows.map(value),
    told.actions.map((a) => a.ev.toFixed(5)),
  );
  await press(page, 'keyboard', 'stand');
  const verdict = await page.waitForSelector('[data-verdict]');
  assert.equal(await verdict.getAttribute('data-verdict'), 'wrong', 'sixteen against a ten is hit');
  await until(page, () => document.querySelector('[data-choices]').dataset.choices === '1');
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('what a member practised comes along to another browser; a guest’s becomes the member’s', async () => {
  const first = await visit(browser, house, '/train?table=nj-six-to-five&kind=hard');
  const answer = async () => {
    await first.page.waitForSelector('[data-act="ask"]');
    await first.page.keyboard.press('s');
    await first.page.waitForSelector('[data-act="next"]');
  };
  await answer();
  await first.page.goto('/sign-in');
  await first.page.fill('[name="name"]', 'practised');
  await first.page.fill('[name="password"]', 'practised-has-a-password');
  await first.page.click('button:has-text("Create account")');
  await first.page.waitForSelector('#balance');
  const told = first.page.waitForResponse(
    (one) => one.url().includes('/api/training/memory/') && one.request().method() === 'PUT',
  );
  await first.page.goto('/train?table=nj-six-to-five&kind=hard');
  assert.equal((await told).status(), 204, 'what the guest had answered');
  const more = first.page.waitForResponse(
    (one) => one.url().includes('/api/training/memory/') && one.request().method() === 'PUT',
  );
  await answer();
  assert.equal((await more).status(), 204);
  const kept = await first.page.evaluate(() => localStorage.getItem('drill/nj-six-to-five'));
  assert.equal(kept, null, 'nothing of a member stays in a browser');
  const second = await visit(browser, house, '/sign-in');
  await second.page.fill('[name="name"]', 'practised');
  await second.page.fill('[name="password"]', 'practised-has-a-password');
  await second.page.click('button:has-text("Sign in")');
  await second.page.waitForSelector('#balance');
  await second.page.goto('/train?table=nj-six-to-five&kind=hard');
  await second.page.waitForSelector('.days:has(i)');
  assert.match(await second.page.getAttribute('.days', 'aria-label'), /2 hands/);
  for (const one of [first, second]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});
