// Screenshots of every page at both widths, to look at: `node shots.js DIRECTORY [part of a name]`.

import { mkdirSync } from 'node:fs';
import { NARROW, WIDE, openBrowser, openHouse, visit } from './house.js';

const [where = 'shots', only = ''] = process.argv.slice(2);
mkdirSync(where, { recursive: true });
const house = await openHouse();
const browser = await openBrowser();
const pages = [['lobby', '/'], ['table-blackjack', '/table/1'], ['table-switch', '/table/6'], ['table-triple', '/table/9'], ['table-multiple', '/table/5'], ['rules', '/rules/6'], ['clauses', '/clauses?q=insurance'], ['lab', '/lab?table=nj-switch'], ['train', '/train'], ['history', '/history'], ['account', '/account'], ['sign-in', '/sign-in'], ['protect', '/protect']];
for (const [size, viewport] of [['wide', WIDE], ['narrow', NARROW]]) {
  const visitor = await visit(browser, house, '/table/1', { viewport });
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  for (const [name, path] of pages.filter(([name]) => name.includes(only))) {
    await visitor.page.goto(path);
    await visitor.page.waitForTimeout(1200);
    if (name.startsWith('table')) {
      await visitor.page.click('[data-box="2"] [data-area="main-0"]');
      if (name === 'table-multiple') { await visitor.page.click('[data-box="2"] [data-area="main-1"]'); await visitor.page.click('[data-box="2"] [data-area="main-2"]'); }
      await visitor.page.screenshot({ path: `${where}/${name}-bet-${size}.png` });
      await visitor.page.click('[data-act="deal"]');
      await visitor.page.waitForTimeout(700);
    }
    await visitor.page.screenshot({ path: `${where}/${name}-${size}.png`, fullPage: !name.startsWith('table') });
  }
  if (visitor.problems.length) console.log(size, visitor.problems);
  await visitor.close();
}
await browser.close();
await house.close();
if (house.errors()) console.log(house.errors());
