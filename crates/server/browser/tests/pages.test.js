// Lab, training, clauses and rules against the interface; every page at both widths without a finding of axe and without
// anything that sticks out; what a first visit weighs and how long it takes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings } from '../axe.js';
import { NARROW, WIDE, openBrowser, openHouse, visit } from '../house.js';
import { bet, finish } from '../play.js';

let house;
let browser;
before(async () => {
  house = await openHouse();
  browser = await openBrowser();
});
after(async () => {
  await browser.close();
  await house.close();
});

test('a first visit is light and quick', async () => {
  const context = await browser.newContext({ viewport: WIDE, baseURL: house.url });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  let bytes = 0;
  client.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
  });
  const begun = performance.now();
  await page.goto('/');
  await page.waitForSelector('[data-table="1"]');
  const usable = performance.now() - begun;
  await page.waitForTimeout(300);
  console.log(`first visit: ${Math.round(bytes / 1024)} KB, usable after ${Math.round(usable)} ms`);
  assert.ok(bytes < 250 * 1024, `${bytes} bytes`);
  assert.ok(usable < 3000, `${usable} ms, on a machine that may be busy`);
  await page.click('[data-table="1"]');
  await page.waitForSelector('[data-awaiting="wagers"]');
  console.log(`with a table: ${Math.round(bytes / 1024)} KB`);
  assert.ok(bytes < 250 * 1024, `${bytes} bytes`);
  await context.close();
});

test('an action shows within 100 ms of its acknowledgement', async () => {
  const visitor = await visit(browser, house, '/table/1', { still: false });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const waits = await page.evaluate(
    () =>
      new Promise((done) => {
        const seen = [];
        const original = WebSocket.prototype.addEventListener;
        let at = 0;
        new MutationObserver(() => {
          if (at) {
            seen.push(performance.now() - at);
            at = 0;
            if (seen.length >= 2) done(seen);
          }
        }).observe(document.querySelector('.table-main'), {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        });
        const parse = JSON.parse;
        JSON.parse = (text, ...more) => {
          const told = parse(text, ...more);
          if (told?.type === 'view') at = performance.now();
          return told;
        };
        void original;
        document.querySelector('[data-box="1"] [data-area="main-0"]').click();
        document.querySelector('[data-act="deal"]').click();
      }),
  );
  console.log(`shown after ${waits.map((ms) => ms.toFixed(1)).join(', ')} ms`);
  assert.ok(
    waits.every((ms) => ms < 100),
    String(waits),
  );
  await finish(visitor, 1, 'mouse');
  await visitor.close();
});

test('the lab says what the interface says, and its address reproduces it', async () => {
  const visitor = await visit(browser, house, '/lab?table=nj-blackjack');
  const { page } = visitor;
  await page.waitForSelector('[data-lawful="true"]');
  await page.selectOption('[data-key="soft_17"]', 'hit');
  await page.waitForURL(/soft_17%3Dhit/);
  await page.waitForSelector('[data-edge]', { timeout: 60_000 });
  const asked = { table: 'nj-blackjack', set: ['soft_17=hit'] };
  const told = (await visitor.api('POST', '/api/lab/edge', asked)).body;
  assert.equal(Number(await page.getAttribute('[data-edge]', 'data-edge')), told.main.house_edge);
  await page.waitForSelector('.strategy', { timeout: 60_000 });
  const charts = (await visitor.api('POST', '/api/lab/strategy', asked)).body;
  const cells = charts.charts.reduce((all, chart) => all + chart.rows.reduce((n, row) => n + row.cells.length, 0), 0);
  assert.equal(await page.locator('.strategy tbody td').count(), cells, 'every box of every chart');
  await page.click('summary:has-text("Side wagers")');
  await page.check('[data-key="side_wagers.same-suit"]');
  await page.waitForSelector('[data-side-edge="same-suit"]', { timeout: 60_000 });
  assert.deepEqual(await findings(page), []);
  const link = page.url();
  const other = await visit(browser, house, link.replace(house.url, ''));
  await other.page.waitForSelector('[data-side-edge="same-suit"]', { timeout: 60_000 });
  assert.equal(await other.page.inputValue('[data-key="soft_17"]'), 'hit');
  await page.fill('[data-key="decks"]', '3');
  await page.keyboard.press('Tab');
  await page.waitForSelector('[data-lawful="false"]');
  const check = (
    await visitor.api('POST', '/api/lab/check', {
      table: 'nj-blackjack',
      set: ['soft_17=hit', 'side_wagers.same-suit=true', 'decks=3'],
    })
  ).body;
  assert.deepEqual(
    await page
      .$$eval('.findings li .clause', (all) => all.map((c) => c.textContent))
      .then((all) => all.slice(0, check.violations.length)),
    check.violations.map((v) => v.clause),
  );
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  await other.close();
});

test('the coach values a choice exactly, and only for training', async () => {
  const visitor = await visit(browser, house, '/train?table=nj-blackjack&kind=hard');
  const { page } = visitor;
  await page.waitForSelector('[data-act="stand"]', { timeout: 60_000 });
  const hand = await page.$$eval('.train-hands cut-card', (all) => all.map((c) => c.getAttribute('card')));
  const up = await page.$eval('.train-felt > .train-row cut-card', (c) => c.getAttribute('card'));
  await page.keyboard.press('s');
  await page.waitForSelector('[data-act="next"]');
  const told = (await visitor.api('POST', '/api/coach', { table: 'nj-blackjack', hand: hand.join(' '), up })).body;
  const rows = await page.$$eval('.values tbody tr', (all) =>
    all.map((row) => row.children[1].textContent.replace('−', '-').replace('+', '')),
  );
  assert.deepEqual(
    rows,
    told.actions.map((a) => a.ev.toFixed(5)),
  );
  assert.equal(await page.textContent('[data-hands]'), '1');
  const live = await visitor.api('POST', '/api/coach', { table: '1', hand: hand.join(' '), up });
  assert.equal(live.status, 409, 'no advice at a table of the house');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('whole rounds with the coach', async () => {
  const visitor = await visit(browser, house, '/train?play=1&table=nj-blackjack');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (let rounds = 0; rounds < 12; rounds += 1) {
    await page.waitForSelector('[data-awaiting="wagers"] .actions, [data-awaiting="wagers"]');
    await page.keyboard.press('2');
    await page.keyboard.press('d');
    await page.waitForFunction(
      () =>
        document.querySelector('.actions [data-act="stand"], .actions [data-act="decline"]') ||
        /You (win|lose)|Nothing won/.test(document.querySelector('.status').textContent),
    );
    if (await page.$('.actions [data-act="decline"]')) {
      await page.keyboard.press('n');
      await page.waitForTimeout(200);
    }
    if (await page.$('.actions [data-act="stand"]')) break;
  }
  await page.click('[data-act="coach"]');
  await page.waitForSelector('.values tbody tr', { timeout: 60_000 });
  const told = (await visitor.api('GET', '/api/training/coach')).body;
  assert.deepEqual(
    await page.$$eval('.coach .values tbody tr', (all) =>
      all.map((row) => row.children[1].textContent.replace('−', '-').replace('+', '')),
    ),
    told.actions.map((a) => a.ev.toFixed(5)),
  );
  await page.click('.actions [data-act="stand"]');
  const verdict = await page.waitForSelector('[data-verdict]', { timeout: 60_000 });
  assert.equal(await verdict.getAttribute('data-verdict'), told.actions[0].action === 'stand' ? 'right' : 'wrong');
  assert.equal(await page.getAttribute('[data-choices]', 'data-choices'), '1');
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a simulation runs with its progress and comes to what the interface says', async () => {
  const visitor = await visit(browser, house, '/lab?table=nj-six-to-five');
  const { page } = visitor;
  await page.waitForSelector('[name="rounds"]', { timeout: 60_000 });
  await page.selectOption('[name="rounds"]', '100000');
  await page.selectOption('[name="count"]', 'hi-lo');
  const [answer] = await Promise.all([
    page.waitForResponse((r) => r.url().endsWith('/api/lab/simulations')),
    page.click('button:has-text("Run")'),
  ]);
  const { id } = await answer.json();
  await page.waitForSelector('[data-simulated]', { timeout: 120_000 });
  const { body } = await visitor.api('GET', `/api/lab/simulations/${id}`);
  assert.equal(Number(await page.getAttribute('[data-simulated]', 'data-simulated')), body.result.house_edge);
  assert.equal(await page.locator('.pictures img').count(), Object.keys(body.pictures).length);
  assert.ok('edge-by-count' in body.pictures && 'bankroll' in body.pictures && 'distribution' in body.pictures);
  assert.deepEqual(await findings(page), []);
  assert.ok(
    await page.$$eval('.pictures img', (all) => all.every((img) => img.complete && img.naturalWidth > 0)),
    'the pictures can be seen',
  );
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the catalogue is searched, and every table tells its rules', async () => {
  const visitor = await visit(browser, house, '/clauses');
  const { page } = visitor;
  await page.fill('[type="search"]', 'split aces');
  const { body } = await visitor.api('GET', '/api/clauses?q=split+aces');
  await page.waitForFunction(
    (total) => document.querySelector('[role="status"].dim').textContent.startsWith(`${total} `),
    body.total,
  );
  assert.equal(await page.locator('.clause-entry').count(), body.clauses.length);
  for (let table = 1; table <= 9; table += 1) {
    await page.goto(`/rules/${table}`);
    await page.waitForSelector('.words li');
    const told = (await visitor.api('GET', `/api/tables/${table}/rules`)).body;
    const text = await page.textContent('main');
    for (const line of [...told.inscriptions, ...told.signs]) assert.ok(text.includes(line.text), line.text);
    await page.goto(`/table/${table}`);
    await page.waitForSelector('.felt');
    assert.deepEqual(
      await page.$$eval('.inscription', (all) => all.map((i) => i.textContent)),
      told.inscriptions.map((i) => i.text),
      'the felt carries its inscriptions',
    );
  }
  await visitor.close();
});

for (const [size, viewport] of [
  ['1440', WIDE],
  ['360', NARROW],
]) {
  for (const colorScheme of ['dark', 'light']) {
    test(`axe finds nothing and nothing sticks out at ${size} px, ${colorScheme}`, async () => {
      const visitor = await visit(browser, house, '/table/1', { viewport, colorScheme });
      const { page } = visitor;
      await page.waitForSelector('[data-awaiting="wagers"]');
      const round = Number(await page.getAttribute('.table-page', 'data-round'));
      await bet(visitor, 1, 'mouse');
      await finish(visitor, 1, 'mouse');
      const wrong = [];
      const look = async (name) => {
        wrong.push(...(await findings(page)).map((text) => `${name}: ${text}`));
      };
      await look('table after a round');
      await page.click('.box .pill[data-net]');
      await page.waitForSelector('dialog .why');
      await look('why');
      await page.keyboard.press('Escape');
      for (const path of [
        '/',
        '/table/5',
        '/table/6',
        '/table/9',
        '/rules/6',
        '/clauses?q=insurance',
        '/lab?table=nj-blackjack',
        '/train',
        '/history',
        `/round/1/${round}`,
        '/account',
        '/sign-in',
        '/protect',
      ]) {
        await page.goto(path);
        await page.waitForSelector('main h1');
        if (path.startsWith('/lab')) await page.waitForSelector('.strategy', { timeout: 60_000 });
        if (path.startsWith('/train')) await page.waitForSelector('[data-act="ask"]', { timeout: 60_000 });
        await page.waitForTimeout(150);
        if (path.startsWith('/table')) {
          await page.waitForSelector('[data-awaiting="wagers"]');
          await page.click('[data-box="2"] [data-area="main-0"]');
        }
        await look(path);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(visitor.problems, []);
      await visitor.close();
    });
  }
}
