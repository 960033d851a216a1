// The desk of dealers and the floor: a rehearsal that anyone can open and deal, the pit view, and racks that are
// counted and recorded.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { DEEP, NARROW, WIDE, openHouse, visit } from '../house.js';
import { bet, press, until } from '../play.js';
import { browser, house } from '../site.js';
import { employee, hire } from '../staff.js';

const waits = (page) => page.getAttribute('.table-page', 'data-awaiting');

/** Takes the next step and waits until the table has a new version. */
async function next(page, act) {
  const version = Number(await page.getAttribute('.table-page', 'data-version'));
  await page.waitForSelector(`[data-act="${act}"]:not([aria-disabled])`);
  await page.click(`[data-act="${act}"]`);
  await until(page, (before) => Number(document.querySelector('.table-page').dataset.version) > before, version);
}

/** Types a card and records it. */
async function type(page, card) {
  const version = Number(await page.getAttribute('.table-page', 'data-version'));
  await page.waitForSelector('[data-rank]');
  for (const key of card) await page.keyboard.press(key.toLowerCase());
  await page.waitForSelector(`[data-pending="${card}"]`);
  await page.keyboard.press('Enter');
  await until(page, (before) => Number(document.querySelector('.table-page').dataset.version) > before, version);
}

/** Prepares the cards, up to the end of the procedure. */
async function prepare(page) {
  for (let step = 0; step < 40 && (await waits(page)) === 'procedure'; step += 1) await next(page, 'perform');
  for (let step = 0; step < 10 && (await waits(page)) === 'card'; step += 1) await next(page, 'draw');
}

test('a stranger deals a table, by keys, and an irregularity says what must be done', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await page.click('[data-act="rehearse"]');
  await page.waitForSelector('.console-next .status');
  await prepare(page);
  await next(page, 'players-bet');
  await next(page, 'close-wagers');
  // Three players and the dealer: two cards for each player, one for the dealer.
  for (const card of ['Th', '9s', '8d', '6c', '7h', 'Ks', '9d']) await type(page, card);
  await until(page, () => document.querySelectorAll('.boxes cut-card').length >= 6);
  const log = await page.textContent('.log');
  assert.match(log, /Ada/);
  assert.match(log, /Box 1: stands/);
  // An irregularity, with its clause and remedy.
  await page.$eval('.irregular', (fold) => fold.setAttribute('open', ''));
  await page.selectOption('[name="irregularity"]', { index: 1 });
  await page.waitForSelector('.remedy .clause');
  await until(page, () => (document.querySelector('.remedy p.dim')?.textContent ?? '').length > 20);
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), [], colorScheme);
  }
  // Finish the round with random cards, and let the players bet again.
  for (let step = 0; step < 20 && (await waits(page)) === 'card'; step += 1) await next(page, 'draw');
  assert.equal(await waits(page), 'wagers');
  await until(page, () => document.querySelectorAll('.pill').length >= 3);
  await next(page, 'players-bet');
  // The last card can be corrected, and a round can be voided.
  await next(page, 'close-wagers');
  await type(page, '5h');
  await page.keyboard.press('Backspace');
  await type(page, '6h');
  assert.match(await page.textContent('.log'), /the card was the six of hearts/i);
  await page.click('[data-act="void"]:not([aria-disabled])');
  await page.fill('dialog [name="reason"]', 'rehearsed');
  await page.click('dialog button:has-text("Void the round")');
  await until(page, () => document.querySelector('.table-page').dataset.awaiting === 'wagers');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a game is rehearsed to the end of a round; all of them in ./test deep', async () => {
  const visitor = await visit(browser, house, '/rehearse');
  const { page } = visitor;
  const tables = ['nj-multiple-action', 'nj-switch', 'nj-double-attack', 'nj-triple-attack'];
  for (const table of DEEP ? tables : tables.slice(0, 1)) {
    await page.goto(`/rehearse?table=${table}`);
    await page.waitForSelector('.console-next .status');
    await prepare(page);
    await next(page, 'players-bet');
    await next(page, 'close-wagers');
    for (let step = 0; step < 60 && (await waits(page)) !== 'wagers'; step += 1)
      await next(
        page,
        (await page.$('[data-act="face-down"]'))
          ? 'face-down'
          : (await page.$('[data-act="reader-no"]'))
            ? 'reader-no'
            : 'draw',
      );
    assert.equal(await waits(page), 'wagers', table);
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('on a phone the orders at the desk are in sight, and so is the answer to what is asked', async () => {
  const visitor = await visit(browser, house, '/rehearse', { viewport: { width: 844, height: 390 } });
  const { page } = visitor;
  await page.waitForSelector('.console-next .status');
  /** Returns what is not entirely within the window and within its row. */
  const cut = (selector) =>
    page.$$eval(selector, (all) =>
      all
        .filter((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const row = element.closest('.actions, dialog')?.getBoundingClientRect();
          const least = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
          return [least, row ?? least].some(
            (frame) =>
              left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1,
          );
        })
        .map((element) => element.textContent),
    );
  const sizes = [
    { width: 844, height: 390 },
    { width: 390, height: 844 },
    { width: 360, height: 640 },
  ];
  for (const [dealt, size] of [false, true].flatMap((dealt) => sizes.map((size) => [dealt, size]))) {
    if (dealt && (await waits(page)) === 'procedure') {
      await page.setViewportSize(WIDE);
      await prepare(page);
      await next(page, 'players-bet');
      await next(page, 'close-wagers');
      await type(page, '5h');
    }
    await page.setViewportSize(size);
    await page.evaluate(() => scrollTo(0, 0));
    const where = `${size.width} x ${size.height}`;
    if (!dealt) {
      assert.deepEqual(await cut('.console-next .actions > [data-act]'), [], where);
      continue;
    }
    await page.click('[data-act="void"]:not([aria-disabled])');
    await page.waitForSelector('dialog[open] [data-act="give-reason"]');
    assert.deepEqual(await cut('dialog .reasons button, dialog [name="reason"], dialog [data-act]'), [], where);
    await page.keyboard.press('Escape');
    await until(page, () => !document.querySelector('dialog'));
  }
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the floor sees every table, who calls comes first, and a rack is counted', async () => {
  const { boss, passwords } = await hire(browser, house, ['dealer', 'floor', 'auditor']);
  const floor = await employee(browser, house, passwords, 'floor');
  const { page } = floor;
  await page.goto('/floor');
  await page.waitForSelector('.desk-tile');
  const tables = (await floor.api('GET', '/api/tables')).body;
  await until(page, (all) => document.querySelectorAll('.desk-tile').length === all, tables.length);
  const live = tables.find((table) => table.dealing === 'dealer').table;
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), [], colorScheme);
  }
  const first = await page.getAttribute('.desk-tile', 'data-table');
  assert.equal(Number(first), live, 'a table that somebody deals comes before those of the platform');
  const dealer = await employee(browser, house, passwords, 'dealer');
  await dealer.api('POST', `/api/tables/${live}/actions`, { id: 'call-1', do: 'call-floor', reason: 'A payment' });
  await page.waitForSelector(`.desk-tile[data-table="${live}"][data-urgent="2"]`, { timeout: 10_000 });
  await until(page, (table) => document.querySelector('.desk-tile').dataset.table === String(table), live);
  assert.match(await page.textContent('.desk-tile'), /dealer-one called the floor/);
  // Count the rack by keys alone: the tile's link has the focus, C opens the count.
  await page.focus(`[data-table="${live}"] .desk-name`);
  await page.keyboard.press('c');
  await page.fill('[name="chips-25"]', '40');
  await page.fill('[name="chips-100"]', '12');
  await page.waitForSelector('dialog b:has-text("Total 2,200")');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`[data-table="${live}"] [data-count="2200"]`);
  // The next count, at the change of shift by the relieving dealer, shows the difference.
  const order = { id: 'count-2', why: 'shift', chips: { '25.00': 40, '100.00': 11 } };
  const counted = await dealer.api('POST', `/api/tables/${live}/counts`, order);
  assert.equal(counted.status, 200, JSON.stringify(counted.body));
  await page.waitForSelector(`[data-table="${live}"] [data-count]:has-text("−100 since the previous count")`, {
    timeout: 10_000,
  });
  const wrong = await dealer.api('POST', `/api/tables/${live}/counts`, { ...order, id: 'count-3', chips: { x: 1 } });
  assert.equal(wrong.status, 400);
  const guest = await visit(browser, house, '/');
  await guest.api('POST', '/api/guests');
  assert.equal((await guest.api('GET', `/api/tables/${live}/counts`)).status, 403, 'players do not see racks');
  const auditor = await employee(browser, house, passwords, 'auditor');
  const { body } = await auditor.api('GET', '/api/journal?limit=5&newest=true&kind=rack-count');
  assert.equal(body.items.length, 2, 'both counts are in the journal');
  // A table's number is its key.
  await page.keyboard.press('1');
  await page.waitForURL('**/table/1');
  await page.goto('/floor');
  await page.waitForSelector('[data-table="10"] kbd:has-text("0")');
  await page.keyboard.press('0');
  await page.waitForURL(/\/(table|console)\/10$/);
  await page.goto('/floor');
  await page.click(`[data-table="${live}"] .desk-name`);
  await page.waitForSelector('.console-next');
  for (const one of [floor, dealer, guest, auditor, boss]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});

test('a player has the batch of an idle table shuffled again', async () => {
  const own = await openHouse('[[table]]\nrules = "nj-blackjack"\nset = ["shuffle=automated"]\ndealing = "dealer"\n');
  const { boss, passwords } = await hire(browser, own, ['dealer']);
  const dealer = await employee(browser, own, passwords, 'dealer');
  const { page } = dealer;
  await page.goto('/console/1');
  await page.waitForSelector('.console-next');
  await prepare(page);
  let id = 0;
  const deed = async (action) => {
    const done = await dealer.api('POST', '/api/tables/1/actions', { id: `deed-${(id += 1)}`, ...action });
    assert.equal(done.status, 200, JSON.stringify(done.body));
  };
  await deed({ do: 'idle' });
  await page.waitForSelector('[data-awaiting="procedure"]');
  await prepare(page);
  const guest = await visit(browser, own, '/table/1');
  await guest.page.waitForSelector('[data-awaiting="wagers"]');
  assert.equal(await guest.page.$('[data-act="reshuffle"]'), null, 'not before a wager lies');
  await bet(guest, 2, 'mouse');
  await press(guest.page, 'mouse', 'reshuffle');
  await guest.page.waitForSelector('[data-awaiting="procedure"]');
  await guest.page.click('[role="tab"]:has-text("Log")');
  await guest.page.waitForSelector('.log li:has-text("stored cards")');
  for (const one of [dealer, guest, boss]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
  await own.close();
});

test('a first rehearsal begins with a dealt example; its chips stay listed until they are confirmed', async () => {
  const visitor = await visit(browser, house, '/rehearse', { example: true });
  const { page } = visitor;
  await page.waitForSelector('[data-act="show-me"][data-running]');
  const list = page.locator('.pay-take');
  await page.waitForSelector('.pay-take [data-act="close-round"]', { timeout: 180_000 });
  await page.waitForSelector('[data-act="show-me"]:not([data-running])');
  const rows = await list.locator('li').count();
  assert.ok(rows >= 3, `a row for each wager: ${rows}`);
  await page.click('[data-act="players-bet"]:not([aria-disabled])');
  await page.waitForSelector('[data-act="close-wagers"]');
  assert.equal(await list.locator('li').count(), rows, 'new bets do not put the list away');
  await page.click('[data-act="close-round"]');
  await page.waitForSelector('.pay-take', { state: 'detached' });
  assert.ok((await page.locator('.box.taken').count()) >= 3, 'the new bets lie there');
  // The example is not shown a second time unless requested; any press ends it.
  await page.reload();
  await page.waitForSelector('.console-next .status');
  assert.equal(await page.locator('[data-running]').count(), 0);
  await page.click('[data-act="show-me"]');
  await page.waitForSelector('[data-running]');
  await page.keyboard.press('Shift');
  await page.waitForSelector('[data-running]', { state: 'detached' });
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
