// Rare situations, at training tables with arranged cards: insurance, even money, doubles, splits, surrender, switch
// and its revocation, attacks, three dealer hands, lammers, the bonus button. By mouse and by keyboard; what the page
// shows is compared with the server's view.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { visit } from '../house.js';
import { cents, press, reach, shown, until } from '../play.js';
import { browser, house } from '../site.js';

/** Opens a training table with these cards next. */
async function sitDown(table, cards, set = []) {
  const query = new URLSearchParams({ play: '1', table, cards });
  for (const text of set) query.append('set', text);
  const visitor = await visit(browser, house, `/train?${query}`);
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  return visitor;
}

/** Puts a chip on each of these areas and deals. */
async function deal(visitor, how, areas = ['main-0']) {
  const { page } = visitor;
  for (const area of areas) {
    const place = `[data-box="1"] [data-area="${area}"]`;
    if (how === 'mouse') await page.click(place);
    else {
      await reach(page, place);
      await page.keyboard.press('2');
    }
  }
  await press(page, how, 'deal');
}

/** Asserts that the page shows the cards and actions of the server's view. */
async function agrees(visitor) {
  const { body: view } = await visitor.api('GET', '/api/training');
  const seen = await shown(visitor.page);
  assert.equal(seen.awaiting, view.awaiting.what);
  if (view.awaiting.what === 'wagers') return view;
  assert.deepEqual(seen.dealer, view.dealer.cards);
  const hands = view.boxes[0].hands.filter((hand) => hand.cards.length);
  assert.deepEqual(
    seen.hands.map((hand) => hand.cards),
    hands.map((hand) => hand.cards),
  );
  return view;
}

/** Takes an action once it is offered, after comparing the page with the server's view. */
async function choose(visitor, how, act) {
  const { page } = visitor;
  await page.waitForSelector(`.actions [data-act="${act}"]`);
  await agrees(visitor);
  await press(page, how, act);
}

/** Asserts the result of a finished round: on the felt, in words, and on the server. */
async function ends(visitor, net) {
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.waitForSelector('.bar .net .pill');
  const pills = await page.$$eval('.box.mine .pill[data-net]', (all) => all.map((pill) => Number(pill.dataset.net)));
  const sum = Math.round(pills.reduce((a, b) => a + b, 0) * 100);
  const { body: view } = await visitor.api('GET', '/api/training');
  assert.equal(sum, cents(view.won), 'the results on the felt are what the house paid');
  assert.equal(sum, net * 100, `the results ${pills}`);
  const clauses = await page.$$eval('.log .log-settled .clause', (all) => all.map((c) => c.textContent));
  assert.ok(clauses.length > 0 && clauses.every(Boolean), 'every settlement has its clause');
  assert.deepEqual(visitor.problems, []);
}

/** Returns the coach's last verdicts, by subject. */
const verdicts = (page) =>
  page.$$eval('[data-about]', (all) => Object.fromEntries(all.map((p) => [p.dataset.about, p.dataset.verdict])));

for (const how of ['mouse', 'keyboard']) {
  test(`insurance against a dealer's blackjack, by ${how}`, async () => {
    const visitor = await sitDown('nj-blackjack', 'Ts Ah 9d Kd');
    await deal(visitor, how);
    await visitor.page.waitForSelector('.actions [data-act="insure"]');
    const { awaiting } = await agrees(visitor);
    const [{ amounts }] = awaiting.asked[0].insurance;
    assert.equal(await visitor.page.textContent('[data-act="insure"] .cost'), `up to ${Number(amounts[0])}`);
    assert.equal(await visitor.page.inputValue('.amount input'), String(Number(amounts[0])), 'all of it, if not less');
    assert.equal(await visitor.page.$('[data-act="even-money"]'), null, 'only where the table offers it');
    await choose(visitor, how, 'insure');
    await visitor.page.waitForSelector('[data-about="insurance"]');
    assert.deepEqual(await verdicts(visitor.page), { insurance: 'wrong' }, 'insurance is scored');
    assert.equal(await visitor.page.getAttribute('.box.mine .insurance-band .stack', 'aria-label'), 'Insurance 5');
    await choose(visitor, how, 'stand');
    await ends(visitor, 0);
    await visitor.close();
  });

  test(`even money, by ${how}`, async () => {
    const visitor = await sitDown('nj-blackjack', 'As Ah Kd Kh', ['even_money=true']);
    await deal(visitor, how);
    await choose(visitor, how, 'even-money');
    await ends(visitor, 10);
    assert.deepEqual(await verdicts(visitor.page), { insurance: 'wrong' }, 'even money is scored');
    await visitor.close();
  });

  test(`a double, by ${how}`, async () => {
    const visitor = await sitDown('nj-blackjack', '6s 6h 5d Td Tc Ts');
    await deal(visitor, how);
    await visitor.page.waitForSelector('[data-act="double"]');
    assert.equal(await visitor.page.textContent('[data-act="double"] .cost'), '+10');
    await choose(visitor, how, 'double');
    await ends(visitor, 20);
    await visitor.close();
  });

  test(`a double for less, by ${how}`, async () => {
    const visitor = await sitDown('nj-blackjack', '6s 6h 5d Td Tc Ts');
    const { page } = visitor;
    await deal(visitor, how);
    await choose(visitor, how, 'double-less');
    await page.fill('dialog input', '4');
    if (how === 'mouse') await page.click('dialog .primary');
    else await page.keyboard.press('Enter');
    await ends(visitor, 14);
    await visitor.close();
  });

  test(`a split and a split again, by ${how}`, async () => {
    // 8 8 against 6: split, an 8 comes, split again; 3 doubled to 21, 18 and 19 stand; the dealer has 16 and busts.
    const visitor = await sitDown('nj-blackjack', '8s 6h 8d 8c 3h Td Ts Jd Tc Qd Kd');
    const { page } = visitor;
    await deal(visitor, how);
    await page.waitForSelector('[data-act="split"]');
    assert.equal(await page.textContent('[data-act="split"] .cost'), '+10');
    await choose(visitor, how, 'split');
    await until(page, () => document.querySelectorAll('.box.mine .hand').length === 2);
    await choose(visitor, how, 'split');
    await until(page, () => document.querySelectorAll('.box.mine .hand').length === 3);
    await choose(visitor, how, 'double');
    await until(page, () => document.querySelector('.hand.asked')?.dataset.key === '3');
    await choose(visitor, how, 'stand');
    await until(page, () => document.querySelector('.hand.asked')?.dataset.key === '2');
    await choose(visitor, how, 'stand');
    await ends(visitor, 40);
    assert.equal(await page.$$eval('.box.mine .hand .pill', (all) => all.length), 3, 'a result on every hand');
    await visitor.close();
  });

  test(`surrender, by ${how}`, async () => {
    const visitor = await sitDown('nj-blackjack', 'Ts Th 6d 7c', ['surrender=true']);
    await deal(visitor, how);
    await choose(visitor, how, 'surrender');
    await ends(visitor, -5);
    await visitor.close();
  });

  for (const table of ['nj-switch', 'ma-switch']) {
    test(`a switch, taken back and made again, at ${table} by ${how}`, async () => {
      const visitor = await sitDown(table, 'Ts 6s 6h 5d Td Kh Kc 9s');
      const { page } = visitor;
      const cards = () =>
        page.$$eval('.box.mine .hand', (all) =>
          all.map((hand) => Array.from(hand.querySelectorAll('cut-card'), (card) => card.getAttribute('card'))),
        );
      const dealt = [
        ['Ts', '5d'],
        ['6s', 'Td'],
      ];
      const switched = [
        ['Ts', 'Td'],
        ['6s', '5d'],
      ];
      await deal(visitor, how);
      await page.waitForSelector('[data-act="switch"]');
      assert.deepEqual(await cards(), dealt);
      await choose(visitor, how, 'switch');
      await page.waitForSelector('[data-act="revoke"]');
      assert.deepEqual(await cards(), switched, 'the second cards have changed places');
      await choose(visitor, how, 'revoke');
      await page.waitForSelector('[data-about="switch"][data-verdict="wrong"]');
      assert.deepEqual(await cards(), dealt, 'and back, which the coach scores');
      await choose(visitor, how, 'stand');
      await until(page, () => document.querySelector('.hand.asked')?.dataset.key === '2');
      await choose(visitor, how, 'stand');
      await page.waitForSelector('[data-awaiting="wagers"]');
      // The same cards once more, this time switched for good.
      await page.click('[data-act="arrange"]');
      await page.waitForSelector('.toast');
      await page.focus('.bar .say');
      await press(page, how, 'again');
      await choose(visitor, how, 'switch');
      await page.waitForSelector('[data-act="revoke"]');
      await choose(visitor, how, 'stand');
      await until(page, () => document.querySelector('.hand.asked')?.dataset.key === '2');
      await choose(visitor, how, 'double');
      await page.waitForSelector('[data-about="switch"]');
      assert.deepEqual(await verdicts(page), { switch: 'right', hand: 'right' }, 'the switch is scored');
      await page.waitForSelector('[data-awaiting="wagers"]');
      await page.waitForSelector('.box.mine .pill');
      assert.equal((await visitor.api('GET', '/api/training')).body.decisions, 6);
      assert.equal(await page.getAttribute('[data-choices]', 'data-choices'), '6');
      assert.deepEqual(visitor.problems, []);
      await visitor.close();
    });
  }

  test(`insurance of one hand of a switch, by ${how}`, async () => {
    const visitor = await sitDown('nj-switch', 'Ts 6s Ah 5d Td 9h 9c');
    await deal(visitor, how);
    await visitor.page.waitForSelector('[data-act="insure"]');
    assert.equal(await visitor.page.textContent('[data-act="insure"] .cost'), '10');
    await choose(visitor, how, 'insure-2');
    await visitor.page.waitForSelector('[data-act="stand"]');
    assert.equal(await visitor.page.getAttribute('.box.mine .insurance-band .stack', 'aria-label'), 'Insurance 5');
    const { body: view } = await visitor.api('GET', '/api/training');
    assert.equal(view.boxes[0].bettors[0].insurance, '5.00');
    await visitor.close();
  });

  test(`a double attack, by ${how}`, async () => {
    const visitor = await sitDown('nj-double-attack', '6h Ks 9d Kc Qh Jh');
    const { page } = visitor;
    await deal(visitor, how);
    await page.waitForSelector('[data-act="attack"]');
    assert.equal(await page.inputValue('.amount input'), '10', 'as much as the first wager');
    await choose(visitor, how, 'attack');
    await page.waitForSelector('[data-about="attack"]');
    assert.deepEqual(await verdicts(page), { attack: 'right' }, 'the attack is scored');
    await choose(visitor, how, 'stand');
    await ends(visitor, 20);
    await visitor.close();
  });

  test(`two attacks at Triple Attack, one declined, by ${how}`, async () => {
    const visitor = await sitDown('nj-triple-attack', 'As 6h Kd Qc Jh Kh');
    const { page } = visitor;
    await deal(visitor, how);
    await page.waitForSelector('.status:has-text("second attack")');
    assert.match(await page.getAttribute('.amount input', 'aria-label'), / amount$/);
    if (how === 'mouse') await page.fill('.amount input', '5');
    await choose(visitor, how, 'attack');
    await page.waitForSelector('.status:has-text("third attack")');
    await choose(visitor, how, 'decline');
    await page.waitForSelector('[data-about="attack"][data-verdict="wrong"]');
    await ends(visitor, how === 'mouse' ? 15 : 20);
    await visitor.close();
  });

  test(`three dealer hands in multiple action, by ${how}`, async () => {
    // 20 against 6: the dealer makes 16 and busts, then 19, then 21.
    const visitor = await sitDown('nj-multiple-action', 'Ks 6h Qd Tc Kc Kd 3h 7h 8h');
    const { page } = visitor;
    await deal(visitor, how, ['main-0', 'main-1', 'main-2']);
    await choose(visitor, how, 'stand');
    await ends(visitor, 10);
    const earlier = await page.$$eval('.dealer-before .earlier', (all) => all.map((e) => e.textContent));
    assert.equal(earlier.length, 2, 'the first two hands stay in sight');
    assert.match(await page.textContent('.dealer > .box-name'), /Hand 3/);
    assert.equal(await page.locator('.box.mine .pill[data-net]').count(), 3, 'every bet has its result');
    await page.click('.box.mine .pill');
    await page.waitForSelector('.why-panel .why');
    assert.equal(await page.locator('.why-panel .why').count(), 1, 'a result, with its reason');
    await page.keyboard.press('Escape');
    await page.click('[data-act="why"]');
    await until(page, () => document.querySelectorAll('.why-panel .why').length === 3);
    assert.equal(await page.locator('.why-panel .why').count(), 3, 'three results, each with its reason');
    await visitor.close();
  });
}

test('insurance for less than half', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ts Ah 9d Kd');
  const { page } = visitor;
  await deal(visitor, 'mouse');
  await page.waitForSelector('.actions [data-act="insure"]');
  await page.fill('.amount input', '2');
  await choose(visitor, 'mouse', 'insure');
  await page.waitForSelector('.actions [data-act="stand"]');
  assert.equal(await page.getAttribute('.box.mine .insurance-band .stack', 'aria-label'), 'Insurance 2');
  await choose(visitor, 'mouse', 'stand');
  await ends(visitor, -6);
  await visitor.close();
});

for (const [table, cards, areas, amounts] of [
  ['nj-switch', 'Ts 6s Ah 5d Td 9h 9c', ['main-0'], [2, 3]],
  ['nj-multiple-action', 'Ks Ah Qd', ['main-0', 'main-1', 'main-2'], [5, 2, 0]],
])
  test(`insurance for less at ${table}: each bet by itself`, async () => {
    const visitor = await sitDown(table, cards);
    const { page } = visitor;
    await deal(visitor, 'mouse', areas);
    await choose(visitor, 'mouse', 'insure-less');
    const fields = page.locator('dialog .amount input');
    assert.equal(await fields.count(), amounts.length);
    for (const [at, amount] of amounts.entries()) {
      assert.equal(await fields.nth(at).inputValue(), '5', 'half of each, if not less');
      await fields.nth(at).fill(String(amount));
    }
    assert.deepEqual(await findings(page), []);
    await page.click('dialog .primary');
    await page.waitForSelector('.actions [data-act="stand"]');
    const { body: view } = await visitor.api('GET', '/api/training');
    const sum = amounts.reduce((all, amount) => all + amount, 0);
    assert.equal(view.boxes[0].bettors[0].insurance, sum.toFixed(2));
    assert.equal(await page.locator('.toast.bad').count(), 0);
    assert.deepEqual(visitor.problems, []);
    await visitor.close();
  });

test('a blackjack, and its clause in plain words one click away', async () => {
  const visitor = await sitDown('nj-blackjack', 'As 6h Kd Tc Kc');
  const { page } = visitor;
  await deal(visitor, 'mouse');
  await ends(visitor, 15);
  await page.click('.box.mine .pill');
  const clause = await page.textContent('.why-panel .why .clause');
  await until(page, () => document.querySelector('.why-panel .clause-words').textContent.length > 20);
  const rows = (await visitor.api('GET', `/api/clauses?id=${encodeURIComponent(clause)}`)).body.clauses;
  assert.equal(await page.textContent('.why-panel .clause-words'), rows.map((row) => row.summary).join(' '));
  assert.deepEqual(await findings(page), []);
  await visitor.close();
});

test('the bonus button shows its award', async () => {
  const visitor = await sitDown('nj-blackjack', 'As 6h Kd Tc Kc', ['side_wagers.blackjack-bonus=true']);
  await deal(visitor, 'mouse', ['main-0', 'blackjack-bonus']);
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const award = await page.waitForSelector('text=/Bonus award: \\d/');
  const amount = Number((await award.textContent()).replace(/[^\d.]/g, ''));
  const pill = await page.$eval('.side-results .pill', (p) => Number(p.dataset.net));
  assert.ok(pill >= amount && amount > 0, `${pill} for an award of ${amount}`);
  await visitor.close();
});

test('the lammer of a streak moves', async () => {
  const visitor = await sitDown('nj-blackjack', 'Ks 6h Kd Tc Kc', ['side_wagers.streak=true']);
  const { page } = visitor;
  await deal(visitor, 'mouse', ['main-0', 'streak-3']);
  await choose(visitor, 'mouse', 'stand');
  await page.waitForSelector('[data-awaiting="wagers"]');
  const lammer = await page.waitForSelector('.lammer');
  const { body: view } = await visitor.api('GET', '/api/training');
  assert.equal(view.streaks[0].wins, 1);
  assert.match(await lammer.textContent(), /1/);
  await visitor.close();
});
