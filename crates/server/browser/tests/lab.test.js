// The lab against the API: legal or not with clauses, exact figures, charts, effects, side bets, a simulation with its
// charts, URLs that reproduce a view, and downloads.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { until } from '../play.js';
import { browser, house } from '../site.js';

const LONG = { timeout: 120_000 };

/** Clicks a download button. Returns the file's name and text. */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

test('the lab says what the interface says, and its address reproduces it', async () => {
  const visitor = await visit(browser, house, '/clauses');
  const { page } = visitor;
  // As a table that the atlas does not have: the old figures stay until the new ones are computed.
  await page.route('**/page/atlas/*', (route) => route.abort());
  await page.goto('/lab?table=nj-blackjack');
  await page.waitForSelector('[data-lawful="true"]');
  await page.waitForSelector('[data-edge]', LONG);
  const before = await page.getAttribute('[data-edge]', 'data-edge');
  await page.selectOption('[data-key="soft_17"]', 'hit');
  await page.waitForURL(/soft_17%3Dhit/);
  await page.waitForSelector('[aria-busy] .working:has-text("Showing the previous table")', LONG);
  assert.equal(
    await page.getAttribute('[aria-busy] [data-edge]', 'data-edge'),
    before,
    'figures stay while it computes',
  );
  await page.waitForSelector('[data-figures]:not([aria-busy]) [data-edge]', LONG);
  const asked = { table: 'nj-blackjack', set: ['soft_17=hit'] };
  const told = (await visitor.api('POST', '/api/lab/edge', asked)).body;
  assert.equal(Number(await page.getAttribute('[data-edge]', 'data-edge')), told.main.house_edge);
  const changed = Number(await page.getAttribute('[data-change]', 'data-change'));
  assert.ok(changed > 0 && Math.abs(changed - (told.main.house_edge - Number(before))) < 1e-12, `${changed}`);
  // The text is the difference of the two edges that the interface computes.
  const earlier = (await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set: [] })).body;
  const by = (100 * (told.main.house_edge - earlier.main.house_edge)).toFixed(4);
  assert.equal(await page.textContent('[data-change]'), `+${by} % from the previous table`);

  // The last panel to load: nothing moves under the pointer after it.
  await page.waitForSelector('[data-figures]:not([aria-busy]) [aria-label="Effect of each option"] tbody tr', LONG);
  await page.waitForSelector('[data-figures]:not([aria-busy]) .strategy', LONG);
  const { charts, columns } = (await visitor.api('POST', '/api/lab/strategy', asked)).body;
  const cells = charts.flatMap((chart) => chart.rows.flatMap((row) => row.cells));
  assert.equal(await page.locator('.strategy tbody td').count(), cells.length, 'every box of every chart');
  const first = charts[0].rows[0];
  // The columns are in the players' order: 2 to 10, then the ace.
  const read = [...columns.filter((column) => column !== 'A'), 'A'];
  const text = `${first.row} vs ${read[0]}: ${first.cells[columns.indexOf(read[0])].action}`;
  await page.hover('.strategy tbody td >> nth=0');
  assert.ok((await page.textContent('.chart-detail')).startsWith(text), 'values on hover');
  await page.focus('.chart .scroll');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok((await page.textContent('.chart-detail')).startsWith(`${first.row} vs ${read[1]}`), 'and by keys');

  const effects = (await visitor.api('POST', '/api/lab/effects', asked)).body;
  assert.equal(await page.locator('[aria-label="Effect of each option"] tbody tr').count(), effects.length);

  const [csvName, csv] = await saved(page, '.panel:has(.strategy) button:has-text("CSV")');
  assert.equal(csvName, 'nj-blackjack-strategy.csv');
  assert.equal(csv.trim().split('\n').length, cells.length + 1);
  const [svgName, svg] = await saved(page, '.panel:has(.strategy) button:has-text("SVG")');
  assert.equal(svgName, 'nj-blackjack-strategy.svg');
  assert.match(svg, /^<svg|<\?xml/);
  const [, json] = await saved(page, 'button:has-text("JSON")');
  assert.equal(JSON.parse(json).edge.main.house_edge, told.main.house_edge);
  const [, toml] = await saved(page, 'button:has-text("Table file")');
  assert.match(toml, /soft_17 = "hit"/);
  assert.deepEqual(await findings(page), []);

  const other = await visit(browser, house, page.url().replace(house.url, ''));
  await other.page.waitForSelector('[data-edge]', LONG);
  assert.equal(await other.page.inputValue('[data-key="soft_17"]'), 'hit');
  assert.equal(Number(await other.page.getAttribute('[data-edge]', 'data-edge')), told.main.house_edge);
  await other.page.click('a:has-text("Play with the coach")');
  await other.page.waitForSelector('[data-awaiting="wagers"]');
  assert.match(await other.page.textContent('.inscriptions'), /soft 17/i, 'the training table has these rules');
  const own = visitor.problems.filter((problem) => !problem.includes('ERR_FAILED'));
  assert.deepEqual([...own, ...other.problems], []);
  await visitor.close();
  await other.close();
});

test('the first figure of a common table comes from the atlas within 300 ms, and is the exact one', async () => {
  const visitor = await visit(browser, house, '/clauses');
  const { page } = visitor;
  // The solver does not answer before this test has seen the first figures.
  let solve = () => {};
  const solved = new Promise((go) => (solve = go));
  await page.route('**/api/lab/edge', (route) => solved.then(() => route.continue()));
  await page.goto('/lab?table=nj-blackjack');
  await page.waitForSelector('[data-figures][aria-busy] [data-edge]');
  assert.match(await page.textContent('[data-figures][aria-busy]'), /from the list of solved tables/);
  const waits = [];
  const tables = [
    ['soft_17', 'hit'],
    ['surrender', 'true'],
    ['resplit_aces', 'true'],
    ['soft_17', 'stand'],
    ['resplit_aces', 'false'],
  ];
  const sets = new Map();
  for (const [key, value] of tables) {
    sets.set(key, value);
    const wait = await page.evaluate(
      ([option, word]) =>
        new Promise((done) => {
          const edge = () => document.querySelector('[data-edge]')?.getAttribute('data-edge');
          const [before, begun] = [edge(), performance.now()];
          const watch = new MutationObserver(() => {
            if (!edge() || edge() === before) return;
            watch.disconnect();
            done(performance.now() - begun);
          });
          watch.observe(document.querySelector('main'), { subtree: true, childList: true });
          const select = document.querySelector(`[data-key="${option}"]`);
          select.value = word;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        }),
      [key, value],
    );
    waits.push(wait);
    const set = Array.from(sets, ([name, word]) => `${name}=${word}`);
    const told = (await visitor.context.request.post('/api/lab/edge', { data: { table: 'nj-blackjack', set } })).json();
    const { main } = await told;
    const first = Number(await page.getAttribute('[data-edge]', 'data-edge'));
    assert.ok(Math.abs(first - main.house_edge) < 1e-12, `${set}: ${first}, not ${main.house_edge}`);
  }
  console.log(`first figures after ${waits.map((ms) => ms.toFixed(0)).join(', ')} ms`);
  const middle = waits.toSorted((a, b) => a - b)[2];
  assert.ok(middle <= 300, `half of the first figures take longer than ${middle} ms`);
  solve();
  await page.waitForSelector('[data-figures]:not([aria-busy]) [data-edge]', LONG);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('an illegal table is refused with its clauses; side wagers come with outcomes and odds', async () => {
  const visitor = await visit(browser, house, '/lab?table=nj-blackjack&set=side_wagers.same-suit%3Dtrue');
  const { page } = visitor;
  await page.waitForSelector('[data-side-edge="same-suit"]', LONG);
  const told = (
    await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set: ['side_wagers.same-suit=true'] })
  ).body.side_wagers[0];
  const rows = await page.$$eval('[aria-label^="Outcomes of"] tbody tr', (all) =>
    all.map((r) => r.children[1].textContent),
  );
  assert.deepEqual(
    rows,
    told.outcomes.map((o) => o.pays),
  );
  await page.fill('[data-key="decks"]', '3');
  await page.keyboard.press('Tab');
  await page.waitForSelector('[data-lawful="false"]');
  const set = ['side_wagers.same-suit=true', 'decks=3'];
  const { violations } = (await visitor.api('POST', '/api/lab/check', { table: 'nj-blackjack', set })).body;
  const clauses = await page.$$eval('.findings li .clause', (all) => all.map((c) => c.textContent));
  assert.deepEqual(
    clauses.slice(0, violations.length),
    violations.map((v) => v.clause),
  );
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('what a table costs by the hour, and the risk of a bankroll', async () => {
  const visitor = await visit(browser, house, '/lab?table=nj-blackjack');
  const { page } = visitor;
  await page.waitForSelector('[data-hourly="ruin"]', LONG);
  const { main } = (await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set: [] })).body;
  const told = async (which) =>
    Number.parseFloat((await page.textContent(`[data-hourly="${which}"]`)).replace(/,/g, ''));
  for (const [name, value] of [
    ['bet', 20],
    ['rounds', 100],
    ['hours', 9],
    ['bankroll', 500],
  ])
    await page.fill(`[name="hourly-${name}"]`, String(value));
  assert.ok(Math.abs((await told('loss')) - main.house_edge * 20 * 100) < 0.01);
  assert.ok(Math.abs((await told('std-dev')) - main.std_dev * 20 * 10) < 0.01);
  const small = await told('ruin');
  await page.fill('[name="hourly-bankroll"]', '5000');
  const large = await told('ruin');
  assert.ok(small > large && small < 100 && large >= 0, `${small} % with 500, ${large} % with 5,000`);
  // Without a house edge, twice as many players lose the bankroll at some point as end below it; with an edge, more.
  assert.ok(small > 40 && small < 60, `${small} %`);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

for (const [table, chart] of [
  ['nj-switch', 'switch'],
  ['nj-double-attack', 'attack'],
]) {
  test(`the ${chart} chart of ${table}`, async () => {
    const visitor = await visit(browser, house, `/lab?table=${table}`);
    const { page } = visitor;
    await page.waitForSelector('.strategy', LONG);
    const told = (await visitor.api('POST', '/api/lab/strategy', { table, set: [] })).body;
    const found = told.charts.filter((c) => c.chart.includes(chart));
    assert.ok(found.length > 0, `${told.charts.map((c) => c.chart)}`);
    for (const one of found) {
      const cells = one.rows.reduce((all, row) => all + row.cells.length, 0);
      const place = `[data-chart="${one.chart}"] tbody td`;
      assert.equal(await page.locator(place).count(), cells, one.chart);
    }
    await visitor.close();
  });
}

test('a simulation runs with its progress, comes to what the interface says, and has an address', async () => {
  const visitor = await visit(browser, house, '/lab?table=nj-six-to-five');
  const { page } = visitor;
  await page.waitForSelector('[name="rounds"]', LONG);
  await page.selectOption('[name="rounds"]', '100000');
  await page.selectOption('[name="count"]', 'hi-lo');
  const answered = (r) => r.url().endsWith('/api/lab/simulations');
  const [answer] = await Promise.all([page.waitForResponse(answered), page.click('button:has-text("Run")')]);
  const { id } = await answer.json();
  await page.waitForSelector('progress:not([hidden])');
  await page.waitForSelector('[data-simulated]', LONG);
  const { body } = await visitor.api('GET', `/api/lab/simulations/${id}`);
  const edge = Number(await page.getAttribute('[data-simulated]', 'data-simulated'));
  assert.equal(edge, body.result.house_edge);
  assert.equal(await page.locator('.pictures img').count(), Object.keys(body.pictures).length);
  for (const name of ['edge-by-count', 'bankroll', 'distribution']) assert.ok(name in body.pictures, name);
  await until(page, () => Array.from(document.querySelectorAll('.pictures img')).every((img) => img.naturalWidth > 0));
  assert.deepEqual(await findings(page), []);
  const other = await visit(browser, house, page.url().replace(house.url, ''));
  await other.page.waitForSelector('[data-simulated]', LONG);
  assert.equal(
    Number(await other.page.getAttribute('[data-simulated]', 'data-simulated')),
    edge,
    'the same seed, the same run',
  );
  assert.deepEqual([...visitor.problems, ...other.problems], []);
  await visitor.close();
  await other.close();
});
