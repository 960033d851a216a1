// Staff for tests: accounts that the supervisor creates, signing in, and players with chips.

import { visit } from './house.js';
import { until } from './play.js';

/** Signs in through the page, choosing a new password if the first was a one-time password. */
export async function signIn(visitor, name, password) {
  const { page } = visitor;
  await page.goto('/sign-in');
  await page.fill('[name="name"]', name);
  await page.fill('[name="password"]', password);
  await page.click('button:has-text("Sign in")');
  await until(page, () => document.querySelector('[name="new-password"]') || !location.pathname.startsWith('/sign-in'));
  if (await page.$('[name="new-password"]')) {
    await page.fill('[name="new-password"]', `${name}-own-password`);
    await page.click('button:has-text("Change")');
    await until(page, () => !location.pathname.startsWith('/sign-in'));
  }
}

/** Signs the supervisor in and creates an account for each of these roles. Returns the one-time passwords by role. */
export async function hire(browser, house, roles) {
  const boss = await visit(browser, house, '/sign-in');
  await signIn(boss, ...house.supervisor);
  const passwords = {};
  for (const role of roles) {
    const made = await boss.api('POST', '/api/staff/people', { name: `${role}-one`, role });
    passwords[role] = made.body.one_time_password;
  }
  return { boss, passwords };
}

/** Enters the approvals that the tables need, so that tables with a dealer take cage chips. */
export async function enterWhatIsDue(boss) {
  const due = await boss.api('GET', '/api/register/due');
  for (const [n, { table, clause }] of due.body.entries()) {
    const entry = { id: `due-${n}`, kind: 'approval', clause, table, text: 'on file' };
    const made = await boss.api('POST', '/api/register', entry);
    if (made.status >= 300) throw new Error(JSON.stringify(made.body));
  }
}

/** Returns a signed-in member of staff. */
export async function employee(browser, house, passwords, role) {
  const visitor = await visit(browser, house, '/sign-in');
  await signIn(visitor, `${role}-one`, passwords[role]);
  return visitor;
}

/** Returns a player with an account and chips bought at the cage. */
export async function player(browser, house, cashier, name, amount) {
  const visitor = await visit(browser, house, '/sign-in');
  await visitor.page.fill('[name="name"]', name);
  await visitor.page.fill('[name="password"]', `${name}-has-a-password`);
  await visitor.page.click('button:has-text("Create account")');
  await visitor.page.waitForSelector('#balance');
  const sold = await cashier.api('POST', '/api/cashier/buy-ins', { id: `for-${name}`, patron: name, amount });
  if (sold.status >= 300) throw new Error(JSON.stringify(sold.body));
  return visitor;
}
