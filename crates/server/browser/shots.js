// Takes screenshots of every page at both widths, dark and light, for review: `node shots.js DIRECTORY [part of a
// name]`.

import { mkdirSync } from 'node:fs';
import { NARROW, WIDE, openBrowser, openHouse, visit } from './house.js';
import { bet, deal, finish, press } from './play.js';
import { employee, hire } from './staff.js';

const [where = 'shots', only = ''] = process.argv.slice(2);
mkdirSync(where, { recursive: true });
const house = await openHouse();
const browser = await openBrowser();
const SIZES = [
  ['wide', WIDE],
  ['narrow', NARROW],
];
const LONG = { timeout: 120_000 };

/** Takes a screenshot at both widths in both color schemes. */
async function take(visitor, name, whole = true) {
  const { page } = visitor;
  for (const [size, viewport] of SIZES) {
    for (const colorScheme of ['light', 'dark']) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${where}/${name}-${size}-${colorScheme}.png`, fullPage: whole });
    }
  }
  await page.setViewportSize(WIDE);
}

/** Deals these cards at a training table, takes the given actions, and takes a screenshot. */
async function situation(name, table, cards, { set = [], areas = ['main-0'], acts = [] } = {}) {
  if (!name.includes(only)) return;
  const query = new URLSearchParams({ play: '1', table, cards });
  for (const text of set) query.append('set', text);
  const visitor = await visit(browser, house, `/train?${query}`);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
  await press(page, 'mouse', 'deal');
  for (const act of acts) await press(page, 'mouse', act);
  await page.waitForSelector('.box .hand :is(.badge, .total:not(.badge + .total))');
  await take(visitor, name, false);
  await visitor.close();
}

await situation('insurance', 'nj-blackjack', 'As Ah Kd Kh', { set: ['even_money=true'] });
await situation('split', 'nj-blackjack', '8s 6h 8d 8c 3h Td Ts', { acts: ['split', 'split', 'double'] });
await situation('switch', 'nj-switch', 'Ts 6s 6h 5d Td', { areas: ['main-0', 'match'], acts: ['switch'] });
await situation('attack', 'nj-triple-attack', 'As 6h Kd', { areas: ['main-0', 'suited-royals'], acts: ['attack'] });
await situation('multiple', 'nj-multiple-action', 'Ks 6h Qd Tc Kc Kd 3h 7h 8h', {
  areas: ['main-0', 'main-1', 'main-2'],
  acts: ['stand'],
});
await situation('bonus', 'nj-blackjack', 'As 6h Kd Tc Kc', {
  set: ['side_wagers.blackjack-bonus=true'],
  areas: ['main-0', 'blackjack-bonus'],
});

const guest = await visit(browser, house, '/table/6');
const { page } = guest;
await page.waitForSelector('[data-awaiting="wagers"]');
const round = await page.getAttribute('.table-page', 'data-round');
if ('table'.includes(only) || only.startsWith('table')) {
  await page.click('[data-chip="2500"]');
  await page.click('[data-box="2"] [data-area="main-0"]');
  await take(guest, 'table-bet', false);
  await page.click('[data-act="clear"]');
}
await page.click('[data-chip="500"]');
await page.click('[data-box="3"] [data-area="match"]');
await deal(guest, 3, 'mouse');
await finish(guest, 6, 'mouse');
if ('table'.includes(only) || only.startsWith('table')) {
  await take(guest, 'table-result', false);
  await page.click('.pill[data-net]');
  await page.waitForSelector('.why-panel .why');
  await take(guest, 'table-why', false);
  await page.keyboard.press('Escape');
}
for (const [name, path, ready] of [
  ['lobby', '/', '.game .edge b'],
  ['rules', '/rules/6', '.words li'],
  ['clauses', '/clauses?q=lammer', '.clause-entry'],
  ['lab', '/lab?table=nj-switch', '.strategy'],
  ['lab-attack', '/lab?table=nj-double-attack&rounds=100000&seed=1&count=hi-lo', '.pictures img'],
  ['train', '/train?table=nj-switch&kind=switch', '[data-act="ask"]'],
  ['history', '/history', '.grid'],
  ['replay', `/round/6/${round}`, '.log li'],
  ['account', '/account', '[aria-label="Statement"] tbody tr'],
  ['sign-in', '/sign-in', 'form'],
  ['protect', '/protect', '.plain-list'],
]) {
  if (!name.includes(only)) continue;
  await page.goto(path);
  await page.waitForSelector(ready, LONG);
  await take(guest, name);
}

if (['staff', 'console', 'cashier', 'audit'].some((name) => name.includes(only))) {
  const { boss, passwords } = await hire(browser, house, ['dealer', 'cashier', 'auditor']);
  await boss.page.goto('/staff');
  await boss.page.waitForSelector('.grid');
  await take(boss, 'staff');
  const auditor = await employee(browser, house, passwords, 'auditor');
  await auditor.page.waitForSelector('text=✓ balanced');
  await auditor.page.waitForSelector('[aria-label="Journal"] tbody tr');
  await take(auditor, 'audit');
  const cashier = await employee(browser, house, passwords, 'cashier');
  await cashier.page.waitForSelector('[name="patron"]');
  await take(cashier, 'cashier');
  const dealer = await employee(browser, house, passwords, 'dealer');
  await dealer.page.goto('/console/10');
  for (;;) {
    await dealer.page.waitForSelector('.console-next .status');
    const { view } = (await dealer.api('GET', '/api/tables/10')).body;
    if (view.awaiting.what !== 'procedure') break;
    await dealer.page.click('[data-act="perform"]');
    const { version } = view;
    await dealer.page.waitForFunction(
      (v) => Number(document.querySelector('.table-page').dataset.version) > v,
      version,
    );
  }
  await page.goto('/table/10');
  await bet(guest, 3, 'mouse');
  await dealer.page.click('[data-act="close-wagers"]');
  await dealer.page.waitForSelector('[data-rank="9"]');
  await dealer.page.keyboard.press('9');
  await dealer.page.keyboard.press('h');
  await dealer.page.keyboard.press('Enter');
  await dealer.page.waitForSelector('.status:has-text("Dealer’s card")');
  await dealer.page.keyboard.press('k');
  await take(dealer, 'console');
}
await browser.close();
await house.close();
if (house.errors()) console.log(house.errors());
