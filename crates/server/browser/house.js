// A house for tests: the real server on its own port with an empty data directory, and Chromium to visit it.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const HOUSE = process.env.CUTCARD_HOUSE ?? new URL('../../../target/debug/examples/house', import.meta.url).pathname;

// A test may look at the page for long before it decides, on a machine that has other work too.
const PATIENT = 'timings.decision_ms = 120000\n';

/** Opens a house. `file` is the text of a house file; the tables of the standard house if omitted. */
export async function openHouse(file = '') {
  const data = mkdtempSync(join(tmpdir(), 'cutcard-browser-'));
  const words = ['127.0.0.1:0', join(data, 'data'), join(data, 'house.toml')];
  writeFileSync(words[2], (file.includes('[timings]') ? '' : PATIENT) + file);
  const child = spawn(HOUSE, words, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, RUST_LOG: 'error' } });
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const first = await new Promise((done, failed) => {
    createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', () => failed(new Error(`the house did not open: ${errors}`)));
    child.once('error', failed);
  });
  const { address, supervisor } = JSON.parse(first);
  return {
    url: `http://${address}`,
    supervisor,
    errors: () => errors,
    /** Stops the process without ending it, or continues it. */
    stop: () => child.kill('SIGSTOP'),
    proceed: () => child.kill('SIGCONT'),
    async close() {
      const gone = new Promise((done) => {
        child.once('exit', done);
      });
      child.stdin.end();
      await Promise.race([
        gone,
        new Promise((done) => {
          setTimeout(done, 4000);
        }),
      ]);
      child.kill();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export const openBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

/** Whether every page is looked at in every size and scheme, as `./test deep` does. */
export const DEEP = Boolean(process.env.CUTCARD_DEEP);
export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 740 };

/**
 * Opens a page for a visitor with a browser context of their own. Errors of the page are collected in
 * `visitor.problems`, which tests check.
 */
export async function visit(
  browser,
  house,
  path = '/',
  { viewport = WIDE, still = true, example = false, ...more } = {},
) {
  const context = await browser.newContext({
    viewport,
    reducedMotion: still ? 'reduce' : 'no-preference',
    baseURL: house.url,
    ...more,
  });
  if (process.env.PATIENCE_MS) context.setDefaultTimeout(Number(process.env.PATIENCE_MS));
  // A first rehearsal starts with an example round; most tests deal by themselves.
  if (!example)
    await context.addInitScript(() => {
      try {
        if (!localStorage.getItem('prefs')) localStorage.setItem('prefs', '{"rehearsed":true}');
      } catch {
        // A page without a URL has no storage.
      }
    });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text());
  });
  await page.goto(path);
  const api = async (method, where, body) =>
    page.evaluate(
      async ([m, w, b]) => {
        const answer = await fetch(w, {
          method: m,
          headers: b ? { 'content-type': 'application/json' } : {},
          body: b ? JSON.stringify(b) : undefined,
        });
        const text = await answer.text();
        try {
          return { status: answer.status, body: JSON.parse(text) };
        } catch {
          return { status: answer.status, body: text };
        }
      },
      [method, where, body],
    );
  return { page, context, problems, api, close: () => context.close() };
}
