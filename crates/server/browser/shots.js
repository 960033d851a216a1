// Screenshots of every page at both widths, to look at: `node shots.js DIRECTORY [part of a name]`.

import { mkdirSync } from 'node:fs';
import { NARROW, WIDE, openBrowser, openHouse, visit } from './house.js';

const [where = 'shots', only = ''] = process.argv.slice(2);
mkdirSync(where, { recursive: true });
const house = await openHouse();
const browser = await openBrowser();
const pages = [
  ['lobby', '/'],
  ['table-blackjack', '/table/1'],
  ['table-switch', '/table/6'],
  ['table-triple', '/table/9'],
  ['table-multiple', '/table/5'],
  ['rules', '/rules/6'],
  ['clauses', '/clauses?q=insurance'],
  ['lab', '/lab?table=nj-switch'],
  ['train', '/train'],
  ['history', '/history'],
  ['account', '/account'],
  ['sign-in', '/sign-in'],
  ['protect', '/protect'],
];
for (const [size, viewport] of [
  ['wide', WIDE],
  ['narrow', NARROW],
]) {
  const visitor = await visit(browser, house, '/table/1', { viewport });
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  for (const [name, path] of pages.filter(([name]) => name.includes(only))) {
    await visitor.page.goto(path);
    await visitor.page.waitForTimeout(1200);
    if (name.startsWith('table')) {
      await visitor.page.click('[data-box="2"] [data-area="main-0"]');
      if (name === 'table-multiple') {
        await visitor.page.click('[data-box="2"] [data-area="main-1"]');
        await visitor.page.click('[data-box="2"] [data-area="main-2"]');
      }
      await visitor.page.screenshot({ path: `${where}/${name}-bet-${size}.png` });
      await visitor.page.click('[data-act="deal"]');
      await visitor.page.waitForTimeout(700);
    }
    await visitor.page.screenshot({ path: `${where}/${name}-${size}.png`, fullPage: !name.startsWith('table') });
  }
  if (visitor.problems.length) console.log(size, visitor.problems);
  await visitor.close();
}
const boss = await visit(browser, house, '/sign-in');
const hired = await boss.page.evaluate(async ([name, password]) => {
  const ask = async (method, path, body) =>
    (await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) }))
      .json()
      .catch(() => ({}));
  await ask('POST', '/api/sessions', { name, password });
  await ask('PUT', '/api/me/password', { old: password, new: 'a-password-of-my-own' });
  const made = {};
  for (const role of ['dealer', 'cashier', 'auditor'])
    made[role] = (await ask('POST', '/api/staff/people', { name: `${role}-one`, role })).one_time_password;
  return made;
}, house.supervisor);
const sizes = [
  ['wide', WIDE],
  ['narrow', NARROW],
];
const both = async (page, name) => {
  for (const [size, viewport] of sizes) {
    await page.setViewportSize(viewport);
    await page.waitForTimeout(200);
    await page.screenshot({ path: `${where}/${name}-${size}.png` });
  }
  await page.setViewportSize(WIDE);
};
await boss.page.goto('/staff');
await boss.page.waitForSelector('.grid');
await both(boss.page, 'staff');
for (const [role, path] of [
  ['dealer', '/console/10'],
  ['cashier', '/cashier'],
  ['auditor', '/audit'],
]) {
  const visitor = await visit(browser, house, '/sign-in');
  await visitor.page.evaluate(
    async ([name, password]) => {
      const ask = (method, p, body) =>
        fetch(p, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      await ask('POST', '/api/sessions', { name, password });
      await ask('PUT', '/api/me/password', { old: password, new: 'a-password-of-my-own' });
    },
    [`${role}-one`, hired[role]],
  );
  await visitor.page.goto(path);
  await visitor.page.waitForTimeout(800);
  if (role === 'dealer') {
    for (let step = 0; step < 30 && (await visitor.page.$('[data-act="perform"]')); step += 1) {
      await visitor.page.click('[data-act="perform"]');
      await visitor.page.waitForTimeout(150);
    }
    const guest = await visit(browser, house, '/table/10');
    await guest.page.waitForSelector('[data-awaiting="wagers"]');
    await guest.page.click('[data-box="3"] [data-area="main-0"]');
    await guest.page.click('[data-act="deal"]');
    await visitor.page.click('[data-act="close-wagers"]');
    await visitor.page.waitForSelector('[data-rank="9"]');
    await visitor.page.keyboard.press('9');
    await visitor.page.keyboard.press('h');
    await visitor.page.waitForTimeout(300);
    await visitor.page.keyboard.press('k');
  }
  await both(visitor.page, `${role}`);
}
// A finished round, why it ended so, and its replay; in the dark.
const night = await visit(browser, house, '/table/6', { colorScheme: 'dark' });
await night.page.waitForSelector('[data-awaiting="wagers"]');
const { bet, finish } = await import('./play.js');
const round = await night.page.getAttribute('.table-page', 'data-round');
await night.page.click('[data-box="3"] [data-area="match"]');
await bet(night, 3, 'mouse');
await night.page.waitForTimeout(500);
await both(night.page, 'night-turn');
await finish(night, 6, 'mouse');
await both(night.page, 'night-result');
await night.page.click('.pill[data-net]');
await night.page.waitForTimeout(300);
await both(night.page, 'night-why');
await night.page.goto(`/round/6/${round}`);
await night.page.waitForTimeout(500);
await both(night.page, 'night-replay');
await browser.close();
await house.close();
if (house.errors()) console.log(house.errors());
