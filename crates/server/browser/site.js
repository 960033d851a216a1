// The house and the browser of one file of tests: open before its first test, closed after its last. Node runs every file in
// a process of its own, so each has a house of its own.

import { after, before } from 'node:test';
import { openBrowser, openHouse } from './house.js';

export let house;
export let browser;

before(async () => {
  house = await openHouse();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.close();
});
