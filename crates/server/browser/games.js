// Takes screenshots of every game in play at common screen sizes, for review: `node games.js DIRECTORY [part of a
// name]`.

import { mkdirSync } from 'node:fs';
import { openBrowser, openHouse, visit } from './house.js';
import { press } from './play.js';

const [where = 'games', only = ''] = process.argv.slice(2);
mkdirSync(where, { recursive: true });
const house = await openHouse();
const browser = await openBrowser();
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 360, height: 640 },
];
const GAMES = [
  ['nj-blackjack', '8s 6h 8d 8c 3h Td Ts', ['main-0'], ['split', 'split']],
  ['nj-multiple-action', 'Ks 6h 5d', ['main-0', 'main-1', 'main-2'], []],
  ['nj-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match'], ['switch']],
  ['ma-switch', 'Ts 6s 6h 5d Td', ['main-0', 'match'], []],
  ['nj-double-attack', '6h Ks 9d Kc Qh Jh', ['main-0'], ['attack']],
  ['nj-triple-attack', '5s 6h 6d', ['main-0'], ['attack', 'attack']],
].filter(([table]) => table.includes(only));

for (const [table, cards, areas, acts] of GAMES) {
  const visitor = await visit(browser, house, `/train?${new URLSearchParams({ play: '1', table, cards })}`);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const take = async (moment) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.waitForTimeout(60);
      await page.screenshot({ path: `${where}/${table}-${moment}-${size.width}x${size.height}.png` });
    }
    await page.setViewportSize(SIZES[0]);
  };
  await take('before');
  for (const area of areas) await page.click(`[data-box="1"] [data-area="${area}"]`);
  await press(page, 'mouse', 'deal');
  for (const act of acts) await press(page, 'mouse', act);
  await page.waitForSelector('.play [data-act]:not([aria-disabled])');
  await take('playing');
  await visitor.close();
}
await browser.close();
await house.close();
