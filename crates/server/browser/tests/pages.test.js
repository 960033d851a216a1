// Every page at both widths, dark and light: no axe findings, no overflow. Rules and clauses against the API.
// Preferences: reduced motion, four-color cards. Announcements to screen readers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { DEEP, NARROW, WIDE, visit } from '../house.js';
import { deal, finish, press, until } from '../play.js';
import { browser, house } from '../site.js';

test('the catalogue is searched, and every table tells its rules', async () => {
  const visitor = await visit(browser, house, '/clauses');
  const { page } = visitor;
  await page.fill('[type="search"]', 'split aces');
  const { body } = await visitor.api('GET', '/api/clauses?q=split+aces');
  await until(
    page,
    (total) => document.querySelector('[role="status"].dim').textContent.startsWith(`${total} `),
    body.total,
  );
  assert.equal(await page.locator('.clause-entry').count(), body.clauses.length);
  for (let table = 1; table <= 9; table += 1) {
    await page.goto(`/rules/${table}`);
    await page.waitForSelector('.words li');
    const told = (await visitor.api('GET', `/api/tables/${table}/rules`)).body;
    const text = await page.textContent('main');
    for (const line of [...told.inscriptions, ...told.signs]) assert.ok(text.includes(line.text), line.text);
    await page.goto(`/table/${table}`);
    await page.waitForSelector('.felt');
    const felt = await page.$$eval('.inscription', (all) => all.map((i) => i.textContent));
    // In the order of the rules, with insurance last: its band is nearest the boxes.
    const texts = told.inscriptions.map((i) => i.text);
    const insures = (text) => text.startsWith('Insurance');
    assert.deepEqual(
      felt,
      [...texts.filter((text) => !insures(text)), ...texts.filter(insures)],
      'the felt carries its inscriptions',
    );
    const beside = await page.textContent('.signs-box');
    for (const sign of told.signs) assert.ok(beside.includes(sign.text), sign.text);
    const lines = told.paytables.reduce((all, paytable) => all + paytable.lines.length, 0);
    assert.equal(await page.locator('.signs-box .pay tr').count(), lines, 'and the pay tables of its side wagers');
  }
  await visitor.close();
});

/** Pages, and the element that shows that each is loaded. */
const READY = [
  ['/', '.game'],
  ['/table/5', '[data-awaiting="wagers"]'],
  ['/table/6', '[data-awaiting="wagers"]'],
  ['/table/9', '[data-awaiting="wagers"]'],
  ['/rules/6', '.words li'],
  ['/clauses?q=insurance', '.clause-entry'],
  ['/lab?table=nj-blackjack', '.strategy'],
  ['/train', '[data-act="ask"]'],
  ['/train?play=1&table=nj-switch', '[data-awaiting="wagers"]'],
  ['/history', '.grid tbody tr'],
  ['/account', '[aria-label="Statement"] tbody tr'],
  ['/sign-in', 'form'],
  ['/protect', '.plain-list'],
  ['/nowhere', 'h1:has-text("Page not found")'],
];

// A width and a scheme each; `./test deep` looks at every page in all four.
for (const [size, viewport, first] of [
  ['1440', WIDE, 'light'],
  ['360', NARROW, 'dark'],
]) {
  for (const colorScheme of DEEP ? ['dark', 'light'] : [first]) {
    test(`axe finds nothing and nothing sticks out at ${size} px, ${colorScheme}`, async () => {
      const visitor = await visit(browser, house, '/table/1', { viewport, colorScheme });
      const { page } = visitor;
      const wrong = [];
      const look = async (name) => wrong.push(...(await findings(page)).map((text) => `${name}: ${text}`));
      const round = await deal(visitor, 1, 'mouse');
      await finish(visitor, 1, 'mouse');
      await look('table after a round');
      await page.click('.box .pill[data-net]');
      await page.waitForSelector('.why-panel .why');
      await look('why');
      await page.keyboard.press('Escape');
      await page.click('[aria-label="Settings"]');
      await look('preferences');
      await page.keyboard.press('Escape');
      for (const [path, ready] of [...READY, [`/round/1/${round}`, '.log li']]) {
        await page.goto(path);
        await page.waitForSelector(ready, { timeout: 60_000 });
        if (path.startsWith('/table')) await page.click('[data-box="2"] [data-area="main-0"]');
        await look(path);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(visitor.problems, []);
      await visitor.close();
    });
  }
}

test('reduced motion, four colours and words for screen readers', async () => {
  const visitor = await visit(browser, house, '/train?play=1&table=nj-blackjack&cards=Ts+6h+9d+Kc+Kd');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[aria-label="Settings"]');
  await page.check('input[name="colours"][value="four"]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await press(page, 'keyboard', 'deal');
  await page.waitForSelector('[data-act="stand"]');
  const ink = (card) => page.$eval(`cut-card[card="${card}"] path`, (path) => getComputedStyle(path).fill);
  await press(page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="wagers"]');
  const inks = [await ink('Ts'), await ink('6h'), await ink('9d'), await ink('Kc')];
  assert.equal(new Set(inks).size, 4, `four suits in four colours: ${inks}`);
  assert.equal(await page.locator('cut-card.unturned').count(), 0, 'nothing moves where motion is reduced');
  assert.equal(await page.getAttribute('cut-card[card="Ts"]', 'aria-label'), 'ten of spades');
  const hand = await page.getAttribute('.box.mine .hand', 'aria-label');
  assert.equal(hand, 'Box 1: ten of spades, nine of diamonds, total 19');
  const told = await page.$$eval('#live p', (all) => all.map((p) => p.textContent));
  for (const words of ['Box 1: ten of spades', 'Dealer: six of hearts', 'You win 10']) {
    assert.ok(told.includes(words), `${words} is said: ${told.join(' | ')}`);
  }
  await visitor.close();
});
