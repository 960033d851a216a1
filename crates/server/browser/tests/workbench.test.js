// The lab's workbench against the API and against small sums computed here: report, sweep, compare, any shoe, a custom
// count, an atlas from a file, printing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findings, findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, visit } from '../house.js';
import { until } from '../play.js';
import { browser, house } from '../site.js';

const LONG = { timeout: 180_000 };

/** Clicks a download button. Returns the file's name and text. */
async function saved(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download', LONG), page.click(button)]);
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

/** Takes a screenshot for review, if `SHOTS` is set. */
const look = (page, name) =>
  process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true }) : null;

/** Opens a view of the lab. */
async function opened(view, more = '', table = 'nj-six-to-five') {
  const visitor = await visit(browser, house, `/lab?view=${view}&table=${table}${more}`);
  await visitor.page.waitForSelector('nav.views [aria-current="page"]');
  return visitor;
}

test('a report has every line of every wager, and is taken away in three forms', async () => {
  const visitor = await opened('report');
  const { page } = visitor;
  await page.waitForSelector('[data-report-edge]', LONG);
  const told = (await visitor.api('POST', '/api/lab/report', { table: 'nj-six-to-five', set: [] })).body;
  assert.equal(Number(await page.getAttribute('[data-report-edge]', 'data-report-edge')), told.wagers[0].house_edge);
  const lines = await page.locator('[data-wager="main"] [aria-label^="Outcomes of"] tbody tr').count();
  assert.equal(lines, told.wagers[0].outcomes.length + 1, 'every line and the sum');
  const chances = told.wagers[0].outcomes.reduce((all, one) => all + one.probability, 0);
  assert.ok(Math.abs(chances - 1) < 1e-9, `${chances}`);
  const [name, html] = await saved(page, 'button:has-text("HTML")');
  assert.equal(name, 'nj-six-to-five-report.html');
  assert.match(html, /^<!DOCTYPE html>[\s\S]*Math report: nj-six-to-five/);
  const [, json] = await saved(page, '[data-answer] button:has-text("JSON")');
  assert.equal(JSON.parse(json).made_by.program, 'cutcard');
  const [, csv] = await saved(page, '[data-answer] button:has-text("CSV")');
  assert.equal(csv.trim().split('\n').length, 1 + told.wagers.reduce((all, wager) => all + wager.outcomes.length, 0));
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await look(page, 'report');
  // Only the report is printed.
  await page.emulateMedia({ media: 'print' });
  assert.ok(
    !(await page.isVisible('nav.views')) && !(await page.isVisible('.options')) && !(await page.isVisible('.top')),
  );
  assert.ok(await page.isVisible('[data-report-edge]'));
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a sweep lists every legal combination; bars, filters and heads look through it', async () => {
  const visitor = await opened('sweep', '', 'nj-blackjack');
  const { page } = visitor;
  await page.waitForSelector('[name="decks=6"]');
  for (const box of ['soft_17=stand', 'soft_17=hit', 'double_after_split=false', 'double_after_split=true'])
    await page.check(`[name="${box}"]`);
  assert.match(await page.textContent('form [role="status"]'), /^8 /);
  await page.click('form button:has-text("Calculate")');
  await page.waitForSelector('[data-shown]', LONG);
  const vary = ['decks=6,8', 'soft_17=stand,hit', 'double_after_split=false,true'];
  const told = (await visitor.api('POST', '/api/lab/sweep', { table: 'nj-blackjack', set: [], vary })).body;
  const edges = told.tables.map((one) => one.house_edge).sort((a, b) => a - b);
  const shown = () => page.$$eval('[data-edge]', (all) => all.map((a) => Number(a.dataset.edge)));
  assert.deepEqual(await shown(), edges, 'the best for the player first');
  await page.click('th button:has-text("House edge")');
  assert.deepEqual(await shown(), edges.toReversed(), 'and the other way round');
  await page.selectOption('[data-filter="decks"]', '6');
  const six = told.tables.filter((one) => one.set.decks === 6);
  assert.equal(Number(await page.getAttribute('[data-shown]', 'data-shown')), six.length);
  assert.ok(six.length > 0 && six.length < told.tables.length);
  await page.selectOption('[data-filter="decks"]', '');
  // The first bar holds the best tables.
  await page.focus('.histogram rect[role="button"]');
  await page.keyboard.press('Enter');
  const few = Number(await page.getAttribute('[data-shown]', 'data-shown'));
  assert.ok(few >= 1 && few < edges.length, `${few}`);
  assert.ok((await shown()).includes(edges[0]));
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await look(page, 'sweep');
  // The URL repeats the sweep; a table opens with its options.
  const other = await visit(browser, house, page.url().replace(house.url, ''));
  await other.page.waitForSelector('[data-shown]', LONG);
  assert.equal(Number(await other.page.getAttribute('[data-shown]', 'data-shown')), edges.length);
  await other.page.click('[data-edge]');
  await other.page.waitForSelector('[data-figures] [data-edge]', LONG);
  assert.equal(Number(await other.page.getAttribute('[data-figures] [data-edge]', 'data-edge')), edges[0]);
  assert.deepEqual([...visitor.problems, ...other.problems], []);
  await visitor.close();
  await other.close();
});

test('a comparison adds up', async () => {
  const visitor = await opened('compare', '&set=soft_17%3Dhit&set=decks%3D6', 'nj-blackjack');
  const { page } = visitor;
  await page.click('form button');
  await page.waitForSelector('[data-difference]', LONG);
  const difference = Number(await page.getAttribute('[data-difference]', 'data-difference'));
  const parts = await page.$$eval('[data-part]', (all) => all.map((part) => Number(part.dataset.part)));
  assert.equal(parts.length, 2);
  assert.ok(Math.abs(parts.reduce((all, part) => all + part, 0) - difference) < 1e-12);
  const edge = async (set) =>
    (await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set })).body.main.house_edge;
  const [mine, plain] = [await edge(['soft_17=hit', 'decks=6']), await edge([])];
  assert.ok(Math.abs(plain - mine - difference) < 1e-12, `${difference}`);
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await look(page, 'compare');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the other table is picked, not typed, and its address keeps it', async () => {
  const visitor = await opened('compare', '', 'nj-blackjack');
  const { page } = visitor;
  await page.selectOption('[name="b.soft_17"]', 'hit');
  assert.equal(await page.locator('.bench form input').count(), 0, 'nothing to type');
  await page.selectOption('[name="b.decks"]', '6');
  await page.click('form button');
  await page.waitForSelector('[data-difference]', LONG);
  const edge = async (set) =>
    (await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set })).body.main.house_edge;
  const expected = (await edge(['soft_17=hit', 'decks=6'])) - (await edge([]));
  const difference = async () => Number(await page.getAttribute('[data-difference]', 'data-difference'));
  assert.ok(Math.abs((await difference()) - expected) < 1e-12);
  await page.reload();
  await page.waitForSelector('[data-difference]', LONG);
  assert.equal(await page.inputValue('[name="b.decks"]'), '6');
  assert.ok(Math.abs((await difference()) - expected) < 1e-12);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('cards that are clicked away change every value at once', async () => {
  const visitor = await opened('shoe', '&set=decks%3D2&set=side_wagers.over-under-13%3Dtrue', 'nj-blackjack');
  const { page } = visitor;
  const figure = (name) => page.getAttribute(`[data-now="${name}"]`, 'data-figure').then(Number);
  await page.waitForSelector('[data-now="main"]', LONG);
  const before = await figure('main');
  const edge = (await visitor.api('POST', '/api/lab/edge', { table: 'nj-blackjack', set: ['decks=2'] })).body.main;
  assert.ok(Math.abs(before - edge.house_edge) < 1e-12, 'a full shoe is the table');
  const quiet = () => until(page, () => !document.querySelector('[data-answer][aria-busy]'));
  for (const card of ['5s', '5h', '5d', '5c', '5s']) await page.click(`[data-card="${card}"]`);
  assert.match(await page.textContent('.tally [data-value="5"]'), /^5 3$/);
  // Fewer fives are good for the player.
  await until(
    page,
    (most) => Number(document.querySelector('[data-now="main"]')?.dataset.figure) < most,
    before - 0.02,
  );
  await quiet();
  // Tens left with an ace as the upcard: 32 of 98, at two to one.
  assert.ok(Math.abs((await figure('insurance')) - (1 - 3 * (32 / 98))) < 1e-12);
  // Over 13 with two cards, computed here.
  const left = Object.fromEntries('A23456789T'.split('').map((v) => [v, v === 'T' ? 32 : v === '5' ? 3 : 8]));
  const worth = (v) => (v === 'A' ? 1 : v === 'T' ? 10 : Number(v));
  let over = 0;
  for (const a of Object.keys(left))
    for (const b of Object.keys(left))
      if (worth(a) + worth(b) > 13) over += (left[a] / 99) * ((left[b] - (a === b ? 1 : 0)) / 98);
  assert.ok(Math.abs((await figure('over-13')) - (1 - 2 * over)) < 1e-12, `${over}`);
  // A hand from these cards, compared with the API.
  await page.fill('[name="hand"]', 'T 6');
  await page.fill('[name="up"]', 'T');
  await page.waitForSelector('[data-best]', LONG);
  await quiet();
  const asked = { table: 'nj-blackjack', set: ['decks=2'], removed: '5x5', hand: 'T 6', up: 'T' };
  const told = (await visitor.api('POST', '/api/lab/shoe', asked)).body;
  assert.equal(await page.getAttribute('[data-best]', 'data-best'), told.hand.best);
  assert.equal(told.hand.best, 'stand', 'sixteen stands without fives');
  await page.click('summary:has-text("Strategy for these cards")');
  await page.waitForSelector('[data-changed]', LONG);
  assert.ok(Number(await page.getAttribute('[data-changed]', 'data-changed')) > 3);
  assert.ok((await page.locator('.strategy td.changed').count()) > 3);
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await look(page, 'shoe');
  const other = await visit(browser, house, page.url().replace(house.url, ''));
  await other.page.waitForSelector('[data-best]', LONG);
  assert.match(await other.page.textContent('.tally [data-value="5"]'), /^5 3$/, 'the address has the cards');
  await page.click('button:has-text("Reset to full shoe")');
  await until(
    page,
    (was) => Math.abs(Number(document.querySelector('[data-now="main"]')?.dataset.figure) - was) < 1e-12,
    before,
  );
  assert.deepEqual([...visitor.problems, ...other.problems], []);
  await visitor.close();
  await other.close();
});

test('a count of one’s own tells its correlations at once, then stakes and index plays', async () => {
  const visitor = await opened('count', '', 'nj-blackjack');
  const { page } = visitor;
  await page.waitForSelector('[data-correlation="main"]', LONG);
  const told = (await visitor.api('POST', '/api/lab/tags', { table: 'nj-blackjack', set: [], level: 3 })).body;
  const known = (wager, count) =>
    told.wagers.find((one) => one.wager === wager).systems.find((one) => one.count === count).correlation;
  const figure = (name) => page.getAttribute(`[data-correlation="${name}"]`, 'data-figure').then(Number);
  assert.ok(Math.abs((await figure('main')) - known('main', 'hi-lo')) < 1e-9, 'as the house has it');
  await page.selectOption('[name="system"]', { label: 'omega-2' });
  assert.ok(Math.abs((await figure('insurance')) - known('insurance', 'omega-2')) < 1e-9);
  await page.fill('[name="tag-9"]', '0');
  assert.notEqual(await figure('main'), known('main', 'omega-2'));
  assert.equal(await page.inputValue('[name="system"]'), '', 'tags of one’s own');
  await page.selectOption('[name="system"]', { label: 'hi-lo' });
  await page.click('section:has([name="bankroll"]) form button');
  await page.waitForSelector('[data-score]', LONG);
  assert.ok(Number(await page.getAttribute('[data-score]', 'data-score')) > 0);
  assert.ok((await page.locator('.stakes .stake').count()) > 10);
  await page.click('section:has(h2:has-text("Index plays")) button');
  await page.waitForSelector('[aria-label="Index plays"] tbody tr', LONG);
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await look(page, 'count');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the atlas of every preset is browsed on the page, and a table of it opens in the lab', async () => {
  const visitor = await opened('atlas', '', 'nj-blackjack');
  const { page } = visitor;
  const { presets } = (await visitor.api('GET', '/api/lab')).body;
  for (const { name } of presets) {
    await page.goto(`/lab?view=atlas&table=${name}`);
    await page.waitForSelector('[data-shown]');
    const shown = Number(await page.getAttribute('[data-shown]', 'data-shown'));
    assert.ok(shown >= 2, `${name}: ${shown} tables`);
  }
  await page.goto('/lab?view=atlas&table=nj-blackjack');
  await page.waitForSelector('[data-shown]');
  const all = Number(await page.getAttribute('[data-shown]', 'data-shown'));
  await page.fill('[aria-label="House edge, max"]', '0.3');
  await page.keyboard.press('Tab');
  await until(page, (before) => Number(document.querySelector('[data-shown]').dataset.shown) < before, all);
  const row = page.locator('tr:has([data-edge])').first();
  const edge = Number(await row.locator('[data-edge]').getAttribute('data-edge'));
  assert.ok(edge < 0.003, `${edge}`);
  await row.locator('a').first().click();
  await page.waitForSelector('[data-figures] [data-edge]');
  const shown = Number(await page.getAttribute('[data-figures] [data-edge]', 'data-edge'));
  assert.ok(Math.abs(shown - edge) < 1e-12, `${shown}, not ${edge}`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('an atlas is read from its file, as CSV and as JSON', async () => {
  const visitor = await opened('atlas', '', 'nj-blackjack');
  const { page } = visitor;
  await page.click('summary:has-text("your own atlas")');
  const csv =
    'decks,bonus_payouts,house_edge,std_dev,breaks\n6,"[""suited-678""]",0.004,,\n8,[],0.0045,,\n8,"[""a"",""b""]",-0.001,,\n';
  await page.setInputFiles('[type="file"]', { name: 'atlas.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await page.waitForSelector('[data-shown="3"]');
  assert.deepEqual(
    await page.$$eval('[data-edge]', (all) => all.map((a) => Number(a.dataset.edge))),
    [-0.001, 0.004, 0.0045],
  );
  await page.fill('[aria-label="House edge, min"]', '0');
  await page.keyboard.press('Tab');
  await page.waitForSelector('[data-shown="2"]');
  const json = JSON.stringify({ tables: [{ set: { decks: 6 }, lawful: true, house_edge: 0.004 }] });
  await page.setInputFiles('[type="file"]', {
    name: 'atlas.json',
    mimeType: 'application/json',
    buffer: Buffer.from(json),
  });
  await page.waitForSelector('[data-shown="1"]');
  await page.setInputFiles('[type="file"]', {
    name: 'x.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('what,else\n1,2\n'),
  });
  await page.waitForSelector('[role="alert"]:has-text("Not an atlas file")');
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
