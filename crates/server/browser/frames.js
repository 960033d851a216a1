// How smooth a deal is on a phone four times slower: `node frames.js [rounds]` prints the share of frames whose work fits into a
// sixtieth of a second, and the longest. Work is what the page's main thread computes for a frame by its own clock, times four, so
// that whatever else this machine does does not count; the wall's clock, with Chromium slowed down four times, is printed beside it.

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBrowser, openHouse, visit } from './house.js';

const SLOWER = 4;
const FRAME_MS = 1000 / 60;
const rounds = Number(process.argv[2] ?? 5);
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, still: false };

/**
 * Plays rounds from the chip to the result: cards slide and turn, chips are swept and pushed out. The page is driven from within and
 * looks every 60 ms, so that no frame is drawn for the one who drives.
 */
const play = (page) =>
  page.evaluate(async (all) => {
    const wait = () => new Promise((go) => setTimeout(go, 60));
    for (let round = 0; round < all;) {
      await wait();
      const [act] = ['stand', 'decline', round ? 'again' : 'deal']
        .map((name) => document.querySelector(`[data-act="${name}"]:not([aria-disabled])`))
        .filter(Boolean);
      if (!act) continue;
      if (['again', 'deal'].includes(act.dataset.act)) round += 1;
      act.click();
    }
    for (let rest = 0; rest < 50; rest += 1) await wait();
  }, rounds);

async function sit(browser, house) {
  const visitor = await visit(browser, house, '/train?play=1&table=nj-blackjack', phone);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  await visitor.page.click('[data-box="1"] [data-area="main-0"]');
  return visitor;
}

/** The work of every frame in milliseconds of the slower phone, from a trace. */
function work(trace) {
  const { traceEvents } = JSON.parse(trace);
  // Every frame that the main thread has drawn ends with its commit.
  const commits = traceEvents.filter(({ name }) => name === 'Commit');
  const own = (event) => event.pid === commits[0].pid && event.tid === commits[0].tid;
  const begins = commits.filter(own).map(({ ts }) => ts);
  begins.sort((a, b) => a - b);
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && own(event) && event.tdur);
  return begins.slice(1).map((to, at) => {
    const from = begins[at];
    const within = tasks.filter(({ ts }) => ts > from && ts <= to);
    return (within.reduce((all, { tdur }) => all + tdur, 0) / 1000) * SLOWER;
  });
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
told('work of a frame, times four', work(readFileSync(file, 'utf8')));
rmSync(file);
await counted.close();

const watched = await sit(browser, house);
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
await house.close();
