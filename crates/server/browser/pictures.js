// Takes the screenshots in docs/screenshots: `node pictures.js DIRECTORY [part of a name]`. Every game in play, a full
// table on a desktop and on phones, and the lab; the lobby, a table for one, the dealer's console and a drill, light and
// dark, on a desktop and on a phone. The cards of the games are arranged, the others are not.

import { mkdirSync } from 'node:fs';
import { openBrowser, openHouse, visit } from './house.js';
import { begun, moved, press, shown } from './play.js';

const [where = 'pictures', only = ''] = process.argv.slice(2);
mkdirSync(where, { recursive: true });
const house = await openHouse('[timings]\nbetting_ms = 3000\n[[table]]\nrules = "nj-blackjack"\n');
const browser = await openBrowser();
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const ACROSS = { width: 844, height: 390 };
const OWN = 3;

/** @param {import('playwright-core').Page} page */
async function take(page, name, size = DESK) {
  await page.setViewportSize(size);
  await page.mouse.move(5, 5);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${where}/${name}.png` });
  await page.setViewportSize(DESK);
}

/** Takes a page light and dark, on a desktop and on a phone. @param {import('playwright-core').Page} page */
async function takeAll(page, name) {
  if (!name.includes(only)) return;
  for (const colorScheme of ['light', 'dark'])
    for (const [suffix, size] of [
      ['', DESK],
      ['-phone', PHONE],
    ]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await page.mouse.move(5, 5);
      await page.evaluate(() => scrollTo(0, 0));
      await page.waitForTimeout(300);
      const path = `${where}/${name}-${colorScheme}${suffix}.jpg`;
      await page.screenshot({ path, type: 'jpeg', quality: 70 });
    }
  await page.setViewportSize(DESK);
}

const GAMES = [
  ['blackjack', 'nj-blackjack', '8s 6h 8d 8c 3h Td Ts', ['main-0'], ['split', 'split', 'double']],
  ['multiple-action', 'nj-multiple-action', 'Ks 6h Qd Tc Kc Kd 3h 7h 8h', ['main-0', 'main-1', 'main-2'], ['stand']],
  ['switch', 'nj-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match'], ['switch']],
  ['double-attack', 'nj-double-attack', '6h Ks 9d Kc Qh Jh', ['main-0'], ['attack']],
  ['triple-attack', 'nj-triple-attack', '5s 6h 6d', ['main-0'], ['attack', 'attack']],
  ['insurance', 'nj-blackjack', 'Qs Ah Kd 5c 8c 9c', ['main-0'], ['insure']],
].filter(([name]) => name.includes(only));

for (const [name, table, cards, areas, acts] of GAMES) {
  const query = new URLSearchParams({ play: '1', table, cards });
  const { page, close } = await visit(browser, house, `/train?${query}`, { colorScheme: 'dark' });
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const worth of [2500, 500]) {
    await page.click(`[data-chip="${worth}"]`);
    await page.click(`[data-box="1"] [data-area="${areas[0]}"]`);
  }
  for (const area of areas.slice(1)) await page.click(`[data-box="1"] [data-area="${area}"]`);
  if (areas.length > 2) for (const area of areas.slice(1)) await page.click(`[data-box="1"] [data-area="${area}"]`);
  await press(page, 'mouse', 'deal');
  for (const act of acts) await press(page, 'mouse', act);
  await page.waitForSelector(':is(.play, .betting) [data-act]:not([aria-disabled])');
  await take(page, name);
  await close();
}

if ('table phone phone-across'.includes(only)) {
  const me = await visit(browser, house, '/table/1', { colorScheme: 'dark' });
  const { page } = me;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const others = new Map();
  for (let box = 1; box <= 6; box += 1) {
    if (box === OWN) continue;
    others.set(box, (await browser.newContext({ baseURL: house.url })).request);
    await others.get(box).post('/api/guests');
  }
  let id = 0;
  const act = (box, action) =>
    others.get(box).post('/api/tables/1/actions', { data: { id: `picture-${(id += 1)}`, box, ...action } });
  const view = async () => (await me.api('GET', '/api/tables/1')).body.view;
  for (let taken = false; !taken;) {
    const { round } = await view();
    for (const box of others.keys()) await act(box, { do: 'wager', amounts: [['40.00', '125.00', '25.00'][box % 3]] });
    await page.click(`[data-box="${OWN}"] [data-area="main-0"]`);
    await press(page, 'mouse', 'deal');
    for (let now = await view(); now.round === round && !taken; now = await view()) {
      const { what, box } = now.awaiting;
      if (what === 'decision' && box === OWN) {
        await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
        await take(page, 'table');
        await take(page, 'phone', PHONE);
        await take(page, 'phone-across', ACROSS);
        taken = true;
      } else if (what === 'decision') await act(box, { do: 'stand', round });
      await page.waitForTimeout(80);
    }
  }
  await me.close();
}

if ('lab'.includes(only)) {
  const { page, close } = await visit(browser, house, '/lab?table=nj-blackjack', { colorScheme: 'dark' });
  await page.waitForSelector('.strategy', { timeout: 120_000 });
  await take(page, 'lab', { width: 1280, height: 1000 });
  await close();
}
await house.close();

if (['lobby', 'solo', 'over', 'console', 'drill'].some((name) => name.includes(only))) {
  const standard = await openHouse();
  const player = await visit(browser, standard, '/');
  const { page } = player;
  await page.waitForFunction(() => document.querySelectorAll('.game .edge b').length === 6, null, { timeout: 60_000 });
  await takeAll(page, 'lobby');
  await page.click('[data-act="deal-me-in"]');
  await page.waitForSelector('.felt.solo');
  for (let asked = false; !asked;) {
    await page.waitForSelector('[data-awaiting="wagers"] .betting .primary:not([aria-disabled])');
    const { round } = await shown(page);
    await page.keyboard.press('Space');
    await begun(page, round);
    await page.waitForSelector(
      '.play [data-act]:not([aria-disabled]), [data-awaiting="wagers"] .betting .primary:not([aria-disabled])',
    );
    const { awaiting, version } = await shown(page);
    if (awaiting === 'offer') {
      await press(page, 'mouse', 'decline');
      await moved(page, version);
    }
    asked = (await shown(page)).awaiting === 'decision';
  }
  await takeAll(page, 'solo');
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('.quiet-line:has-text("Best:"), .quiet-line:has-text("Well played")', {
    timeout: 60_000,
  });
  await takeAll(page, 'over');
  await player.close();
  for (const [name, path, ready] of [
    ['console', '/rehearse', '.pay-take [data-act="close-round"]'],
    ['drill', '/train?table=nj-blackjack&kind=hard', '.actions [data-act="stand"]'],
  ]) {
    if (!name.includes(only)) continue;
    const visitor = await visit(browser, standard, path, { example: true });
    await visitor.page.waitForSelector(ready, { timeout: 180_000 });
    await takeAll(visitor.page, name);
    await visitor.close();
  }
  await standard.close();
}
await browser.close();
