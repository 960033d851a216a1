// Staff, and what belongs to the player: accounts, the cage, statement and limits, self-exclusion, reports, the
// journal's search and chain, and the check of a finished shoe.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, visit } from '../house.js';
import { cents, deal, finish, until } from '../play.js';
import { employee, signIn } from '../staff.js';
import { browser, house } from '../site.js';

const passwords = {};

test('the supervisor makes accounts, and disables one with its reason', async () => {
  const boss = await visit(browser, house, '/sign-in');
  const { page } = boss;
  await signIn(boss, ...house.supervisor);
  await page.waitForSelector('h1:has-text("Accounts")');
  for (const role of ['floor', 'cashier', 'auditor', 'dealer']) {
    await page.fill('[name="name"]', `${role}-one`);
    await page.selectOption('[name="role"]', role);
    await page.click('button:has-text("Create account")');
    const secret = await page.waitForSelector('.one-time');
    passwords[role] = await secret.textContent();
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  }
  const people = async () => (await boss.api('GET', '/api/staff/people')).body.items;
  const names = (await people()).map((p) => p.name);
  for (const role of Object.keys(passwords)) assert.ok(names.includes(`${role}-one`));
  await page.click('[aria-label="Edit dealer-one"]');
  await page.check('dialog label:has-text("Disabled") input');
  await page.fill('dialog input[required]', 'left the house');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await page.click('dialog .primary');
  await page.waitForSelector('td:has-text("Disabled")');
  assert.equal((await people()).find((p) => p.name === 'dealer-one').disabled, true);
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  assert.deepEqual(boss.problems, []);
  await boss.close();
});

test('the cashier sells chips to a player and buys them back; statement, limits and self-exclusion', async () => {
  const ann = await visit(browser, house, '/sign-in');
  await ann.page.fill('[name="name"]', 'ann');
  await ann.page.fill('[name="password"]', 'ann-has-a-password');
  await ann.page.click('button:has-text("Create account")');
  await ann.page.waitForSelector('#balance');
  const cage = await employee(browser, house, passwords, 'cashier');
  const { page } = cage;
  await page.waitForSelector('h1:has-text("Cage")');
  await page.fill('[name="patron"]', 'ann');
  await page.click('button:has-text("Look up")');
  await page.waitForSelector('.patron b');
  await page.fill('[name="amount"]', '250');
  await page.click('button:has-text("Buy-in")');
  await page.waitForSelector('.patron:has-text("250")');
  await page.fill('[name="amount"]', '50.50');
  await page.click('button:has-text("Cash-out")');
  await page.waitForSelector('.patron:has-text("199.50")');
  assert.equal(await page.locator('.grid tbody tr').count(), 2, 'a receipt for each order');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);

  const mine = ann.page;
  await mine.goto('/account');
  await mine.waitForSelector('[aria-label="Statement"] tbody tr');
  assert.equal(await mine.textContent('.big-balance b'), '199.50');
  const lines = (await ann.api('GET', '/api/me/statement')).body.items;
  const shown = await mine.$$eval('[aria-label="Statement"] tbody tr', (all) =>
    all.map((row) => Number(row.lastElementChild.textContent.replace(/,/g, ''))),
  );
  assert.deepEqual(
    shown,
    lines.map((line) => Number(line.after)),
    'the statement is the house’s',
  );
  const [file] = await Promise.all([mine.waitForEvent('download'), mine.click('button:has-text("CSV")')]);
  assert.equal(file.suggestedFilename(), 'statement.csv');

  const limit = mine.locator('form', { hasText: 'Maximum' });
  await limit.locator('input').fill('100');
  await limit.locator('button').click();
  await mine.waitForSelector('text=Loss, per day');
  const limits = (await ann.api('GET', '/api/me/limits')).body.limits;
  assert.equal(limits.find((l) => l.measure === 'loss' && l.span === 'day').most, 10000);
  assert.deepEqual(await findingsAtBothWidths(mine, [WIDE, NARROW]), []);

  await mine.check('label:has-text("cannot undo this") input');
  await mine.click('button:has-text("Exclude me")');
  await mine.waitForSelector('text=/Self-excluded until/');
  // A table says so before any chip is placed, with one next step; and the server takes no bet from an excluded player.
  await mine.goto('/table/1');
  await mine.waitForSelector('.status:has-text("You are self-excluded until")');
  assert.equal(await mine.locator('.area:not([disabled])').count(), 0, 'no box takes a chip');
  const { round } = (await ann.api('GET', '/api/tables/1')).body.view;
  const wager = { id: 'x', round, do: 'wager', box: 1, amounts: ['10.00'] };
  const refused = await ann.api('POST', '/api/tables/1/actions', wager);
  assert.ok(refused.status >= 400 && refused.status < 500, JSON.stringify(refused));
  await mine.click('[data-act="account"]');
  await mine.waitForURL('**/account');
  assert.equal(cents((await ann.api('GET', '/api/me')).body.cash), 19950, 'nothing was wagered');
  await page.click('button:has-text("Look up")');
  await page.waitForSelector('text=/Self-excluded: can cash out/');
  assert.deepEqual([...ann.problems, ...cage.problems], []);
  await ann.close();
  await cage.close();
});

test('the floor orders a reshuffle, and the finished shoe is checked in the page', async () => {
  const floor = await employee(browser, house, passwords, 'floor');
  const guest = await visit(browser, house, '/table/1');
  await deal(guest, 1, 'mouse');
  await finish(guest, 1, 'mouse');
  await floor.page.goto('/console/1');
  await floor.page.click('[data-act="reshuffle"]');
  const opening = () => guest.api('GET', '/api/tables/1/shoes/1');
  for (let rounds = 0; (await opening()).status !== 200; rounds += 1) {
    assert.ok(rounds < 4, 'the shoe ends');
    await deal(guest, 1, 'mouse');
    await finish(guest, 1, 'mouse');
  }
  await guest.page.goto('/shoe/1/1');
  const verdict = await guest.page.waitForSelector('[data-verdict]');
  assert.equal(await verdict.getAttribute('data-verdict'), 'passed');
  assert.match(await guest.page.textContent('main'), /matches the commitment recorded before the first card/);
  assert.match(await guest.page.textContent('[data-check="seen"]'), /cards that this browser saw match the opening/);
  // The burned card never lay face up.
  assert.match(
    await guest.page.textContent('[data-check="published"][data-holds="true"]'),
    /\d+ cards of the published rounds match the opening; the other [1-9]\d* never lay face up/,
  );
  // The order was mixed with a nonce from the guest's browser, and the page verified that by itself.
  assert.equal((await opening()).body.mixed.shares.length, 1);
  assert.match(await guest.page.textContent('main'), /your nonce was mixed into the order/);
  assert.match(await guest.page.textContent('.facts'), new RegExp((await opening()).body.commitment));
  assert.deepEqual(await findingsAtBothWidths(guest.page, [WIDE, NARROW]), []);
  assert.deepEqual(await findingsAtBothWidths(floor.page, [WIDE, NARROW]), []);
  assert.deepEqual([...floor.problems, ...guest.problems], []);
  await floor.close();
  await guest.close();
});

test('the auditor reads reports, events and the chain, searches the journal and replays a round', async () => {
  const auditor = await employee(browser, house, passwords, 'auditor');
  const { page } = auditor;
  await page.waitForSelector('text=✓ balanced');
  const report = (await auditor.api('GET', '/api/reports/today')).body;
  assert.equal(await page.inputValue('[aria-label="Gaming day"]'), report.day);
  assert.equal(await page.locator('[aria-label="Tables"] tbody tr').count(), report.tables.length);
  // Actual against theoretical return, and the nodes: a house of one process has none.
  await page.waitForSelector('.returns .small', { timeout: 120_000 });
  const returns = (await auditor.api('GET', '/api/returns')).body;
  const [first] = returns.filter(({ actual, theoretical }) => actual !== null && theoretical !== null);
  assert.ok(first, 'a wager was settled');
  const cells = await page.$$eval('.returns tbody tr', (rows) =>
    rows.map((row) => Array.from(row.children, (cell) => cell.textContent)),
  );
  assert.equal(cells.length, returns.length);
  const percents = [first.actual, first.theoretical].map((share) => `${(share * 100).toFixed(2)} %`);
  assert.deepEqual(cells[returns.indexOf(first)].slice(5, 7), percents);
  await page.waitForSelector('.nodes:has-text("Single process")');
  const events = (await auditor.api('GET', '/api/significant-events?limit=50')).body.items;
  await page.waitForSelector('[aria-label="Significant events"] tbody tr');
  assert.equal(await page.locator('[aria-label="Significant events"] tbody tr').count(), events.length);
  await page.click('button:has-text("Save this head")');
  await page.reload();
  await page.waitForSelector('text=✓ Record');
  await page.fill('[name="kind"]', 'significant');
  await page.click('button:has-text("Search")');
  await until(
    page,
    (count) => document.querySelectorAll('[aria-label="Journal"] tbody tr').length === count,
    events.length,
  );
  assert.match(page.url(), /kind=significant/);
  await page.reload();
  await page.waitForSelector('[aria-label="Journal"] tbody tr');
  assert.equal(await page.inputValue('[name="kind"]'), 'significant', 'the address keeps the search');
  const seqs = await page.$$eval('[aria-label="Journal"] tbody tr', (all) =>
    all.map((row) => Number(row.firstElementChild.textContent)),
  );
  const sought = (await auditor.api('GET', '/api/journal?kind=significant&limit=25&newest=true')).body.items;
  assert.deepEqual(
    seqs,
    sought.map((record) => record.seq),
  );
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await page.click('button:has-text("Replay")');
  await page.waitForSelector('h1:has-text("Round 1")');
  assert.ok((await page.locator('.log li').count()) > 5, 'an auditor sees any round');
  assert.deepEqual(auditor.problems, []);
  await auditor.close();
});
