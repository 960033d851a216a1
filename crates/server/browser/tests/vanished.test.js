// A server that vanishes without closing its connections: the page notices within five seconds and reconnects.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHouse, visit } from '../house.js';
import { openWire } from '../proxy.js';
import { browser } from '../site.js';

const TABLE = '[timings]\nbetting_ms = 600000\n[[table]]\nrules = "nj-blackjack"\n';
const WITHIN = { timeout: 5000 };

async function atTable(own) {
  const wire = await openWire(own);
  const visitor = await visit(browser, wire, '/table/1', { serviceWorkers: 'block' });
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  const opened = [];
  visitor.page.on('websocket', (socket) => opened.push(socket));
  return { wire, visitor, page: visitor.page, opened };
}

test('a stopped node is noticed within five seconds, and another one is found', async () => {
  const [own, other] = [await openHouse(TABLE), await openHouse(TABLE)];
  const { wire, visitor, page, opened } = await atTable(own);
  // Nothing is lost while nothing happens at the table.
  await page.waitForTimeout(6000);
  assert.equal(await page.isVisible('.lost:not(.slow)'), false, 'a quiet house is not a lost one');
  own.stop();
  wire.lead(other);
  const since = Date.now();
  await page.waitForFunction(() => document.querySelector('.lost:not(.slow):not([hidden])'), null, WITHIN);
  assert.ok(Date.now() - since < 5000, 'in time');
  assert.equal(opened.length, 0, 'on the socket that was open');
  while (!opened.length && Date.now() - since < 10_000) await page.waitForTimeout(50);
  assert.equal(opened.length, 1, 'it asks again, and the balancer leads elsewhere');
  own.proceed();
  await visitor.close();
  wire.close();
  await Promise.all([own.close(), other.close()]);
});

test('a link that drops everything is noticed within five seconds, and used again when it carries', async () => {
  const own = await openHouse(TABLE);
  const { wire, visitor, page, opened } = await atTable(own);
  wire.fallSilent();
  await page.waitForFunction(() => document.querySelector('.lost:not(.slow):not([hidden])'), null, WITHIN);
  wire.fallSilent(false);
  await page.waitForFunction(() => !document.querySelector('.lost:not(.slow):not([hidden])'), null, {
    timeout: 15_000,
  });
  assert.ok(opened.length > 0, 'on a new socket');
  await visitor.close();
  wire.close();
  await own.close();
});
