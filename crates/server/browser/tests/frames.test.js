// A frame costs only what has changed in it: elements that a decision does not change are not redrawn, and keep their
// focus and motion.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../house.js';
import { press, until } from '../play.js';
import { browser, house } from '../site.js';
import { FRAME_MS, mainThread, refreshes, smoothness, tasksOf } from '../trace.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** Opens a training table with these cards next, and bets one chip. */
async function sitDown(cards, more = {}) {
  const query = new URLSearchParams({ play: '1', table: 'nj-blackjack', cards });
  const visitor = await visit(browser, house, `/train?${query}`, { ...PHONE, ...more });
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  await visitor.page.tap('[data-box="1"] [data-area="main-0"]');
  await visitor.page.waitForSelector('[data-act="deal"]:not([aria-disabled])');
  return visitor;
}

const cards = (page, many) =>
  until(page, (all) => document.querySelectorAll('.box.mine cut-card').length === all, many);

test('a decision leaves alone what it does not change', async () => {
  const visitor = await sitDown('5s 6h 2d Td 3c 2c 4c 9c 8c');
  const { page } = visitor;
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
  await page.focus('.play [data-act="hit"]');
  await page.evaluate(() => {
    const felt =
      'cut-card, cut-card *, .box, .hand, .area, .area *, .shoe, .print text, .dealer-hand, .stack, .stack *';
    window.kept = [...document.querySelectorAll(`.felt :is(${felt}), .bar .slot, .bar .slot > button, .bar .rack *`)];
    window.made = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element) window.made += 1 + node.querySelectorAll('*').length;
    }).observe(document.querySelector('.table-main'), { childList: true, subtree: true });
  });
  await page.keyboard.press('Enter');
  await cards(page, 3);
  await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
  const { gone, kept, made, focus } = await page.evaluate(() => ({
    gone: window.kept.filter((node) => !node.isConnected).map((node) => node.outerHTML.slice(0, 80)),
    kept: window.kept.length,
    made: window.made,
    focus: document.activeElement?.getAttribute('data-act'),
  }));
  assert.ok(kept > 60, `${kept} nodes were looked at`);
  assert.deepEqual(gone, [], 'nothing that stays is drawn anew');
  assert.equal(focus, 'hit', 'the focus stays where it was');
  // A card, its total, and the actions that are no longer legal.
  assert.ok(made > 0 && made < 50, `${made} elements are made for one card`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a card that is on its way is not disturbed by the next one', async () => {
  const visitor = await sitDown('5s 6h 2d Td 3c 2c', { still: false });
  const { page } = visitor;
  await page.evaluate(() => {
    window.ways = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...how) {
      const motion = animate.apply(this, how);
      if (this.localName === 'cut-card') {
        const way = { end: '', card: this, padding: getComputedStyle(this).padding };
        window.ways.push(way);
        motion.addEventListener('finish', () => (way.end = 'finished'));
        // A finished animation may be cancelled.
        motion.addEventListener('cancel', () => (way.end ||= 'cancelled'));
      }
      return motion;
    };
  });
  await page.keyboard.press('d');
  await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
  await until(page, () => window.ways.length > 5 && window.ways.every((way) => way.end));
  const ends = await page.evaluate(() => window.ways.map(({ end, card }) => `${end} ${card.isConnected}`));
  assert.deepEqual(new Set(ends), new Set(['finished true']), 'every card comes to where it lies');
  // It is styled as a card from the start, and its path, including the turn, is one animation of the card and one of
  // its back.
  const { paddings, motions, known } = await page.evaluate(() => ({
    paddings: [...new Set(window.ways.map(({ padding }) => padding))],
    motions: window.ways.length,
    known: new Set(window.ways.map(({ card }) => card)).size,
  }));
  assert.deepEqual(paddings, ['0px']);
  assert.equal(motions, 2 * known);
  await visitor.close();
});

/** Returns Chromium's trace events while something is done on a page. */
async function traced(page, todo) {
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.stack', 'blink.animations'];
  await browser.startTracing(page, { categories });
  await todo();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8'));
  return traceEvents;
}

test('a deal and a settlement force no layout, and all that moves is moved by the compositor', async () => {
  const visitor = await sitDown('Ts 6h 9d Td 7c 2c', { still: false });
  const { page } = visitor;
  const events = await traced(page, async () => {
    await press(page, 'keyboard', 'deal');
    await press(page, 'keyboard', 'stand');
    await page.waitForSelector('.box.mine .pill');
    await until(page, () => !document.querySelector('.felt').getAnimations({ subtree: true }).length);
  });
  // If a script reads positions before the layout, the event has the stack of that script.
  const forced = events
    .filter(({ name, args }) => name === 'Layout' && args?.beginData?.stackTrace?.length)
    .map(({ args }) => args.beginData.stackTrace)
    .filter((stack) => stack.some(({ url }) => url.startsWith(house.url)))
    .map((stack) => stack.map(({ functionName }) => functionName).join(' < '));
  assert.deepEqual(forced, [], 'nobody asks where things lie before a frame has laid them out');
  // The elements restyled and laid out in a frame are bounded on any machine: the panels below the table take no part.
  const most = (name, of) => Math.max(...events.filter((one) => one.name === name).map(({ args }) => of(args) ?? 0));
  const styled = most('UpdateLayoutTree', (args) => args.elementCount);
  const [dirty, all] = ['dirtyObjects', 'totalObjects'].map((what) => most('Layout', (args) => args.beginData?.[what]));
  assert.ok(styled > 0 && styled < 130, `${styled} elements are restyled in one frame`);
  assert.ok(dirty > 0 && dirty < 130, `${dirty} objects are laid out in one frame`);
  assert.ok(all < 420, `${all} objects take part in a layout`);
  const motions = events.filter(({ name }) => name === 'Animation');
  const begun = motions.filter(({ ph }) => ph === 'b').map(({ args }) => args.data.nodeName);
  assert.ok(begun.length > 8, `cards and their backs, chips and what they won: ${begun}`);
  const refused = motions.filter(({ args }) => args?.data?.compositeFailed);
  assert.deepEqual(
    refused.map(({ args }) => args.data),
    [],
  );
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('what a settlement changes is drawn in turns, one thing a frame', async () => {
  const visitor = await sitDown('Ts 6h 9d Td 7c 2c', { still: false });
  const { page } = visitor;
  await press(page, 'keyboard', 'deal');
  await page.waitForSelector('.play [data-act="stand"]:not([aria-disabled])');
  await page.evaluate(() => {
    window.drawn = [];
    const inside = { childList: true, subtree: true, attributeFilter: ['data-act', 'disabled'] };
    for (const [part, what] of [
      ['.box.mine', { attributeFilter: ['class'] }],
      ['.box.mine .hand-stacks', inside],
      ['.box.mine .hand-foot > :last-child', inside],
      ['.bar .betting', inside],
    ])
      new MutationObserver(() => window.drawn.push([document.timeline.currentTime, part])).observe(
        document.querySelector(part),
        what,
      );
  });
  await page.keyboard.press('s');
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.waitForSelector('.box.mine .pill');
  await until(page, () => !document.querySelector('.felt').getAnimations({ subtree: true }).length);
  const drawn = await page.evaluate(() => window.drawn);
  const parts = new Set(drawn.map(([, part]) => part));
  assert.equal(parts.size, 4, `${[...parts]}`);
  const crowded = drawn.filter(([at, part]) => drawn.some(([when, other]) => when === at && other !== part));
  assert.deepEqual(crowded, [], 'each in a frame of its own');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('what a hand comes to is told with its card, not before', async () => {
  const visitor = await sitDown('5s 6h 2d 3c 3d 3h 9c', { still: false });
  const { page } = visitor;
  await press(page, 'keyboard', 'deal');
  await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
  await page.evaluate(() => {
    const hand = document.querySelector('.box.mine .hand');
    const status = document.querySelector('.status');
    window.told = [];
    const look = () => {
      const card = hand.querySelectorAll('cut-card')[2];
      if (!card) return;
      // A finished animation stays for a while, at its last position.
      const [way] = card.getAnimations();
      window.told.push({
        at: way ? Number(way.currentTime) : card.classList.contains('unturned') ? 0 : 999,
        total: hand.querySelector('.total')?.textContent,
        status: status.textContent,
      });
    };
    for (const part of [hand, status])
      new MutationObserver(look).observe(part, { childList: true, characterData: true, subtree: true });
  });
  await page.keyboard.press('h');
  await until(page, () => window.told.some(({ total, status }) => total === '10' && status.includes('10')));
  const early = await page.evaluate(() =>
    window.told.filter(({ at, total, status }) => at < 300 && (total === '10' || status.includes('10'))),
  );
  assert.deepEqual(early, [], 'its face can be seen by then');
  await visitor.close();
});

test('the log is written where it can be seen, and whole when somebody comes to it', async () => {
  const visitor = await sitDown('Ts 6h 9d Td 7c 2c', { still: false });
  const { page } = visitor;
  await page.click('.tab:has-text("Log")');
  await page.evaluate(() => scrollTo(0, 0));
  await until(page, () => document.querySelector('.log-box').getBoundingClientRect().top > innerHeight);
  await press(page, 'keyboard', 'deal');
  await press(page, 'keyboard', 'stand');
  await page.waitForSelector('.box.mine .pill');
  await until(page, () => !document.querySelector('.felt').getAnimations({ subtree: true }).length);
  assert.equal(await page.locator('.log-settled').count(), 0, 'nothing is laid out below the table');
  await page.locator('.log-box').scrollIntoViewIfNeeded();
  await page.waitForSelector('.log-settled');
  const events = await page.$$eval('.log li', (all) => all.map(({ className }) => className));
  assert.ok(events.filter((name) => name === 'log-dealt').length >= 4, `${events}`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a decision costs less than drawing the table', async () => {
  const visitor = await sitDown('2s 6h 2d 2c 2h 3c 3h 3s Ks');
  const { page } = visitor;
  // The line that appears when the server is late depends on the machine, not on the decision.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('[data-waits]::after { content: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
  /** Waits until what was put off to an idle moment is drawn, so that it counts where it belongs. */
  const rest = () =>
    page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(() => setTimeout(done)))),
    );
  // Counted, not timed: the elements whose style is computed, and how often the page is laid out.
  const drawn = async (todo) => {
    await rest();
    const events = await traced(page, async () => {
      await todo();
      await rest();
    });
    const of = (wanted) => events.filter(({ name }) => name === wanted);
    return {
      styled: of('UpdateLayoutTree').reduce((sum, { args }) => sum + (args.elementCount ?? 0), 0),
      layouts: of('Layout').length,
    };
  };
  await press(page, 'mouse', 'deal');
  for (let many = 3; many <= 6; many += 1) {
    await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
    const hit = await drawn(async () => {
      await page.keyboard.press('h');
      await cards(page, many);
      await page.waitForSelector('.play [data-act="hit"]:not([aria-disabled])');
    });
    const twice = await drawn(() =>
      page.evaluate(() => {
        const table = document.querySelector('.table-main');
        const again = table.cloneNode(true);
        table.replaceWith(again);
        again.getBoundingClientRect();
        again.replaceWith(table);
        table.getBoundingClientRect();
      }),
    );
    const counts = JSON.stringify({ hit, twice });
    assert.ok(hit.styled > 0 && hit.layouts > 0 && twice.styled > 200 && twice.layouts === 2, counts);
    assert.ok(hit.styled < (twice.styled / 2) * 0.6, counts);
    assert.ok(hit.layouts <= 3, counts);
  }
  await visitor.close();
});

/** Builds the events of a trace from tasks in milliseconds, each with its nested events. */
function trace(...tasks) {
  const event = (name, at, ms) => ({
    name,
    ph: 'X',
    pid: 1,
    tid: 1,
    ts: at * 1000,
    dur: ms * 1000,
    tts: at * 1000,
    tdur: ms * 1000,
  });
  return tasks.flatMap(({ at, ms, wants = [], draws = false }) => [
    event('RunTask', at, ms),
    ...wants.map((after) => event('LocalFrameView::ScheduleAnimation', at + after, 0)),
    ...(draws
      ? [
          event('ProxyMain::BeginMainFrame', at, ms),
          event('ProxyMain::BeginMainFrame::commit', at + ms * 0.9, ms * 0.1),
          event('Commit', at + ms * 0.9, ms * 0.1),
        ]
      : []),
  ]);
}

test('a refresh is held by what delays a frame, and by nothing else', () => {
  const told = (...tasks) => refreshes(tasksOf(mainThread(trace(...tasks))), 4);
  // Requested at 1 ms and drawn at the next refresh in 3 ms, which are 12 on the slower phone.
  const quick = [
    { at: 0, ms: 1, wants: [1] },
    { at: 17, ms: 3, draws: true },
  ];
  assert.deepEqual([told(...quick).all, told(...quick).held], [1, 0]);
  // Small tasks before the request delay nothing, however many there are.
  const early = Array.from({ length: 20 }, (_, at) => ({ at: at * 10, ms: 1 }));
  const after = [
    { at: 300, ms: 1, wants: [1] },
    { at: 317, ms: 3, draws: true },
  ];
  assert.equal(told(...early, ...after).held, 0);
  // A frame of 5 ms takes 20, so the refresh after its own passes without it.
  const slow = told({ at: 0, ms: 1, wants: [1] }, { at: 17, ms: 5, draws: true });
  assert.deepEqual([slow.all, slow.held], [2, 1]);
  assert.ok(Math.abs(slow.frames[0].ms - 20) < 0.01, `${slow.frames[0].ms} ms`);
  // A task of 25 ms takes 100: the frame it requests at its beginning waits for its end, and six refreshes pass.
  const long = told({ at: 0, ms: 25, wants: [0.1] }, { at: 26, ms: 1, draws: true });
  assert.equal(long.held, Math.floor((25 * 4 + 4 - FRAME_MS) / FRAME_MS));
  // The share is averaged over all phases of the refresh clock; nothing is better than all in time.
  const all = smoothness(tasksOf(mainThread(trace(...quick))), 4);
  assert.equal(all.share, 1);
  assert.ok(smoothness(tasksOf(mainThread(trace(...quick))), 40).share < 0.2);
});
