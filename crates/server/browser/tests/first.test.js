// What is on the screen before the modules of a page have arrived: a table's felt with its print, at its final place,
// after few requests; and no footer that would move.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, visit } from '../house.js';
import { until } from '../play.js';
import { browser, house } from '../site.js';

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 844, height: 390 },
];

/** Where the print lies, and how its lines are drawn. */
const printed = (page) =>
  page.evaluate(() => {
    const at = (selector) => {
      const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
      return [left, top, width, height].map(Math.round);
    };
    const all = (selector, read) => Array.from(document.querySelectorAll(selector), read);
    return {
      felt: at('.felt'),
      print: at('.print'),
      paths: all('.print path', (path) => path.getAttribute('d')),
      sizes: all('.print text', (text) => text.getAttribute('font-size')),
      lines: all('.print textPath', (text) => text.textContent),
    };
  });

/** Returns a promise, and the function that fulfils it. */
function barrier() {
  let go;
  const gate = new Promise((done) => {
    go = done;
  });
  return [gate, () => go(null)];
}

/** Opens a window of this size, which holds back the modules of a table until `go` is called. */
async function held(viewport) {
  const phone = viewport.width < 721 || viewport.height < 501;
  const context = await browser.newContext({ viewport, baseURL: house.url, isMobile: phone, hasTouch: phone });
  const page = await context.newPage();
  const [gate, go] = barrier();
  await page.route(/\/page\/(?!felt\/print\.js).*\.js$/, async (route) => {
    await gate;
    await route.continue();
  });
  return { page, go, close: () => context.close() };
}

/** The address of a table, or of a new guest's solo table with the same rules. */
async function addressOf(page, number, solo) {
  if (!solo) return `/table/${number}`;
  await page.request.post('/api/guests');
  const { table } = await (await page.request.post(`/api/tables/${number}/solo`)).json();
  return `/table/${table}`;
}

for (const preset of ['nj-blackjack', 'nj-multiple-action', 'nj-switch', 'nj-triple-attack'])
  test(`the felt of ${preset} is on the screen before its modules, and stays`, async () => {
    const tables = await (await fetch(`${house.url}/api/tables`)).json();
    const { table } = tables.find(({ name }) => name === preset);
    const { inscriptions } = await (await fetch(`${house.url}/api/tables/${table}/rules`)).json();
    const insurance = ({ text }) => text.startsWith('Insurance');
    const lines = [...inscriptions.filter((line) => !insurance(line)), ...inscriptions.filter(insurance)];
    for (const viewport of preset === 'nj-blackjack' ? SIZES : SIZES.slice(0, 2))
      for (const solo of [true, false]) {
        const where = `${preset}${solo ? ', solo' : ''}, ${viewport.width} x ${viewport.height}`;
        const { page, go, close } = await held(viewport);
        await page.addInitScript(() => {
          window.largest = [];
          new PerformanceObserver((list) => window.largest.push(...list.getEntries())).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          });
        });
        await page.goto(await addressOf(page, table, solo), { waitUntil: 'commit' });
        await page.waitForSelector('.print text[font-size]');
        const before = await printed(page);
        assert.deepEqual(
          before.lines,
          lines.map(({ text }) => text),
          where,
        );
        await until(page, () => window.largest.some(({ element }) => element?.closest?.('.print')));
        const painted = await page.evaluate(() => performance.now());
        go();
        await page.waitForSelector('[data-awaiting="wagers"]');
        await until(page, () => !document.querySelector('.first-view'));
        const after = await printed(page);
        // Other games reserve other heights for their cards, but print the same.
        const same = ({ print: [left, top, width, height], felt: [x, y, wide], ...drawn }) =>
          preset === 'nj-blackjack'
            ? { ...drawn, left, top, width, height, x, y, wide }
            : { ...drawn, left, width, height, x, wide };
        assert.deepEqual(same(after), same(before), `the print stays: ${where}`);
        const latest = await page.evaluate(() => Math.max(...window.largest.map(({ startTime }) => startTime)));
        // In portrait the print is also the largest text of the page; elsewhere the bar has larger lines.
        if (preset === 'nj-blackjack' && viewport.width < viewport.height)
          assert.ok(latest <= painted, `nothing larger comes later: ${latest} ms, ${painted} ms, ${where}`);
        await close();
      }
  });

test('the felt waits for few requests', async () => {
  const { page, go, close } = await held(SIZES[1]);
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const sizes = new Map();
  client.on('Network.responseReceived', ({ requestId, response, type }) => {
    const waits = type === 'Document' || type === 'Stylesheet' || response.url.endsWith('print.js');
    if (waits) sizes.set(requestId, 0);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (sizes.has(requestId)) sizes.set(requestId, encodedDataLength);
  });
  await page.goto('/table/1', { waitUntil: 'commit' });
  await page.waitForSelector('.print text[font-size]');
  const bytes = [...sizes.values()].reduce((all, one) => all + one, 0);
  console.log(`the felt after ${sizes.size} requests with ${bytes} bytes`);
  assert.ok(sizes.size >= 3 && sizes.size <= 8, `${sizes.size} requests`);
  assert.ok(bytes > 0 && bytes < 36_000, `${bytes} bytes`);
  // Everything else of the table is asked for only then.
  const others = await page.evaluate(() =>
    performance.getEntriesByType('resource').filter(({ name }) => /\/(play|review)\/.*\.js$/.test(name)),
  );
  assert.deepEqual(others, []);
  go();
  await page.waitForSelector('[data-awaiting="wagers"]');
  await close();
});

test('a table that does not exist has no felt, and says so', async () => {
  const visitor = await visit(browser, house, '/table/999');
  await visitor.page.waitForSelector('main h1');
  assert.equal(await visitor.page.locator('.felt').count(), 0);
  const html = await (await fetch(`${house.url}/table/999`)).text();
  assert.ok(!html.includes('first-view') && !html.includes('at-table'));
  await visitor.close();
});

test('the name of a house on its felt is text, whatever it contains', async () => {
  const own = await openHouse('name = "Rook & <b>Knight</b> \\"Club\\""\n[[table]]\nrules = "nj-triple-attack"\n');
  const html = await (await fetch(`${own.url}/table/1`)).text();
  assert.ok(html.includes('Rook &amp; &lt;b&gt;Knight&lt;/b&gt; &quot;Club&quot;'), 'escaped');
  await own.close();
});

for (const path of ['/', '/lab', '/train'])
  test(`the footer of ${path} is not seen before there is something above it`, async () => {
    const visitor = await visit(browser, house, '/robots.txt');
    const { page } = visitor;
    const [gate, go] = barrier();
    await page.route(/\/page\/(play\/lobby|lab\/lab|train\/train)\.js$/, async (route) => {
      await gate;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.waitForSelector('#foot span', { state: 'attached' });
    assert.equal(await page.locator('#foot').isVisible(), false);
    go();
    await page.locator('#foot').waitFor();
    assert.ok((await page.locator('main > :not(noscript)').count()) > 0);
    await visitor.close();
  });
