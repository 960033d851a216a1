// The second person: what the cashier and the supervisor ask for waits on the page until somebody else approves it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, openBrowser, openHouse, visit } from '../house.js';
import { until } from '../play.js';
import { signIn } from '../staff.js';

let house;
let browser;
before(async () => {
  house = await openHouse(
    '[second_person]\ncage_above = "100.00"\naccounts = "approved"\n[[table]]\nrules = "nj-blackjack"\n',
  );
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.close();
});

test('a request waits on the page of whoever made it, and says so in both languages', async () => {
  const boss = await visit(browser, house, '/sign-in');
  const { page } = boss;
  await signIn(boss, ...house.supervisor);
  await page.waitForSelector('h1:has-text("Accounts")');
  await page.fill('[name="name"]', 'cora');
  await page.selectOption('[name="role"]', 'cashier');
  await page.click('button:has-text("Create account")');
  await page.waitForSelector(
    'section:has-text("Waiting for a second person") td:has-text("New account cora, Cashier")',
  );
  const people = (await boss.api('GET', '/api/staff/people')).body.items;
  assert.ok(!people.some(({ name }) => name === 'cora'), 'nobody is hired yet');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/second-person.png` });

  // What the other person would see, and the same in Spanish.
  await page.route('**/api/staff/requests', async (route) => {
    const answer = await route.fetch();
    const open = (await answer.json()).map((one) => ({ ...one, mine: false }));
    await route.fulfill({ response: answer, json: open });
  });
  await page.reload();
  await page.waitForSelector('button:has-text("Approve")');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  await page.click('button:has-text("Approve")');
  await page.waitForSelector('.toast.bad:has-text("another person must approve this")');
  await page.click('button:has-text("Decline")');
  await page.fill('dialog [name="reason"]', 'not needed');
  await page.click('dialog .primary');
  await until(page, () => !document.querySelector('td button.primary'));
  assert.deepEqual((await boss.api('GET', '/api/staff/requests')).body, []);
  const events = (await boss.api('GET', '/api/significant-events')).body.items.map(({ event }) => event.what);
  assert.ok(events.includes('request-made') && events.includes('request-declined'), `${events}`);
  assert.deepEqual(boss.problems, []);
  const spanish = await visit(browser, house, '/sign-in', { locale: 'es' });
  const told = await spanish.page.evaluate(async () => {
    const { whatIsAsked } = await import('/page/staff/requests.js');
    return [
      { action: 'buy-in', name: 'ana', amount: '250.00' },
      { action: 'cash-out', name: 'ana', amount: '250.00' },
      { action: 'hire', name: 'ana', role: 'dealer' },
      { action: 'change-account', name: 'ana', role: 'floor', reset_password: true, remove_second_factor: true },
    ].map(whatIsAsked);
  });
  for (const words of told) assert.doesNotMatch(words, /undefined|request\.|Buy-in|role|[{}]/, words);
  await spanish.close();
  await boss.close();
});
