// How smooth a deal is on a phone four times slower: `node frames.js [rounds]` prints the share of frames whose work fits into a
// sixtieth of a second, the longest, and what the work is. Work is what the page's main thread computes for a frame by its own
// clock, times four, so that what else this machine does counts little; the wall's clock, with Chromium slowed down four times
// and drawing without a graphics processor, is printed beside it.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, openHouse, visit } from './house.js';

const SLOWER = 4;
const FRAME_MS = 1000 / 60;
const rounds = Number(process.argv[2] ?? 5);
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, still: false };

/**
 * Plays rounds from the chip to the result: cards slide and turn, chips are swept and pushed out. The page is driven from within,
 * whenever something can be pressed, so that no frame is drawn for the one who drives.
 */
const play = (page) =>
  page.evaluate(
    (all) =>
      new Promise((done) => {
        const bar = document.querySelector('.bar');
        let round = 0;
        let next = 0;
        const press = () => {
          next = 0;
          const open = (name) => bar.querySelector(`[data-act="${name}"]:not([aria-disabled])`);
          const act = open('stand') ?? open('decline') ?? open('again') ?? open('deal');
          if (!act) return;
          if (['again', 'deal'].includes(act.dataset.act)) round += 1;
          if (round <= all) return act.click();
          watch.disconnect();
          setTimeout(done, 500);
        };
        const watch = new MutationObserver(() => (next ||= setTimeout(press, 80)));
        watch.observe(bar, { subtree: true, attributeFilter: ['aria-disabled', 'data-act'] });
        press();
      }),
    rounds,
  );

async function sit(browser, house) {
  const visitor = await visit(browser, house, '/table/1', phone);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  await visitor.page.tap('[data-box="1"] [data-area="main-0"]');
  return visitor;
}

/** What the main thread does, by the names that a trace has for it. */
const PARTS = {
  style: ['UpdateLayoutTree'],
  layout: ['Layout'],
  paint: ['PrePaint', 'Paint', 'Layerize', 'UpdateLayer', 'Commit'],
  script: [
    'FunctionCall',
    'TimerFire',
    'FireAnimationFrame',
    'EventDispatch',
    'BlinkScheduler_PerformMicrotaskCheckpoint',
  ],
};

/** The work of every frame and of every task in milliseconds of the slower phone, and what it consists of, from a trace. */
function work(trace) {
  const { traceEvents } = JSON.parse(trace);
  // Every frame that the main thread has drawn ends with its commit.
  const commit = traceEvents.find(({ name }) => name === 'Commit');
  const own = traceEvents.filter(
    ({ ph, pid, tid, tdur }) => ph === 'X' && pid === commit.pid && tid === commit.tid && tdur,
  );
  own.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const around = [];
  for (const event of own) {
    while (around.length && around.at(-1).ts + around.at(-1).dur <= event.ts) around.pop();
    event.alone = event.tdur;
    if (around.length) around.at(-1).alone -= event.tdur;
    around.push(event);
  }
  const sum = (events, what) => (events.reduce((all, event) => all + event[what], 0) / 1000) * SLOWER;
  const tasks = own.filter(({ name }) => name === 'RunTask');
  const ends = own.filter(({ name }) => name === 'Commit').map(({ ts }) => ts);
  const frames = ends.slice(1).map((to, at) =>
    sum(
      tasks.filter(({ ts }) => ts > ends[at] && ts <= to),
      'tdur',
    ),
  );
  const parts = Object.entries(PARTS).map(([part, names]) => [
    part,
    sum(
      own.filter(({ name }) => names.includes(name)),
      'alone',
    ),
  ]);
  return { frames, parts, all: sum(tasks, 'tdur'), tasks: tasks.map(({ tdur }) => (tdur / 1000) * SLOWER) };
}

const told = (what, frames) => {
  const fits = frames.filter((ms) => ms <= FRAME_MS).length;
  const share = ((100 * fits) / frames.length).toFixed(1);
  console.log(
    `${what}: ${frames.length} frames, ${share} % within ${FRAME_MS.toFixed(1)} ms, the longest ${Math.max(...frames).toFixed(1)} ms`,
  );
};

const house = await openHouse();
const browser = await openBrowser();

const counted = await sit(browser, house);
const file = join(tmpdir(), `cutcard-frames-${process.pid}.json`);
await browser.startTracing(counted.page, {
  path: file,
  categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
});
await play(counted.page);
await browser.stopTracing();
const { frames, parts, all, tasks } = work(readFileSync(file, 'utf8'));
told('work of a frame, times four', frames);
const each = (ms) => `${(ms / frames.length).toFixed(1)} ms`;
const rest = all - parts.reduce((sum, [, ms]) => sum + ms, 0);
console.log(
  `of which a frame: ${[...parts, ['the browser itself', rest]].map(([part, ms]) => `${part} ${each(ms)}`).join(', ')}`,
);
const long = tasks.filter((ms) => ms > FRAME_MS);
console.log(
  `tasks longer than a frame: ${long.length} of ${tasks.length}, the longest ${Math.max(...tasks).toFixed(1)} ms`,
);
rmSync(file);
await counted.close();
await house.close();

// A house of its own, for who has left a table may still be waited for there.
const other = await openHouse();
const watched = await sit(browser, other);
const client = await watched.context.newCDPSession(watched.page);
await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
await watched.page.evaluate(() => {
  window.frames_ = [];
  let last = performance.now();
  const step = (now) => {
    window.frames_.push(now - last);
    last = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
});
await play(watched.page);
told('by the clock, slowed down four times', await watched.page.evaluate(() => window.frames_));
await browser.close();
await other.close();
