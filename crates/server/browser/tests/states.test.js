// Unusual states of the page: a lost connection, a box that cannot be taken, a newcomer who joins, an unreachable
// house, a house behind a path; and the size of a first visit.

import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { openHouse, visit } from '../house.js';
import { compare, deal, finish, press, shown, until } from '../play.js';
import { openWire } from '../proxy.js';
import { browser, house } from '../site.js';

test('a lost connection says that the clock runs, how long is left, and what happens then', async () => {
  const own = await openHouse('[timings]\ndecision_ms = 60000\ngrace_ms = 30000\n[[table]]\nrules = "nj-blackjack"\n');
  const wire = await openWire(own);
  const visitor = await visit(browser, wire, '/table/1');
  const { page } = visitor;
  for (;;) {
    await deal(visitor, 1, 'mouse');
    const view = await compare(visitor, 1);
    if (view.awaiting.what === 'decision') break;
    if (view.awaiting.what !== 'wagers') await finish(visitor, 1, 'mouse');
  }
  wire.cut();
  await page.waitForSelector('.lost:has-text("Connection lost")');
  await page.waitForSelector('.lost:has-text("s left")');
  const words = await page.textContent('.lost:not(.slow)');
  assert.match(words, /\d+ s left, including 30 s for the lost connection/);
  assert.match(words, /the house plays for you under its published rule/);
  const left = Number(words.match(/(\d+) s left/)[1]);
  assert.ok(left > 60 && left <= 90, `${left} s with those given`);
  wire.mend();
  await page.waitForSelector('.lost:not(.slow)', { state: 'hidden' });
  await finish(visitor, 1, 'mouse');
  await visitor.close();
  wire.close();
  await own.close();
});

test('a house that stalls says one thing, with one countdown', async () => {
  const own = await openHouse('[timings]\ndecision_ms = 60000\ngrace_ms = 30000\n[[table]]\nrules = "nj-blackjack"\n');
  const wire = await openWire(own);
  const visitor = await visit(browser, wire, '/table/1');
  const { page } = visitor;
  for (;;) {
    await deal(visitor, 1, 'mouse');
    const view = await compare(visitor, 1);
    if (view.awaiting.what === 'decision') break;
    if (view.awaiting.what !== 'wagers') await finish(visitor, 1, 'mouse');
  }
  const told = (which) =>
    page.$$eval(which, (all) => all.filter((one) => one.checkVisibility()).map((one) => one.textContent));
  const clocks = async () => (await told('.bar .seconds, .lost')).filter((text) => /\d+ s\b/.test(text)).length;
  wire.lengthen(20_000);
  await press(page, 'mouse', 'stand');
  await page.waitForSelector('.lost.slow:not([hidden])');
  assert.equal((await told('.lost')).length, 1, 'one message');
  assert.equal(await clocks(), 1, 'one countdown');
  wire.cut();
  await page.waitForSelector('.lost:not(.slow):has-text("s left")');
  assert.equal((await told('.lost')).length, 1, 'one message still');
  await until(page, () => !document.querySelector('.bar .seconds').checkVisibility());
  assert.equal(await clocks(), 1, 'one countdown still');
  wire.lengthen(0);
  wire.mend();
  await page.waitForSelector('.lost:not(.slow)', { state: 'hidden' });
  await finish(visitor, 1, 'mouse');
  await page.waitForSelector('.lost.slow', { state: 'hidden' });
  await visitor.close();
  wire.close();
  await own.close();
});

test('insurance that is taken is not called an error', async () => {
  const visitor = await visit(browser, house, '/train?play=1&table=nj-switch&cards=Ts+6s+Ah+5d+Td+9h+9c');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await press(page, 'mouse', 'insure');
  await page.waitForSelector('[data-act="stand"]');
  assert.equal(await page.locator('.toast.bad').count(), 0);
  await page.waitForSelector('.box.mine .insurance-band .stack');
  assert.match(await page.getAttribute('.box.mine .insurance-band .stack', 'aria-label'), /Insur\w+ 10/i);
  assert.match(await page.textContent('.box.mine .insurance-band'), /^10$/, 'told once');
  await visitor.close();
});

test('a box one may not take says so before a chip lies on it', async () => {
  const own = await openHouse('[[table]]\nrules = "nj-blackjack"\nset = ["boxes_per_player=1"]\n');
  const visitor = await visit(browser, own, '/table/1');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[data-box="1"] [data-area="main-0"]');
  const second = page.locator('[data-box="2"] [data-area="main-0"]');
  assert.ok(await second.isDisabled());
  assert.match(await second.getAttribute('aria-label'), /One box per player/);
  assert.equal(await page.locator('.toast').count(), 0);
  await visitor.close();
  await own.close();
});

test('a wager that is not whole says what it lacks; what the house refuses stays, to be mended', async () => {
  const visitor = await visit(browser, house, '/table/6');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  // A side bet alone is not a bet.
  await page.click('[data-box="2"] [data-area="match"]');
  assert.match(await page.textContent('.bar .status'), /Box 2 also needs a bet on “Bet”/);
  assert.equal(await page.locator('[data-act="deal"], [data-act="place"]').count(), 0, 'nothing to deal yet');
  await page.click('[data-box="2"] [data-area="main-0"]');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  // Multiple Action takes two or three bets, starting with the first.
  await page.goto('/table/5');
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[data-box="2"] [data-area="main-1"]');
  assert.match(await page.textContent('.bar .status'), /Box 2 also needs a bet on “Bet 1”/);
  await page.click('[data-act="undo"]');
  await page.click('[data-box="2"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.toast:has-text("t least 2 bets")');
  assert.equal(await page.locator('[data-box="2"] .area.filled').count(), 1, 'the chip lies there still');
  await page.click('[data-act="undo"]');
  assert.equal(await page.locator('.area.filled').count(), 0, 'and can be taken back');
  await page.click('[data-box="2"] [data-area="main-0"]');
  await page.click('[data-box="2"] [data-area="main-1"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.box.mine cut-card');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a house that answers late is seen to be asked, and says at once what was asked of it', async () => {
  const wire = await openWire(house);
  const visitor = await visit(browser, wire, '/', { serviceWorkers: 'block' });
  const { page } = visitor;
  await page.waitForSelector('[data-act="deal-me-in"]');
  wire.lengthen(500);
  await page.evaluate(() => {
    window.came = [];
    new MutationObserver(() => {
      if ('waits' in document.documentElement.dataset) window.came.push('waits');
      if (document.querySelector('.table-page')) window.came.push('table');
    }).observe(document, { attributes: true, childList: true, subtree: true });
  });
  await page.click('[data-act="deal-me-in"]');
  await page.waitForSelector('[data-awaiting="wagers"]');
  assert.equal(await page.evaluate(() => window.came[0]), 'waits', 'before the table is there');
  await page.waitForSelector('html:not([data-waits])');
  await page.click('[data-box="3"] [data-area="main-0"]');
  await page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  await page.evaluate(() => {
    window.said = [];
    const status = document.querySelector('.bar .status');
    new MutationObserver(() => window.said.push(status.textContent)).observe(status, {
      characterData: true,
      childList: true,
      subtree: true,
    });
  });
  await page.click('[data-act="deal"]');
  await until(page, () => window.said.length > 0);
  await page.waitForSelector('.box.mine cut-card');
  const [first, ...rest] = await page.evaluate(() => window.said);
  assert.match(first, /Dealing…/);
  assert.ok(!rest.some((words) => /Ready|wait for others/.test(words)), `nothing else is asked meanwhile: ${rest}`);
  wire.lengthen(0);
  await finish(visitor, Number(page.url().split('/').at(-1)), 'mouse');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  wire.close();
});

test('a bar is not said to be shown before its answers are, however often it is drawn', async () => {
  const visitor = await visit(browser, house, '/table/1', { still: false });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const seen = await page.evaluate(async () => {
    const { Bar } = await import('/page/play/bar.js');
    const bar = new Bar([], document.createElement('div'), { seen: (told) => told() });
    document.body.append(...bar.elements);
    const frame = () => new Promise(requestAnimationFrame);
    const act = (name) => [{ name, label: name, run: () => {} }];
    const seen = [];
    const draw = (name) =>
      bar.draw(name, act(name), { offer: name, betting: false }, () =>
        seen.push([name, bar.play.querySelector(`[data-act="${name}"]`) !== null]),
      );
    draw('hit');
    // The answers are drawn, and the rest waits for its own frame.
    while (!bar.play.querySelector('[data-act="hit"]')) await frame();
    draw('stand');
    for (let frames = 0; frames < 10; frames += 1) await frame();
    return seen;
  });
  assert.deepEqual(seen, [['stand', true]]);
  await visitor.close();
});

test('the page for a house that is away is kept within the first second', async () => {
  const visitor = await visit(browser, house, 'about:blank');
  const { page, context } = visitor;
  const kept = context.waitForEvent('serviceworker');
  await page.goto('/', { waitUntil: 'load' });
  const loaded = performance.now();
  await kept;
  const after = performance.now() - loaded;
  assert.ok(after < 1800, `asked for ${Math.round(after)} ms after the page was there`);
  await visitor.close();
});

test('a table without a dealer says so, and where to go', async () => {
  const visitor = await visit(browser, house, '/table/10');
  const { page } = visitor;
  await page.waitForSelector('.bar .status:has-text("No dealer at this table right now")');
  await page.click('.bar a:has-text("Go to tables")');
  await page.waitForSelector('[data-table]');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a guest who joins keeps chips and rounds', async () => {
  const visitor = await visit(browser, house, '/table/1');
  const { page } = visitor;
  const round = await deal(visitor, 4, 'mouse');
  await finish(visitor, 1, 'mouse');
  const before = (await visitor.api('GET', '/api/me')).body;
  await page.goto('/sign-in');
  await page.fill('[name="name"]', 'newcomer');
  await page.fill('[name="password"]', 'short');
  await page.click('button:has-text("Create account")');
  await page.waitForSelector('.field-wrong:not([hidden])');
  await page.fill('[name="password"]', 'a-password-of-my-own');
  await page.click('button:has-text("Create account")');
  await until(page, () => !location.pathname.startsWith('/sign-in'));
  const after = (await visitor.api('GET', '/api/me')).body;
  assert.equal(after.name, 'newcomer');
  assert.equal(after.play, before.play, 'play chips are kept');
  await page.goto('/history');
  await page.waitForSelector(`a[href="/round/1/${round}"]`);
  await visitor.close();
});

test('packed, a first visit weighs at most 100 kB, with a manifest and a page for when the house is away', async () => {
  // Measured from the first request, with an empty browser cache.
  const visitor = await visit(browser, house, 'about:blank');
  const { page } = visitor;
  const client = await visitor.context.newCDPSession(page);
  await client.send('Network.enable');
  let bytes = 0;
  client.on('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength;
  });
  await page.goto('/');
  await page.waitForSelector('[data-act="deal-me-in"]');
  await page.waitForSelector('#foot span');
  console.log(`first visit: ${Math.round(bytes / 1000)} kB over the wire`);
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
  const manifest = (await visitor.api('GET', await page.getAttribute('link[rel="manifest"]', 'href'))).body;
  for (const { src } of manifest.icons) assert.equal((await visitor.api('GET', `/page/${src}`)).status, 200, src);
  assert.equal(manifest.display, 'standalone');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await until(page, () => navigator.serviceWorker.controller);
  await visitor.context.setOffline(true);
  await page.goto('/table/3').catch(() => null);
  await page.waitForSelector('h1:has-text("Can’t reach the server")');
  await visitor.context.setOffline(false);
  await page.waitForSelector('[data-awaiting="wagers"]', { timeout: 20_000 });
  await visitor.close();
});

test('whatever is clicked while the house is away says so, and is there when the house is', async () => {
  const visitor = await visit(browser, house, '/table/3', { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await visitor.context.setOffline(true);
  for (const path of ['/history', '/lab', '/clauses']) {
    await page.evaluate((to) => document.querySelector(`#top nav a[href="${to}"]`).click(), path);
    await page.waitForSelector('main h1:has-text("Can’t reach the server")');
    assert.ok(await page.isVisible('#top nav'), 'the way around is there');
  }
  assert.deepEqual(await findings(page), []);
  await visitor.context.setOffline(false);
  await page.waitForSelector('main input[type="search"], main .clause-entry', { timeout: 20_000 });
  await visitor.close();
});

test('a landing that says what this is and deals a stranger in, with the operator’s name at its foot', async () => {
  const own = await openHouse(
    'operator = "Pier Seven Ltd"\nlicence = "No. 17-042"\n[[table]]\nrules = "nj-blackjack"\n',
  );
  const visitor = await visit(browser, own, '/');
  const { page } = visitor;
  await page.waitForSelector('#foot:has-text("Pier Seven Ltd · No. 17-042")');
  assert.match(await page.textContent('.welcome h1'), /Blackjack/);
  assert.deepEqual(await findings(page), []);
  const other = await visit(browser, own, '/');
  await other.page.click('[data-act="sit-with-others"]');
  await other.page.waitForSelector('[data-awaiting="wagers"]');
  await other.page.click('[data-box="2"] [data-area="main-0"]');
  await press(other.page, 'mouse', 'place');
  await page.waitForSelector('.seats:has-text("1 taken")', { timeout: 10_000 });
  await other.close();
  await visitor.close();
  await own.close();
});

test('the whole page works behind a path', async () => {
  const own = await openHouse('path_prefix = "/games/cards"\n[[table]]\nrules = "nj-blackjack"\n');
  const { port } = new URL(own.url);
  // A proxy that serves the house under a path and strips the path.
  const proxy = http.createServer((asked, answer) => {
    if (!asked.url.startsWith('/games/cards')) {
      answer.writeHead(404).end();
      return;
    }
    const path = asked.url.slice('/games/cards'.length) || '/';
    const on = http.request({ port, host: '127.0.0.1', path, method: asked.method, headers: asked.headers }, (from) => {
      answer.writeHead(from.statusCode, from.headers);
      from.pipe(answer);
    });
    on.on('error', () => answer.destroy());
    asked.pipe(on);
  });
  proxy.on('upgrade', (asked, near, head) => {
    const path = asked.url.slice('/games/cards'.length);
    const on = http.request({ port, host: '127.0.0.1', path, headers: asked.headers });
    on.on('upgrade', (from, far, first) => {
      near.write(
        `HTTP/1.1 101 Switching Protocols\r\n${Object.entries(from.headers)
          .map(([k, v]) => `${k}: ${v}`)
          .join('\r\n')}\r\n\r\n`,
      );
      // The first frames may come with the answer itself.
      near.write(first);
      far.write(head);
      far.pipe(near).pipe(far);
      for (const end of [near, far]) end.on('error', () => null);
    });
    on.end();
  });
  await new Promise((done) => {
    proxy.listen(0, '127.0.0.1', done);
  });
  const visitor = await visit(browser, { url: `http://127.0.0.1:${proxy.address().port}` }, '/games/cards/');
  const { page } = visitor;
  await page.click('[data-table="1"]');
  await page.waitForSelector('[data-awaiting="wagers"]');
  assert.match(page.url(), /\/games\/cards\/table\/1$/);
  await page.click('[data-box="2"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await until(page, () => document.querySelectorAll('.box.mine cut-card').length > 1);
  assert.equal((await shown(page)).mine[0], 2);
  await page.reload();
  await page.waitForSelector('.felt');
  await page.click('nav a:has-text("Regulations")');
  await page.waitForSelector('.clause-entry');
  assert.match(page.url(), /\/games\/cards\/clauses/);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  proxy.closeAllConnections();
  proxy.close();
  await own.close();
});
