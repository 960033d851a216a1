// The house and the browser of one test file: opened before its first test, closed after its last. Node runs every file
// in its own process, so each has its own house.

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
