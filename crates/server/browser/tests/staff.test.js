// The house's own people: accounts, cashier, the dealer's and the floor's console, reports, and the check of a finished shoe.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, openBrowser, openHouse, visit } from '../house.js';
import { bet, compare, finish } from '../play.js';

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

/** Signs in through the page, choosing a password of one's own if the first was for one time. */
async function signIn(visitor, name, password) {
  const { page } = visitor;
  await page.goto('/sign-in');
  await page.fill('[name="name"]', name);
  await page.fill('[name="password"]', password);
  await page.click('button:has-text("Sign in")');
  await page.waitForFunction(
    () => document.querySelector('[name="new-password"]') || !location.pathname.startsWith('/sign-in'),
  );
  if (await page.$('[name="new-password"]')) {
    await page.fill('[name="new-password"]', `${name}-own-password`);
    await page.click('button:has-text("Change")');
    await page.waitForFunction(() => !location.pathname.startsWith('/sign-in'));
  }
}

const passwords = {};

test('the supervisor makes accounts', async () => {
  const boss = await visit(browser, house, '/sign-in');
  const [name, password] = house.supervisor;
  await signIn(boss, name, password);
  await boss.page.waitForSelector('h1:has-text("People")');
  for (const role of ['dealer', 'floor', 'cashier', 'auditor']) {
    await boss.page.fill('[name="name"]', `${role}-one`);
    await boss.page.selectOption('[name="role"]', role);
    await boss.page.click('button:has-text("Make account")');
    const secret = await boss.page.waitForSelector('.one-time');
    passwords[role] = await secret.textContent();
    await boss.page.keyboard.press('Escape');
    await boss.page.waitForSelector('dialog', { state: 'detached' });
  }
  const people = (await boss.api('GET', '/api/staff/people')).body.items.map((p) => p.name);
  for (const role of Object.keys(passwords)) assert.ok(people.includes(`${role}-one`));
  assert.deepEqual(await findingsAtBothWidths(boss.page, [WIDE, NARROW]), []);
  assert.deepEqual(boss.problems, []);
  await boss.close();
});

test('the cashier sells chips to a player, who sees them', async () => {
  const ann = await visit(browser, house, '/sign-in');
  await ann.page.fill('[name="name"]', 'ann');
  await ann.page.fill('[name="password"]', 'ann-has-a-password');
  await ann.page.click('button:has-text("Join")');
  await ann.page.waitForSelector('#balance');
  const cage = await visit(browser, house, '/sign-in');
  await signIn(cage, 'cashier-one', passwords.cashier);
  await cage.page.waitForSelector('h1:has-text("Cashier")');
  await cage.page.fill('[name="patron"]', 'ann');
  await cage.page.click('button:has-text("Look up")');
  await cage.page.waitForSelector('.patron b');
  await cage.page.fill('[name="amount"]', '250');
  await cage.page.click('button:has-text("Sell chips")');
  await cage.page.waitForSelector('.grid tbody tr');
  await ann.page.goto('/account');
  await ann.page.waitForSelector('.big-balance');
  assert.equal(await ann.page.textContent('.big-balance b'), '250');
  const line = await ann.page.textContent('.grid tbody tr');
  assert.match(line, /Buy in.*\+250.*250/);
  const form = ann.page.locator('form', { hasText: 'At most' });
  await form.locator('input').fill('100');
  await form.locator('button').click();
  await ann.page.waitForSelector('text=Loss, a day');
  const limits = (await ann.api('GET', '/api/me/limits')).body.limits;
  assert.equal(limits.find((l) => l.measure === 'loss' && l.span === 'day').most, 10000);
  assert.deepEqual(await findingsAtBothWidths(cage.page, [WIDE, NARROW]), []);
  assert.deepEqual(await findingsAtBothWidths(ann.page, [WIDE, NARROW]), []);
  assert.deepEqual([...ann.problems, ...cage.problems], []);
  await ann.close();
  await cage.close();
});

test('a dealer deals a round from the console, by key and by click', async () => {
  const dealer = await visit(browser, house, '/sign-in');
  await signIn(dealer, 'dealer-one', passwords.dealer);
  const { page } = dealer;
  await page.click('[data-table="10"]');
  await page.waitForSelector('.console-next .status');
  const awaiting = async () => (await dealer.api('GET', '/api/tables/10')).body.view;
  const settled = (version) =>
    page.waitForFunction(
      (v) =>
        window.performance &&
        fetch('/api/tables/10')
          .then((a) => a.json())
          .then((b) => b.view.version > v),
      version,
    );
  for (let step = 0; step < 40; step += 1) {
    const view = await awaiting();
    if (view.awaiting.what !== 'procedure') break;
    await page.waitForSelector('[data-awaiting="procedure"] [data-act="perform"]');
    await page.click('[data-act="perform"]');
    await settled(view.version);
    await page.waitForTimeout(60);
  }
  assert.equal((await awaiting()).awaiting.what, 'wagers', 'the cards are ready');
  const guest = await visit(browser, house, '/table/10');
  await bet(guest, 2, 'mouse');
  await page.waitForSelector('[data-act="close-wagers"]');
  await page.click('[data-act="close-wagers"]');
  // Box 2 gets 9 and K, the dealer shows 7 and later turns T.
  const cards = ['9h', '7c', 'Ks'];
  for (let at = 0, step = 0; step < 12; step += 1) {
    await page.waitForTimeout(120);
    const view = await awaiting();
    if (view.awaiting.what !== 'card') break;
    await page.waitForSelector('[data-awaiting="card"]');
    if (view.awaiting.to === 'hole') {
      await page.click('[data-act="face-down"]');
    } else {
      const card = cards[at];
      at += 1;
      if (at % 2) {
        await page.keyboard.press(card[0].toLowerCase());
        await page.keyboard.press(card[1]);
      } else {
        await page.click(`[data-rank="${card[0]}"]`);
        await page.click(`[data-suit="${card[1]}"]`);
      }
    }
    await settled(view.version);
  }
  assert.deepEqual((await awaiting()).boxes[0].hands[0].cards, ['9h', 'Ks']);
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await guest.page.waitForSelector('[data-act="stand"]');
  await compare(guest, 10);
  await guest.page.click('[data-act="stand"]');
  await page.waitForSelector('[data-awaiting="card"]');
  await page.keyboard.press('t');
  await page.keyboard.press('d');
  await guest.page.waitForFunction(() => /You win/.test(document.querySelector('.status').textContent));
  assert.equal(await guest.page.textContent('#balance'), '1,010', '19 beats 17');
  // An irregularity by name, and what follows.
  await page.selectOption('[name="irregularity"]', 'shuffler-failed');
  await page.click('button:has-text("Report")');
  await page.waitForTimeout(300);
  assert.deepEqual([...dealer.problems, ...guest.problems], []);
  await dealer.close();
  await guest.close();
});

test('the floor orders a reshuffle, and the finished shoe is checked in the page', async () => {
  const floor = await visit(browser, house, '/sign-in');
  await signIn(floor, 'floor-one', passwords.floor);
  const guest = await visit(browser, house, '/table/1');
  await bet(guest, 1, 'mouse');
  await finish(guest, 1, 'mouse');
  await floor.page.goto('/console/1');
  await floor.page.click('[data-act="reshuffle"]');
  await floor.page.waitForTimeout(400);
  for (let tries = 0; tries < 4; tries += 1) {
    if ((await guest.api('GET', '/api/tables/1/shoes/1')).status === 200) break;
    await bet(guest, 1, 'mouse');
    await finish(guest, 1, 'mouse');
  }
  await guest.page.goto('/shoe/1/1');
  const verdict = await guest.page.waitForSelector('[data-verdict]');
  assert.equal(await verdict.getAttribute('data-verdict'), 'passed');
  assert.match(await guest.page.textContent('main'), /this browser noted/);
  const opening = (await guest.api('GET', '/api/tables/1/shoes/1')).body;
  assert.match(await guest.page.textContent('.facts'), new RegExp(opening.commitment));
  assert.deepEqual(await findingsAtBothWidths(guest.page, [WIDE, NARROW]), []);
  assert.deepEqual(await findingsAtBothWidths(floor.page, [WIDE, NARROW]), []);
  assert.deepEqual([...floor.problems, ...guest.problems], []);
  await floor.close();
  await guest.close();
});

test('the auditor reads reports, events and the journal', async () => {
  const auditor = await visit(browser, house, '/sign-in');
  await signIn(auditor, 'auditor-one', passwords.auditor);
  const { page } = auditor;
  await page.waitForSelector('text=✓ reconciles');
  const report = (await auditor.api('GET', '/api/reports/today')).body;
  assert.match(await page.textContent('main'), new RegExp(`${report.day}`));
  const events = (await auditor.api('GET', '/api/significant-events?limit=50')).body.items;
  assert.equal(await page.locator('[aria-label="Significant events"] tbody tr').count(), events.length);
  await page.click('button:has-text("Note this end")');
  await page.reload();
  await page.waitForSelector('text=✓ Record');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  assert.deepEqual(auditor.problems, []);
  await auditor.close();
});
