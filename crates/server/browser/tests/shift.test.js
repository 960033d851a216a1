// A shift at a live table: everyone sees who deals, a change of shift leaves one dealer at work, the cage sells once,
// and the auditor finds everything that concerned a person.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, openBrowser, openHouse, visit } from '../house.js';
import { bet, until } from '../play.js';
import { employee, enterWhatIsDue, hire, player, signIn } from '../staff.js';

const HOUSE = `
[timings]
betting_ms = 600000
decision_ms = 600000
pause_ms = 0

[[table]]
rules = "nj-blackjack"
name = "Atrium"
dealing = "dealer"

[[table]]
rules = "nj-blackjack"
name = "Riverside"
dealing = "dealer"
`;

let house;
let browser;
let boss;
let passwords;
let cashier;
let dealer;
let floor;
before(async () => {
  house = await openHouse(HOUSE);
  browser = await openBrowser();
  ({ boss, passwords } = await hire(browser, house, ['dealer', 'floor', 'cashier', 'auditor']));
  cashier = await employee(browser, house, passwords, 'cashier');
  dealer = await employee(browser, house, passwords, 'dealer');
  floor = await employee(browser, house, passwords, 'floor');
  await enterWhatIsDue(boss);
});
after(async () => {
  await browser.close();
  await house.close();
});

const SIZES = [
  { width: 844, height: 390 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const version = (page) => page.getAttribute('.table-page', 'data-version').then(Number);
/** Does something and waits until the table has a new version. */
async function move(page, how) {
  const from = await version(page);
  await how();
  await until(page, (was) => Number(document.querySelector('.table-page').dataset.version) > was, from);
}
const open = async (visitor, table) => {
  await visitor.page.goto(`/console/${table}`);
  await until(visitor.page, () => Number(document.querySelector('.table-page')?.dataset.version) > 0);
};
const status = (page) => page.textContent('.console-next .status');
const acts = (page) => page.$$eval('.console-next [data-act]', (all) => all.map((act) => act.dataset.act));
/** Presses Enter for each step of the procedure, until betting opens. */
async function prepare(page) {
  for (;;) {
    const waits = await page.getAttribute('.table-page', 'data-awaiting');
    if (waits !== 'procedure') return;
    await page.waitForSelector('[data-act="perform"]:not([aria-disabled])');
    await move(page, () => page.keyboard.press('Enter'));
  }
}
/** Types cards and records them, by keys alone. */
async function type(page, ...cards) {
  for (const card of cards) {
    await page.waitForSelector('.card-entry:not([hidden])');
    for (const key of card) await page.keyboard.press(key.toLowerCase());
    await page.waitForSelector(`[data-pending="${card}"]`);
    await move(page, () => page.keyboard.press('Enter'));
  }
}

test('everyone sees who deals; after a change of shift the old dealer has one next step and deals nothing by a slip', async () => {
  const made = await boss.api('POST', '/api/staff/people', { name: 'Bea', role: 'dealer' });
  const old = dealer;
  assert.match(old.page.url(), /\/floor$/, 'whoever has several tables begins with all of them');
  assert.match(floor.page.url(), /\/floor$/);
  await open(old, 1);
  await prepare(old.page);
  const ann = await player(browser, house, cashier, 'ann', '200.00');
  await ann.page.goto('/table/1');
  await bet(ann, 3, 'mouse');
  await ann.page.waitForSelector(
    '.dealer .box-name:has-text("Dealer: dealer-one"), .box-name:has-text("Dealer: dealer-one")',
  );
  await floor.page.goto('/floor');
  await floor.page.waitForSelector('[data-table="1"]:has-text("Dealer: dealer-one")');
  // The dealer who arrives for the next shift is asked to take over, and has nothing else to press.
  const bea = await visit(browser, house, '/sign-in');
  await signIn(bea, 'Bea', made.body.one_time_password);
  await open(bea, 1);
  assert.match(await status(bea.page), /^dealer-one has dealt here since /);
  assert.deepEqual(await acts(bea.page), ['relieve']);
  for (const hidden of ['.seldom', '[name="irregularity"]', '.last-card'])
    assert.ok(!(await bea.page.isVisible(hidden)), `${hidden} is the dealer’s`);
  await bea.page.waitForSelector('[data-act="relieve"]:not([aria-disabled])');
  await move(bea.page, () => bea.page.keyboard.press('Enter'));
  // The relieved dealer is informed, and Enter no longer does anything at the table.
  await old.page.waitForSelector('.console-next .status:has-text("You have been relieved: Bea deals here now")');
  assert.deepEqual(await acts(old.page), ['to-the-tables', 'relieve']);
  assert.match(await old.page.textContent('.log'), /Bea takes over as dealer/);
  assert.match(await bea.page.textContent('.log'), /You take over as dealer/);
  await ann.page.waitForSelector('.box-name:has-text("Dealer: Bea")');
  await floor.page.waitForSelector('[data-table="1"]:has-text("Dealer: Bea")', { timeout: 10_000 });
  for (const colorScheme of ['light', 'dark']) {
    await old.page.emulateMedia({ colorScheme });
    assert.deepEqual(await findingsAtBothWidths(old.page, [WIDE, NARROW]), [], colorScheme);
  }
  await old.page.waitForSelector('[data-act="relieve"]:not([aria-disabled])');
  const awaited = async () => (await bea.api('GET', '/api/tables/1')).body.view.awaiting;
  const still = await awaited();
  await old.page.focus('body');
  await old.page.keyboard.press('Enter');
  await until(old.page, () => location.pathname === '/floor');
  assert.deepEqual(await awaited(), still);
  // Bea deals: boxes have their numbers, and a wrong card is corrected under one question.
  await prepare(bea.page);
  await bea.page.waitForSelector('[data-act="close-wagers"]:not([aria-disabled])');
  assert.match(await bea.page.textContent('[data-box="3"] .box-name'), /^3 · ann$/);
  await move(bea.page, () => bea.page.keyboard.press('Enter'));
  await type(bea.page, 'Ts', '9h');
  await bea.page.keyboard.press('Backspace');
  assert.equal(await status(bea.page), 'What card did the dealer actually get?');
  assert.equal(await bea.page.$('[data-box="3"].asked'), null, 'the felt points at the same place');
  await type(bea.page, '7d', '6h');
  assert.equal(await status(bea.page), 'Box 3: stand, hit, double');
  // In mid-round an arriving dealer sees who is at work, and can step in only explicitly.
  await open(old, 1);
  assert.match(await status(old.page), /Bea has dealt here since .* between rounds/);
  assert.deepEqual(await acts(old.page), ['to-the-tables', 'deal-on']);
  await old.page.click('[data-act="deal-on"]:not([aria-disabled])');
  await old.page.waitForSelector('.console-next .status:has-text("Box 3: ")');
  await bea.page.waitForSelector('.console-next .status:has-text("dealer-one deals here now")');
  await ann.page.click('.actions [data-act="stand"]:not([aria-disabled])');
  await old.page.waitForSelector('[data-awaiting="card"]');
  await type(old.page, 'Tc');
  await ann.page.waitForSelector('.box-name:has-text("Dealer: dealer-one")');
  // Announcements about the last round are gone in the next.
  await old.page.waitForSelector('.announcements:has-text("Dealer: 17")');
  await bet(ann, 3, 'mouse');
  await old.page.waitForSelector('.announcements:has-text("Nothing yet")');
  assert.deepEqual(
    [old, bea, ann, floor].flatMap((one) => one.problems),
    [],
  );
  await bea.close();
  await ann.close();
});

test('a table that called does not call twice, its players are told, and who comes reads what happened', async () => {
  await open(dealer, 2);
  await prepare(dealer.page);
  const guest = await visit(browser, house, '/table/2');
  await dealer.page.click('[data-act="call-floor"]:not([aria-disabled])');
  await dealer.page.click('dialog .reasons button >> nth=1');
  await dealer.page.click('dialog [data-act="give-reason"]');
  await dealer.page.waitForSelector('.called:has-text("No answer yet")');
  assert.match(await dealer.page.textContent('.called'), /Floor called at \d+:\d\d/);
  assert.equal(await dealer.page.$('.console-next [data-act="call-floor"]'), null);
  await guest.page.waitForSelector('.floor-called:has-text("Floor called")');
  await floor.page.waitForSelector('[data-call] a:has-text("Go to table")');
  await floor.page.click('[data-call] a');
  await floor.page.waitForSelector('.console-next');
  // A console that opens later shows what happened before, once and in order.
  const log = (page) => page.$$eval('.log li > span', (all) => all.map((line) => line.textContent));
  await floor.page.waitForSelector('.log li');
  const steps = await log(floor.page);
  assert.ok(steps.length > 3, `what happened before: ${steps}`);
  assert.deepEqual(steps, await log(dealer.page));
  await until(floor.page, () => !document.querySelector('[data-call] a'));
  await floor.page.click('[data-act="answer-call"]');
  await guest.page.waitForSelector('.floor-called:has-text("floor-one is on the way")');
  await floor.page.click('[data-act="end-call"]');
  await until(guest.page, () => !document.querySelector('.floor-called'));
  await dealer.page.waitForSelector('.console-next [data-act="call-floor"]');
  assert.deepEqual(
    [dealer, guest, floor].flatMap((one) => one.problems),
    [],
  );
  await guest.close();
});

test('a card drawn in error and seen lies in everyone’s sight, is named in words, and is recorded by one key', async () => {
  await open(dealer, 2);
  const { page } = dealer;
  await prepare(page);
  const guests = [];
  for (const box of [1, 2, 3, 4, 5, 6]) {
    guests.push(await visit(browser, house, '/table/2'));
    await bet(guests[box - 1], box, 'mouse');
  }
  const [guest] = guests;
  await page.waitForSelector('[data-act="close-wagers"]:not([aria-disabled])');
  await move(page, () => page.keyboard.press('Enter'));
  await type(page, ...'5s 9c 8d 7d 6c Kh 9d 6d Th 9h Tc Jd 7s'.split(' '));
  await page.$eval('.irregular', (fold) => fold.setAttribute('open', ''));
  await page.selectOption('[name="irregularity"]', 'exposed');
  await page.fill('[name="reported-card"]', '4c');
  await move(page, () => page.click('[data-act="report"]'));
  assert.equal(await page.inputValue('[name="reported-card"]'), '', 'nothing sticks');
  for (const one of [page, guest.page]) {
    await one.waitForSelector('.felt .exposed-card cut-card[card="4c"]');
    assert.match(await one.textContent('.log'), /Irregularity: Card drawn in error, exposed/);
  }
  const apart = () => {
    const box = (where) => document.querySelector(where).getBoundingClientRect();
    const [card, felt] = [box('.exposed-card'), box('.felt')];
    const over = Array.from(document.querySelectorAll('.hand cut-card, .dealer-hand cut-card, .shoe'), (other) => {
      const { left, right, top, bottom } = other.getBoundingClientRect();
      return left < card.right && right > card.left && top < card.bottom && bottom > card.top;
    });
    return !over.includes(true) && card.right <= felt.right && card.bottom <= felt.bottom;
  };
  for (const [one, size] of [page, guest.page].flatMap((one) => SIZES.map((size) => [one, size]))) {
    await one.setViewportSize(size);
    assert.ok(await one.evaluate(apart), `on the felt, and on no other card: ${size.width} x ${size.height}`);
    const findings = await findingsAtBothWidths(one, [size]);
    assert.deepEqual(findings, []);
  }
  assert.match(await status(page), /^Box 1: .*\. The exposed four of clubs is the next card\.$/);
  await guest.page.click('.actions [data-act="hit"]:not([aria-disabled])');
  await page.waitForSelector('[data-pending="4c"]');
  await move(page, () => page.keyboard.press('Enter'));
  await until(guest.page, () => document.querySelectorAll('[data-box="1"] cut-card[card="4c"]').length === 1);
  assert.equal(await guest.page.$('.exposed-card'), null);
  assert.deepEqual(
    [dealer, ...guests].flatMap((one) => one.problems),
    [],
  );
  for (const one of guests) await one.close();
});

test('a cashier’s order is done once, whatever becomes of its answer; what is wrong stands at its field', async () => {
  const { page } = cashier;
  await player(browser, house, cashier, 'cora', '100.00').then((cora) => cora.close());
  await page.goto('/cashier');
  await page.fill('[name="patron"]', 'nobody-here');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[name="patron"][aria-invalid="true"]');
  assert.match(await page.textContent('.field:has([name="patron"]), label:has([name="patron"])'), /nobody-here/);
  // By keys alone: the name, then the amount.
  await page.fill('[name="patron"]', 'cora');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.patron:has-text("100")');
  assert.equal(await page.getAttribute('[name="patron"]', 'aria-invalid'), null);
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'amount');
  // The answer is lost on its way; the order was carried out.
  await page.route('**/api/cashier/buy-ins', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.type('50');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#down:not([hidden])');
  await page.unroute('**/api/cashier/buy-ins');
  await until(page, () => document.getElementById('down').hidden);
  await page.click('button:has-text("Buy-in")');
  await page.waitForSelector('.grid tbody tr');
  await page.waitForSelector('.patron:has-text("150")');
  assert.equal(await page.locator('.grid tbody tr').count(), 1);
  assert.equal((await cashier.api('GET', '/api/cashier/patrons/cora')).body.cash, '150.00', 'sold once');
  // Typing another name clears the previous account.
  await page.fill('[name="patron"]', 'cor');
  assert.equal(await page.textContent('.patron'), '');
});

test('an auditor’s search for a person finds what was done for them and about them, and says what', async () => {
  const bob = await player(browser, house, cashier, 'bob', '100.00');
  const people = (await boss.api('GET', '/api/staff/people?limit=100')).body.items;
  const { person } = people.find(({ name }) => name === 'bob');
  await boss.api('PATCH', `/api/staff/people/${person}`, { disabled: true, reason: 'asked for it' });
  const auditor = await employee(browser, house, passwords, 'auditor');
  const { page } = auditor;
  await page.waitForSelector('[aria-label="Journal"] tbody tr');
  await page.fill('[name="person"]', 'Bob');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.concerned');
  const rows = await page.$$eval('[aria-label="Journal"] tbody tr', (all) =>
    all.map((row) => Array.from(row.children, (cell) => cell.textContent)),
  );
  const bought = rows.find(([, , kind]) => /buy-in/i.test(kind));
  assert.ok(bought, `the chips that the cashier sold: ${JSON.stringify(rows)}`);
  assert.equal(bought[4], 'cashier-one');
  assert.match(bought[5], /bob’s chips: \+100/);
  assert.match(bought[5], /cashier-one’s drawer −100/);
  const changed = rows.find(([, , kind]) => /significant/i.test(kind));
  assert.match(changed[5], /Mentions bob\. supervisor changed bob’s account: .*asked for it/);
  assert.ok(
    rows.every((row) => /bob/.test(row.join(' '))),
    'nothing else',
  );
  assert.match(page.url(), /concerns=Bob/);
  await page.reload();
  await page.waitForSelector('.concerned');
  assert.equal(await page.inputValue('[name="person"]'), 'Bob');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  for (const one of [auditor, bob]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});
