// Measures how smooth a deal is on a phone four times slower: `node frames.js [rounds] [table]`. Prints three measures:
//
// - Refreshes in time: the share of screen refreshes with something new to draw at which the main thread had drawn it,
//   if each of its tasks took four times its processor time (see `trace.js`). This is what a person sees.
// - The work of a frame: all that the main thread computes from one frame to the next, times four, however far apart
//   the frames are. A pause with many small tasks counts as one long frame, and a task that delays three refreshes
//   counts as one.
// - By the clock: Chromium throttled four times, with its own frame statistics and the times that requestAnimationFrame
//   sees. It renders without a GPU here, and any other load on the machine counts.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, openHouse, visit } from './house.js';
import { FRAME_MS, mainThread, presented, smoothness, tasksOf } from './trace.js';

const SLOWER = 4;
const rounds = Number(process.argv[2] ?? 5);
const number = Number(process.argv[3] ?? 1);
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, still: false };

/**
 * Plays rounds from the bet to the result: cards slide and turn, chips are swept and pushed out. A script inside the
 * page presses the buttons as soon as they are enabled, so that driving the page causes no frames.
 */
const play = (page, many = rounds) =>
  page.evaluate(
    (all) =>
      new Promise((done) => {
        const [table, bar] = [document.querySelector('.table-page'), document.querySelector('.bar')];
        const last = Number(table.dataset.round) + all;
        let [next, dealt] = [0, -1];
        const press = () => {
          const open = (name) => bar.querySelector(`[data-act="${name}"]:not([aria-disabled])`);
          const round = Number(table.dataset.round);
          if (round < last) {
            // Stand or decline.
            const answer = bar.querySelector(
              '.play :is([data-act="stand"], [data-act^="decline"]):not([aria-disabled])',
            );
            // The cards come after the pause between two rounds: request them only once.
            const deal = dealt < round ? (open('again') ?? open('deal')) : null;
            if (!answer && deal) dealt = round;
            return (answer ?? deal)?.click();
          }
          watch.disconnect();
          setTimeout(done, 500);
        };
        const watch = new MutationObserver(() => {
          clearTimeout(next);
          next = setTimeout(press, 80);
        });
        watch.observe(table, { subtree: true, attributeFilter: ['aria-disabled', 'data-act', 'data-awaiting'] });
        next = setTimeout(press, 300);
      }),
    many,
  );

async function sit(browser, house) {
  const visitor = await visit(browser, house, `/table/${number}`, phone);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of await visitor.page.locator('[data-box="1"] .area.main').all()) await area.tap();
  // Warm up with one round, which compiles the scripts and draws the pictures of the cards.
  await play(visitor.page, 1);
  return visitor;
}

/** The main thread's kinds of work, by their names in a trace. */
const PARTS = {
  style: ['UpdateLayoutTree'],
  layout: ['Layout', 'LocalFrameView::performLayout'],
  paint: ['PrePaint', 'Paint', 'Layerize', 'UpdateLayer', 'Commit'],
  script: [
    'FunctionCall',
    'TimerFire',
    'FireAnimationFrame',
    'EventDispatch',
    'BlinkScheduler_PerformMicrotaskCheckpoint',
  ],
};

/**
 * Records a trace while `todo` runs: the events of the page's main thread, and those of all threads. Tracing costs the
 * thread time, so only the needed categories are traced.
 */
async function traced(page, todo, ...more) {
  const path = join(tmpdir(), `cutcard-frames-${process.pid}.json`);
  const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'cc', ...more];
  await browser.startTracing(page, { path, categories });
  await todo();
  await browser.stopTracing();
  const { traceEvents } = JSON.parse(readFileSync(path, 'utf8'));
  rmSync(path);
  return { traceEvents, main: mainThread(traceEvents) };
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

const told = (what, frames) => {
  const fits = frames.filter((ms) => ms <= FRAME_MS).length;
  const longest = Math.max(...frames).toFixed(1);
  console.log(
    `${what}: ${frames.length} frames, ${percent(fits / frames.length)} within ${FRAME_MS.toFixed(1)} ms, the longest ${longest} ms`,
  );
};

const house = await openHouse();
const browser = await openBrowser();

const counted = await sit(browser, house);
const { main } = await traced(counted.page, () => play(counted.page));
const tasks = tasksOf(main);
const { refreshes, held, share, longest } = smoothness(tasks, SLOWER);
console.log(
  `refreshes in time: ${percent(share)} of ${refreshes.toFixed(0)} at which there was something to draw; ${held.toFixed(0)} were held, the longest wait ${longest.toFixed(1)} ms`,
);

// Every frame drawn by the main thread ends with its commit.
const ends = main.own.filter(({ name }) => name === 'Commit').map(({ ts }) => ts / 1000);
const sum = (all) => all.reduce((ms, one) => ms + one, 0) * SLOWER;
const frames = ends
  .slice(1)
  .map((to, at) => sum(tasks.filter((task) => task.at > ends[at] && task.at <= to).map(({ work }) => work)));
told('work of a frame, times four', frames);
const parts = Object.entries(PARTS).map(([part, names]) => [
  part,
  sum(main.own.filter(({ name }) => names.includes(name)).map(({ alone }) => alone / 1000)),
]);
const all = sum(tasks.map(({ work }) => work));
const rest = all - parts.reduce((ms, [, one]) => ms + one, 0);
const each = (ms) => `${(ms / frames.length).toFixed(1)} ms`;
console.log(
  `of which a frame: ${[...parts, ['the browser itself', rest]].map(([part, ms]) => `${part} ${each(ms)}`).join(', ')}`,
);
const long = tasks.map(({ work }) => work * SLOWER).filter((ms) => ms > FRAME_MS);
console.log(
  `tasks longer than a frame: ${long.length} of ${tasks.length}, the longest ${Math.max(0, ...long).toFixed(1)} ms`,
);
await counted.close();
await house.close();

// A second house, since the first may still wait for the player who left the table.
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
const slow = await traced(watched.page, () => play(watched.page), 'benchmark');
const own = presented(slow.traceEvents, slow.main.pid);
console.log(
  `Chromium’s own frames, slowed down four times: ${own.all} with all that was new, ${own.partial} with a part of it, ${own.dropped} dropped`,
);
const clock = await watched.page.evaluate(() => window.frames_);
// A refresh is missed if two frames are more than one and a half refreshes apart: clocks are not exact.
const late = clock.filter((ms) => ms > 1.5 * FRAME_MS).length;
console.log(
  `by the clock, slowed down four times: ${clock.length} frames, ${percent(1 - late / clock.length)} with the refresh after the one before, the longest ${Math.max(...clock).toFixed(1)} ms`,
);
await browser.close();
await other.close();
