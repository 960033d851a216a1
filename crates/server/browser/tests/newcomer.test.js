// What a newcomer meets: one press to a solo table without a clock, a primary action that always works, reasons for
// actions that are not legal, a line that teaches, and the way back to a hand left behind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, visit } from '../house.js';
import { begun, deal, finish, moved, press, shown, until } from '../play.js';
import { browser, house } from '../site.js';

/** Opens a solo table from the lobby. */
async function playNow(visitor) {
  await visitor.page.click('[data-act="deal-me-in"]');
  await visitor.page.waitForSelector('.felt.solo');
  await visitor.page.waitForSelector('[data-awaiting="wagers"] [data-act="deal"]:not([aria-disabled])');
}

/** Deals until there is a decision. */
async function untilAsked({ page }) {
  for (let round = 0; round < 20; round += 1) {
    const { round: before } = await shown(page);
    await page.keyboard.press('Space');
    // A placed bet is not a round yet.
    await begun(page, before);
    await until(page, () =>
      document.querySelector(
        '.play [data-act]:not([aria-disabled]), [data-awaiting="wagers"] .betting [data-act]:not([aria-disabled])',
      ),
    );
    const { awaiting } = await shown(page);
    if (awaiting === 'decision') return;
    if (awaiting === 'offer') {
      const { version: offered } = await shown(page);
      await press(page, 'mouse', 'decline');
      await moved(page, offered);
      if ((await shown(page)).awaiting === 'decision') return;
    }
    await page.waitForSelector('.betting .primary:not([aria-disabled])');
  }
  throw new Error('no decision was ever asked');
}

test('a first visit asks for nothing that is refused', async () => {
  const context = await browser.newContext({ baseURL: house.url });
  const page = await context.newPage();
  const refused = [];
  page.on('response', (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
  await page.goto('/');
  await page.waitForSelector('.games .game');
  await page.waitForFunction(() => document.querySelectorAll('.game .edge b').length === 6, null, { timeout: 50_000 });
  assert.deepEqual(refused, []);
  // Count every resource once: how often the lobby polls its seats meanwhile depends on how fast the server computes
  // house edges.
  const bytes = await page.evaluate(() => {
    const sizes = new Map();
    for (const { name, transferSize } of [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ])
      sizes.set(name, Math.max(transferSize, sizes.get(name) ?? 0));
    return [...sizes.values()].reduce((all, one) => all + one, 0);
  });
  assert.ok(bytes > 20_000 && bytes <= 100_000, `a first visit costs ${bytes} bytes`);
  await context.close();
});

test('no page asks a first visitor for what is refused', async () => {
  const player = await visit(browser, house, '/table/1');
  const round = await deal(player, 3, 'mouse');
  await finish(player, 1, 'mouse');
  for (const [path, last] of [
    ['/table/1', '/api/tables/1/rules'],
    ['/lab', '/api/lab/edge'],
    ['/train', '/api/lab'],
    [`/round/1/${round}`, '/analysis'],
  ]) {
    const context = await browser.newContext({ baseURL: house.url });
    const page = await context.newPage();
    const refused = [];
    page.on('response', (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`));
    const answered = page.waitForResponse((answer) => answer.url().endsWith(last), { timeout: 60_000 });
    await page.goto(path);
    await answered;
    await page.waitForSelector('main :is(.bar, .panel)');
    assert.deepEqual(refused, [], path);
    await context.close();
  }
  await player.close();
});

test('a page preloads its modules and no others', async () => {
  /** Returns a module and all that it imports, by their addresses. */
  const modules = async (address, found = new Set()) => {
    if (found.has(address)) return found;
    found.add(address);
    const text = await (await fetch(house.url + address)).text();
    for (const [, from] of text.matchAll(/^import [^;]*?from '(\.[^']+)'/gms))
      await modules(new URL(from, house.url + address).pathname, found);
    return found;
  };
  const app = await modules('/page/app.js');
  for (const [path, part] of [
    ['/', '/page/play/lobby.js'],
    ['/table/1', '/page/play/table.js'],
    ['/lab', '/page/lab/lab.js'],
    ['/train', '/page/app.js'],
  ]) {
    const html = await (await fetch(house.url + path)).text();
    const preloads = Array.from(html.matchAll(/rel="modulepreload" href="([^"]+)"/g), ([, address]) => address);
    assert.deepEqual(preloads.toSorted(), [...new Set([...app, ...(await modules(part))])].sort(), path);
  }
});

test('the whole lobby is on one screen, and a state is a filter', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await page.waitForSelector('.games .game');
  const low = await page.$$eval('.game, .welcome, .way', (all) =>
    Math.max(...all.map((one) => one.getBoundingClientRect().bottom)),
  );
  assert.ok(low <= 900, `the last card ends at ${low}`);
  assert.equal(await page.locator('.game').count(), 6);
  assert.equal(await page.locator('text=… >> visible=true').count(), 0, 'no placeholder');
  await page.click('[data-place="ma"]');
  assert.equal(await page.locator('.game').count(), 1);
  await page.click('[data-place=""]');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('Play now opens a table of one’s own: no clock, and no stranger sits there', async () => {
  const [one, two] = [await visit(browser, house, '/'), await visit(browser, house, '/')];
  await playNow(one);
  await playNow(two);
  assert.notEqual(one.page.url(), two.page.url());
  // Without any chip on the felt, the primary action still works.
  await untilAsked(one);
  assert.ok(await one.page.locator('.bar .seconds').isHidden(), 'no clock');
  assert.match(await one.page.textContent('.bar .status'), /^Your .* against an? /);
  assert.equal(await one.page.locator('.act.equal').count(), 2, 'Stand and Hit are equal');
  assert.equal(await one.page.locator('.act.primary').count(), 0, 'and nothing else is coloured');
  for (const visitor of [one, two]) {
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  }
});

test('what cannot be done now says why, with its clause, on hover, on focus and on a tap', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await playNow(visitor);
  for (let tries = 0; tries < 12; tries += 1) {
    await untilAsked(visitor);
    if (await page.locator('.play .not-now').count()) break;
    await press(page, 'mouse', 'stand');
    await page.waitForSelector('.betting .primary:not([aria-disabled])');
  }
  const dashed = page.locator('.play .not-now').first();
  const slot = page.locator('.play .slot', { has: page.locator('.not-now') }).first();
  await page.mouse.move(0, 0);
  assert.ok(await slot.locator('.tip').isHidden());
  await dashed.hover({ force: true });
  assert.ok(await slot.locator('.tip').isVisible());
  assert.match(await slot.locator('.tip').textContent(), /\w+.*2\.\d/);
  await page.mouse.move(0, 0);
  await dashed.focus();
  const tip = page.locator('.not-now:focus + .tip');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  assert.ok(await tip.isVisible());
  assert.match(await tip.textContent(), /19:47-2\.\d/);
  await dashed.click({ force: true });
  assert.match(await page.textContent('.quiet-line'), /\w+.*2\.\d/);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('who leaves a hand for the lobby is told so, with the way back', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await playNow(visitor);
  await untilAsked(visitor);
  const address = page.url();
  await page.click('.brand');
  await page.waitForSelector('.away:has-text("It is your turn")');
  await page.click('[data-act="back-to-the-table"]');
  await page.waitForSelector('[data-awaiting="decision"]');
  assert.equal(page.url(), address);
  assert.equal(await page.locator('.away').count(), 0);
  await visitor.close();
});

test('after a round one line teaches, and its parts add up', async () => {
  const visitor = await visit(browser, house, '/');
  const { page } = visitor;
  await playNow(visitor);
  await untilAsked(visitor);
  await press(page, 'mouse', (await page.locator('[data-act="hit"]').count()) ? 'hit' : 'stand');
  for (let step = 0; step < 12; step += 1) {
    await until(page, () => document.querySelector('.bar .net .pill, .play [data-act="stand"]:not([aria-disabled])'));
    if (await page.locator('.bar .net .pill').count()) break;
    await press(page, 'mouse', 'stand');
    await page.waitForTimeout(400);
  }
  await page.waitForSelector('.quiet-line:has-text("Well played"), .quiet-line:has-text("Best:")', { timeout: 60_000 });
  await page.keyboard.press('y');
  await page.waitForSelector('.why-panel .worth');
  const [net, ...parts] = await page.$$eval('.adds-up dd', (all) =>
    all.map((one) => Number(one.textContent.replace('−', '-').replaceAll(',', ''))),
  );
  assert.equal(Math.round(parts.reduce((a, b) => a + b, 0) * 100), Math.round(net * 100));
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a lost side wager leaves an empty, named circle at once', async () => {
  const query = new URLSearchParams({ play: '1', table: 'nj-triple-attack', cards: '5s 6h 6d 9c Kd Kh' });
  const visitor = await visit(browser, house, `/train?${query}`);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of ['main-0', 'suited-royals', 'triple-match'])
    await page.click(`[data-box="1"] [data-area="${area}"]`);
  await press(page, 'mouse', 'deal');
  for (let offers = 0; offers < 2; offers += 1) await press(page, 'mouse', 'decline');
  await page.waitForSelector('[data-act="stand"]');
  const area = page.locator('[data-area="suited-royals"]');
  assert.equal(await area.locator('.chip').count(), 0, 'the chip is the dealer’s');
  assert.ok(await area.isVisible());
  assert.match(await area.textContent(), /Royals/);
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('.bar .net .pill');
  assert.equal(await area.locator('.chip').count(), 0, 'and stays there');
  await visitor.close();
});

test('at Switch a lost match chip is gone in mid-round', async () => {
  const query = new URLSearchParams({ play: '1', table: 'nj-switch', cards: 'Ts 6s 9h 5d 8d Tc 9c' });
  const visitor = await visit(browser, house, `/train?${query}`);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of ['main-0', 'match']) await page.click(`[data-box="1"] [data-area="${area}"]`);
  const area = page.locator('[data-area="match"]');
  assert.ok((await area.locator('.chip').count()) > 0, 'the chip lies there');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.play [data-act="switch"], .play [data-act="stand"]');
  await page.waitForSelector('.side-results .pill.lose');
  await until(page, () => !document.querySelector('[data-area="match"] .chip'));
  assert.match(await area.textContent(), /Match/);
  await visitor.close();
});

test('a full table offers one of one’s own', async () => {
  const own = await openHouse('[timings]\nbetting_ms = 600000\n[[table]]\nrules = "nj-blackjack"\n');
  const visitor = await visit(browser, own, '/table/1');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  assert.equal(await page.locator('[data-act="play-solo"]').count(), 0, 'there is room');
  for (const box of await page.$$eval('.box', (all) => all.map((one) => Number(one.dataset.box)))) {
    const context = await browser.newContext({ baseURL: own.url });
    await context.request.post('/api/guests');
    const data = { id: `full-${box}`, do: 'wager', box, amounts: ['10.00'] };
    const answer = await context.request.post('/api/tables/1/actions', { data });
    assert.ok(answer.ok(), await answer.text());
    await context.close();
  }
  await page.click('[data-act="play-solo"]');
  await page.waitForSelector('.felt.solo');
  assert.notEqual(new URL(page.url()).pathname, '/table/1');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  await own.close();
});

test('box 1 is at the dealer’s left: at the right of a player’s felt', async () => {
  const visitor = await visit(browser, house, '/table/1');
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  const left = await visitor.page.$$eval('.box', (all) =>
    Object.fromEntries(all.map((box) => [box.dataset.box, box.getBoundingClientRect().left])),
  );
  assert.ok(left[1] > left[2] && left[2] > left[6], JSON.stringify(left));
  await visitor.close();
});

test('the dealer has box 1 at the left, on the shoe’s side', async () => {
  const visitor = await visit(browser, house, '/rehearse');
  const { page } = visitor;
  await page.waitForSelector('.console-next .status');
  const left = await page.$$eval('.box', (all) =>
    Object.fromEntries(all.map((box) => [box.dataset.box, box.getBoundingClientRect().left])),
  );
  assert.ok(left[1] < left[2] && left[2] < left[6], JSON.stringify(left));
  const [shoe, rack, mouth] = await page.evaluate(() =>
    ['.shoe', '.discards', '.shoe-mouth'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON()),
  );
  assert.ok(shoe.width > 0 && shoe.right < rack.left, 'the shoe is at the left, the rack at the right');
  assert.ok(mouth.left > shoe.left + shoe.width / 2, 'the mouth points to the middle');
  // The arc is far and the straight edge near: the rack in front of the dealer, the middle boxes farthest away.
  const parts = [
    '.felt',
    '.chip-rack',
    '.dealer',
    '[data-box="1"]',
    '[data-box="3"]',
    '[data-box="4"]',
    '[data-box="6"]',
  ];
  const [felt, tray, dealer, one, three, four, six] = await page.evaluate(
    (all) => all.map((part) => document.querySelector(part).getBoundingClientRect().toJSON()),
    parts,
  );
  assert.ok(three.top < one.top && four.top < six.top, 'the middle boxes are farthest');
  assert.ok(three.bottom <= dealer.top && dealer.bottom <= tray.top && tray.bottom <= felt.bottom);
  assert.ok(shoe.top > felt.top + felt.height / 2 && tray.left > shoe.right && tray.right < rack.left);
  const radii = await page.$eval('.felt', (element) => {
    const { borderTopLeftRadius, borderBottomLeftRadius } = getComputedStyle(element);
    return [borderTopLeftRadius, borderBottomLeftRadius].map(parseFloat);
  });
  assert.ok(radii[0] > radii[1], `the far side is the arc: ${radii}`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the replay says what the house played for somebody absent', async () => {
  const own = await openHouse(
    '[timings]\nbetting_ms = 60000\ndecision_ms = 50\npause_ms = 0\n[[table]]\nrules = "nj-blackjack"\n',
  );
  const visitor = await visit(browser, own, '/table/1');
  const { page } = visitor;
  for (let round = 1; round < 12; round += 1) {
    await page.waitForSelector('.betting .primary:not([aria-disabled])');
    await page.keyboard.press('Space');
    await until(page, (before) => Number(document.querySelector('.table-page').dataset.round) > before, round);
    const { body } = await visitor.api('GET', `/api/tables/1/rounds/${round}`);
    if (!JSON.stringify(body).includes('platform-for-absent')) continue;
    await page.goto(`/round/1/${round}`);
    await page.waitForSelector('.log .step:has-text("played by the house")');
    await visitor.close();
    await own.close();
    return;
  }
  throw new Error('nobody was ever absent');
});
