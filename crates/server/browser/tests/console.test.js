// The console of the dealer and the floor: whole rounds with cards by key and by click, the reader, the bonus button,
// approvals, irregularities with their remedies, co-bettors, and the floor's orders.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findingsAtBothWidths } from '../axe.js';
import { NARROW, WIDE, openBrowser, openHouse, visit } from '../house.js';
import { bet, cents, press, until } from '../play.js';
import { employee, enterWhatIsDue, hire, player, signIn } from '../staff.js';

const HOUSE = `
[timings]
betting_ms = 600000
decision_ms = 600000
pause_ms = 0

[[table]]
rules = "nj-blackjack"
name = "Side wagers"
dealing = "dealer"
set = ["side_wagers.blackjack-bonus=true", "bettors_per_box=3"]

[[table]]
rules = "nj-blackjack-reader"
name = "Reader"
dealing = "dealer"

[[table]]
rules = "nj-blackjack"
name = "Progressive"
dealing = "dealer"
set = ["side_wagers.progressive=true"]

[[table]]
rules = "nj-blackjack"
name = "Double shoe"
dealing = "dealer"
set = ["shoe=double"]

[[table]]
rules = "nj-blackjack"
name = "New cards"
dealing = "dealer"

[[table]]
rules = "nj-blackjack"
name = "Doubles face down"
dealing = "dealer"
set = ["double_card=down"]
`;

let house;
let browser;
let passwords;
let cashier;
let boss;
before(async () => {
  house = await openHouse(HOUSE);
  browser = await openBrowser();
  const hired = await hire(browser, house, ['dealer', 'floor', 'cashier']);
  passwords = hired.passwords;
  cashier = await employee(browser, house, passwords, 'cashier');
  boss = hired.boss;
  await enterWhatIsDue(boss);
});
after(async () => {
  await browser.close();
  await house.close();
});

/** A dealer at the console of a table. */
class Desk {
  constructor(visitor, table) {
    Object.assign(this, { visitor, table, page: visitor.page, entered: 0 });
  }

  /** The staff of this house, each signed in once. */
  static staff = new Map();

  static async open(role, table) {
    if (!Desk.staff.has(role)) Desk.staff.set(role, await employee(browser, house, passwords, role));
    const visitor = Desk.staff.get(role);
    await visitor.page.goto(`/console/${table}`);
    await visitor.page.waitForSelector('.console-next .status');
    return new Desk(visitor, table);
  }

  /** Returns the server's view, once the console shows the same version. */
  async view() {
    const { body } = await this.visitor.api('GET', `/api/tables/${this.table}`);
    await until(
      this.page,
      (version) => Number(document.querySelector('.table-page').dataset.version) >= version,
      body.view.version,
    );
    return (await this.visitor.api('GET', `/api/tables/${this.table}`)).body.view;
  }

  /** Does something and waits until the table has a new version. */
  async move(how) {
    const { version } = await this.view();
    await how();
    await until(this.page, (before) => Number(document.querySelector('.table-page').dataset.version) > before, version);
  }

  async click(act) {
    // A new step takes no answer before the dealer can have seen it.
    return this.move(() => this.page.click(`[data-act="${act}"]:not([aria-disabled])`));
  }

  /** Takes an action that asks for a reason. */
  async because(act, reason) {
    await this.page.click(`[data-act="${act}"]:not([aria-disabled])`);
    await this.page.fill('dialog [name="reason"]', reason);
    await this.page.click('dialog [data-act="give-reason"]');
  }

  /** Carries out the procedure until betting opens. */
  async prepare() {
    while ((await this.view()).awaiting.what === 'procedure') await this.click('perform');
    assert.equal((await this.view()).awaiting.what, 'wagers', 'the cards are ready');
  }

  /** Enters cards when they are requested, alternately by key and by click. */
  async enter(...cards) {
    for (const card of cards) {
      const view = await this.view();
      assert.equal(view.awaiting.what, 'card', `a card is asked for, not ${JSON.stringify(view.awaiting)}`);
      if (card === 'down') {
        await this.click('face-down');
        continue;
      }
      this.entered += 1;
      await this.move(async () => {
        if (this.entered % 2) {
          await this.page.keyboard.press(card[0].toLowerCase());
          await this.page.keyboard.press(card[1]);
          await this.page.waitForSelector(`[data-pending="${card}"]`);
          await this.page.keyboard.press('Enter');
        } else {
          await this.page.click(`[data-rank="${card[0]}"]`);
          await this.page.click(`[data-suit="${card[1]}"]`);
          await this.page.click('[data-act="record"]');
        }
      });
    }
  }

  /** Reports an irregularity by its name. */
  async report(name, { card, box } = {}) {
    await this.page.$eval('.irregular', (fold) => fold.setAttribute('open', ''));
    await this.page.selectOption('[name="irregularity"]', name);
    if (card) await this.page.fill('[name="reported-card"]', card);
    if (box) await this.page.fill('[name="reported-box"]', String(box));
    await this.click('report');
  }

  log() {
    return this.page.$$eval('.log li', (all) => all.map((line) => line.textContent));
  }
}

/** Puts a chip on these areas of a box and places the bet. */
async function place(visitor, box, areas) {
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  for (const area of areas) await page.click(`[data-box="${box}"] [data-area="${area}"]`);
  await press(page, 'mouse', 'deal');
  await page.waitForSelector(`[data-box="${box}"] .area.placed`);
}

/** Makes the dealer and the supervisor do what the table waits for, until it waits for a player or new bets. */
async function carryOn(desk, award) {
  const approved = [];
  for (;;) {
    const { awaiting } = await desk.view();
    if (awaiting.what === 'award') {
      await desk.page.fill('.console-next input', award);
      await desk.click('award');
    } else if (awaiting.what === 'approval') {
      assert.equal(await desk.page.$('[data-act="approve"]'), null, 'not the dealer’s to approve');
      approved.push(awaiting.of);
      await desk.move(() => boss.page.click('[data-act="approve"]:not([aria-disabled])'));
    } else return approved;
  }
}

test('the bonus button: the dealer enters its award, the supervisor approves', async () => {
  const desk = await Desk.open('dealer', 1);
  await desk.prepare();
  const ann = await player(browser, house, cashier, 'ann', '500.00');
  await ann.page.goto('/table/1');
  await place(ann, 2, ['main-0', 'blackjack-bonus']);
  await desk.click('close-wagers');
  await boss.page.goto('/console/1');
  await boss.page.waitForSelector('.console-next .status');
  await desk.enter('As', '6h', 'Ks');
  // A decimal comma works like a point.
  assert.deepEqual(await carryOn(desk, '500,00'), ['bonus']);
  await ann.page.waitForSelector('text=/Bonus award: 500/');
  if ((await desk.view()).awaiting.what === 'card') await desk.enter('Td', 'Kd');
  await ann.page.waitForSelector('.status:has-text("You win")');
  const log = (await desk.log()).join('\n');
  assert.match(log, /Approved by: Supervisor/);
  assert.match(log, /bonus button shows 500/);
  const me = (await ann.api('GET', '/api/me')).body;
  assert.equal(cents((await ann.page.textContent('#balance')).replace(/,/g, '')), cents(me.cash));
  assert.ok(cents(me.cash) > 100_000, `the award is paid: ${me.cash}`);
  assert.deepEqual([...desk.visitor.problems, ...ann.problems], []);
  await ann.close();
});

test('the progressive meter is shown, rises, and its payment is approved', async () => {
  const desk = await Desk.open('dealer', 3);
  await desk.prepare();
  const joe = await player(browser, house, cashier, 'joe', '500.00');
  const { page } = joe;
  await page.goto('/table/3');
  const shown = async () => cents((await page.textContent('.meter b')).replace(/,/g, ''));
  await page.waitForSelector('.meter b');
  const before_ = cents((await desk.view()).meter);
  assert.equal(await shown(), before_);
  await place(joe, 1, ['main-0', 'progressive']);
  await desk.click('close-wagers');
  await until(
    page,
    (old) => Number(document.querySelector('.meter b').textContent.replace(/,/g, '')) * 100 > old,
    before_,
  );
  assert.equal(await shown(), cents((await desk.view()).meter), 'the meter rises by each wager');
  await boss.page.goto('/console/3');
  await boss.page.waitForSelector('.console-next .status');
  await desk.enter('Ad', '6h', 'Ad');
  const approved = await carryOn(desk, '');
  if ((await desk.view()).awaiting.what === 'decision') {
    await press(page, 'keyboard', 'stand');
    await desk.page.waitForSelector('[data-awaiting="card"]');
    await desk.enter('Td', 'Kd');
    approved.push(...(await carryOn(desk, '')));
  }
  assert.deepEqual(approved, ['progressive']);
  await page.waitForSelector('.status:has-text("You win")');
  assert.deepEqual([...desk.visitor.problems, ...joe.problems, ...boss.problems], []);
  await joe.close();
});

test('co-bettors on one box answer a split and a double', async () => {
  const desk = await Desk.open('dealer', 1);
  await desk.prepare();
  const [bob, eve] = [
    await player(browser, house, cashier, 'bob', '500.00'),
    await player(browser, house, cashier, 'eve', '500.00'),
  ];
  for (const { page } of [bob, eve]) {
    await page.goto('/table/1');
    await page.waitForSelector('[data-awaiting="wagers"]');
  }
  await place(bob, 3, ['main-0']);
  await press(bob.page, 'mouse', 'consent');
  await eve.page.waitForSelector('[data-box="3"] [data-area="main-0"]:not(:disabled)');
  await eve.page.click('[data-box="3"] [data-area="main-0"]');
  await press(eve.page, 'mouse', 'deal');
  await until(desk.page, () => document.querySelector('.box.taken')?.textContent.includes(','));
  await desk.click('close-wagers');
  await desk.enter('8s', '6h', '8d');
  await press(bob.page, 'keyboard', 'split');
  await press(eve.page, 'keyboard', 'cover');
  await until(desk.page, () => document.querySelector('.table-page').dataset.awaiting === 'card');
  await desk.enter('3h');
  await press(bob.page, 'keyboard', 'double');
  await press(eve.page, 'keyboard', 'not-double');
  await until(desk.page, () => document.querySelector('.table-page').dataset.awaiting === 'card');
  await desk.enter('Td', 'Ks');
  await press(bob.page, 'keyboard', 'stand');
  await until(desk.page, () => document.querySelector('.table-page').dataset.awaiting === 'card');
  await desk.enter('Kh', 'Qs');
  await bob.page.waitForSelector('.status:has-text("You win 30")');
  await eve.page.waitForSelector('.status:has-text("You win 20")');
  assert.deepEqual([...desk.visitor.problems, ...bob.problems, ...eve.problems], []);
  for (const visitor of [bob, eve]) await visitor.close();
});

test('the reader, and irregularities with the remedy that follows', async () => {
  const desk = await Desk.open('dealer', 2);
  const { page } = desk;
  await desk.prepare();
  const { card } = (await desk.visitor.api('GET', '/api/tables/2')).body;
  for (const { name, clause } of card.irregularities) {
    await page.$eval('.irregular', (fold) => fold.setAttribute('open', ''));
    await page.selectOption('[name="irregularity"]', name);
    assert.equal(await page.textContent('.remedy .clause'), clause, `${name} names its remedy`);
  }
  const clause = await page.textContent('.remedy .clause');
  const rows = (await desk.visitor.api('GET', `/api/clauses?id=${encodeURIComponent(clause)}`)).body.clauses;
  const words = rows.map((row) => row.summary).join(' ');
  await until(page, (text) => document.querySelector('.remedy p.dim').textContent === text, words);
  const guest = await visit(browser, house, '/table/2');
  await bet(guest, 2, 'mouse');
  await guest.page.waitForSelector('[data-box="2"] .area.placed');
  await desk.click('close-wagers');
  await desk.enter('9h');
  // A card face up in the shoe is not used, and the deal continues.
  await desk.report('found-face-up', { card: '5C' });
  assert.match((await desk.log())[0] + (await desk.log())[1], /Irregularity: Card found face up in the shoe/);
  assert.equal((await desk.view()).awaiting.what, 'card', 'the deal goes on');
  await desk.enter('Ac', 'Ks', 'down');
  // An impossible report is refused with its clause.
  await page.$eval('.irregular', (fold) => fold.setAttribute('open', ''));
  await page.selectOption('[name="irregularity"]', 'missed-draw');
  await page.click('[data-act="report"]');
  await page.waitForSelector('.toast.bad .clause');
  await guest.page.waitForSelector('[data-act="decline"]');
  await press(guest.page, 'keyboard', 'decline');
  await page.waitForSelector('[data-awaiting="reader"]');
  await desk.click('reader-no');
  await press(guest.page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="card"]');
  // The hole card is on the table already: nobody draws another.
  assert.equal(await page.textContent('.console-next .status'), 'Turn the hole card and enter it');
  const down = (await desk.log()).filter((line) => /face-down/.test(line));
  assert.ok(down.length > 0);
  for (const line of down) assert.match(line, /^Dealer: face-down card(?!.*face.down)/, 'said once');
  await desk.enter('7d');
  await guest.page.waitForSelector('.bar .net .win');
  assert.deepEqual(await findingsAtBothWidths(page, [WIDE, NARROW]), []);
  assert.deepEqual([...desk.visitor.problems, ...guest.problems], []);
  await guest.close();
});

test('what was settled before is ticked, and the list waits for its confirmation', async () => {
  const desk = await Desk.open('dealer', 2);
  const { page } = desk;
  await desk.prepare();
  const [one, two] = [await visit(browser, house, '/table/2'), await visit(browser, house, '/table/2')];
  await bet(one, 1, 'mouse');
  await bet(two, 2, 'mouse');
  for (const [{ page: own }, box] of [
    [one, 1],
    [two, 2],
  ])
    await own.waitForSelector(`[data-box="${box}"] .area.placed`);
  await desk.click('close-wagers');
  await desk.enter('9h', '9s', '6h', 'Kh', '9c', 'down');
  await press(one.page, 'keyboard', 'hit');
  await page.waitForSelector('[data-awaiting="card"]');
  await desk.enter('Td');
  await press(two.page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="card"]');
  await desk.enter('Td', 'Kc');
  await page.waitForSelector('.pay-take [data-act="close-round"]');
  const list = () =>
    page.$$eval('.pay-take li', (all) =>
      all.map((row) => [
        row.dataset.box,
        row.hasAttribute('data-done'),
        ...Array.from(row.lastElementChild.children, (part) => part.textContent),
      ]),
    );
  const rows = [
    ['2', false, 'Pay 10', '2 × 5'],
    ['1', true, '✓ Taken 10'],
  ];
  assert.deepEqual(await list(), rows);
  // What was settled before is in the rack already.
  assert.deepEqual(await page.$$eval('.pay-take-foot p', (all) => all.map((line) => line.textContent)), [
    'Now: take 0, pay 10',
    'Chip rack this round: 0',
  ]);
  await page.reload();
  await page.waitForSelector('.pay-take [data-act="close-round"]');
  assert.deepEqual(await list(), rows, 'a reload does not confirm it');
  await bet(one, 1, 'mouse');
  await page.waitForSelector('[data-act="close-wagers"]');
  assert.equal(await page.locator('.pay-take li').count(), 2, 'a new bet does not put the list away');
  await page.click('[data-act="close-round"]');
  await page.waitForSelector('.pay-take', { state: 'detached' });
  await page.reload();
  await page.waitForSelector('.box.taken');
  assert.equal(await page.locator('.pay-take').count(), 0, 'nor does a reload take the confirmation back');
  assert.deepEqual(await page.$$eval('.box.taken', (all) => all.map((box) => box.dataset.box)), ['1'], 'the new bet');
  const { round } = (await one.api('GET', '/api/tables/2')).body.view;
  const back = { id: 'back-1', round, do: 'withdraw', box: 1 };
  assert.equal((await one.api('POST', '/api/tables/2/actions', back)).status, 200);
  assert.deepEqual([...desk.visitor.problems, ...one.problems, ...two.problems], []);
  for (const visitor of [one, two]) await visitor.close();
});

test('the floor voids a round, and the dealer calls the floor', async () => {
  const [desk, floor] = [await Desk.open('dealer', 2), await Desk.open('floor', 2)];
  await desk.prepare();
  const guest = await visit(browser, house, '/table/2');
  await bet(guest, 4, 'mouse');
  await guest.page.waitForSelector('[data-box="4"] .area.placed');
  await desk.click('close-wagers');
  await desk.enter('9h');
  // The call reaches the floor and the supervisor on whatever page they are, and the dealer sees who is coming.
  await boss.page.goto('/clauses');
  await desk.because('call-floor', 'A player disputes a card');
  for (const { page } of [floor, boss]) {
    const call = await page.waitForSelector('[data-call="2"]');
    assert.match(await call.textContent(), /Floor call at .*Reader \(table 2\): A player disputes a card/);
  }
  await desk.page.waitForSelector('.called:has-text("No answer yet")');
  await boss.page.click('[data-call="2"] [data-act="answer-call"]');
  await desk.page.waitForSelector('.called:has-text("supervisor is on the way")');
  await floor.page.waitForSelector('[data-call="2"].answered:has-text("supervisor is on the way (answered after")');
  await boss.page.click('[data-call="2"] [data-act="end-call"]');
  await desk.page.waitForSelector('.called', { state: 'hidden' });
  await boss.page.waitForSelector('[data-call="2"]', { state: 'detached' });
  await floor.because('void', 'The shoe fell to the floor');
  await until(guest.page, () => document.querySelector('#balance').textContent === '1,000');
  // Players, the floor and the dealer are told who and why.
  const told = ':has-text("Round voided by floor-one: The shoe fell to the floor")';
  await guest.page.waitForSelector(`.log${told}`, { state: 'attached' });
  await floor.page.waitForSelector(`.log${told}`, { state: 'attached' });
  // A void round is not a push: the status says why, and no announcements about its cards remain.
  await guest.page.waitForSelector('.status:has-text("Round void: The shoe fell to the floor")');
  assert.equal(await guest.page.textContent('.recent .pill'), 'Returned');
  await desk.page.waitForSelector(`.announcements${told}`, { state: 'attached' });
  const { items } = (await boss.api('GET', '/api/significant-events?limit=50')).body;
  for (const [what, who] of [
    ['floor-called', 'dealer-one'],
    ['floor-answered', 'supervisor'],
    ['floor-arrived', 'supervisor'],
    ['round-voided', 'floor-one'],
  ]) {
    const found = items.find((item) => item.event?.what === what);
    assert.equal(found?.name, who, `${what} is recorded with who did it`);
  }
  await guest.close();
});

test('the determinant card of a double shoe, drawn from either side', async () => {
  const desk = await Desk.open('dealer', 4);
  const { page } = desk;
  await desk.prepare();
  const guest = await visit(browser, house, '/table/4');
  /** Bets and closes the betting; the dealer draws this card from this side. */
  const draw = async (side, card) => {
    await bet(guest, 1, 'mouse');
    await guest.page.waitForSelector('[data-box="1"] .area.placed');
    await desk.click('close-wagers');
    assert.equal((await desk.view()).awaiting.to, 'determinant');
    await page.check(`[name="side"][value="${side}"]`);
    await desk.enter(card);
  };
  // The suit stands for its own side: the card goes to the first player.
  await draw('black', 'Ks');
  assert.deepEqual((await desk.view()).boxes[0].hands[0].cards, ['Ks']);
  await desk.enter('6h', 'Td');
  await press(guest.page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="card"]');
  await desk.enter('Tc', '9c');
  await guest.page.waitForSelector('.bar .net .win');
  // The suit stands for the other side: the card is burned, and the first player's card comes from there.
  await draw('red', 'Qs');
  const { awaiting, boxes } = await desk.view();
  assert.deepEqual([awaiting.what, awaiting.to.box, boxes[0].hands[0].cards], ['card', 1, []]);
  assert.match((await desk.log()).join('\n'), /Queen of spades/i);
  await desk.enter('9h', '6h', 'Td');
  await press(guest.page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="card"]');
  await desk.enter('Tc', '9c');
  await guest.page.waitForSelector('.bar .net .win');
  assert.deepEqual([...desk.visitor.problems, ...guest.problems], []);
  await guest.close();
});

test('a double card that lies face down, sideways, is turned after the dealer’s hand', async () => {
  const desk = await Desk.open('dealer', 6);
  await desk.prepare();
  const guest = await visit(browser, house, '/table/6');
  const { page } = guest;
  await bet(guest, 2, 'mouse');
  await page.waitForSelector('[data-box="2"] .area.placed');
  await desk.click('close-wagers');
  await desk.enter('5h', '6d', '6c');
  await press(page, 'mouse', 'double');
  await desk.page.waitForSelector('[data-awaiting="card"]');
  const shows = (...cards) =>
    until(
      page,
      (wanted) => {
        const all = Array.from(document.querySelectorAll('[data-box="2"] cut-card'));
        return all.map((card) => card.getAttribute('card')).join() === wanted;
      },
      cards.join(),
    );
  const dealerHas = (card) => page.waitForSelector(`.dealer-hand cut-card[card="${card}"]`);
  await desk.enter('9s');
  await shows('5h', '6c', '');
  // 2.10(c): the card lies sideways, and nobody sees its face.
  await until(page, () => {
    const last = document.querySelector('[data-box="2"] .cards.doubled cut-card:last-child');
    return last?.getAttribute('aria-label') === 'a face-down card' && getComputedStyle(last).rotate === '90deg';
  });
  await desk.enter('Td');
  await dealerHas('Td');
  await shows('5h', '6c', '');
  await desk.enter('9h');
  await dealerHas('9h');
  await shows('5h', '6c', '9s');
  await page.waitForSelector('.bar .net .win');
  assert.deepEqual([...desk.visitor.problems, ...guest.problems], []);
  await guest.close();
});

test('a new cut is ordered, a burned card is shown, and another dealer takes over', async () => {
  const [desk, floor] = [await Desk.open('dealer', 5), await Desk.open('floor', 5)];
  await desk.prepare();
  assert.equal(await floor.page.$('[data-act="recut"]'), null, 'the supervisor’s to order: 2.5(g)');
  await boss.page.goto('/console/5');
  await boss.page.click('[data-act="recut"]');
  await until(desk.page, () => document.querySelector('.table-page').dataset.awaiting === 'procedure');
  await desk.prepare();
  await desk.page.click('summary:has-text("More")');
  await desk.page.fill('[aria-label="Burn card"]', '7D');
  await desk.click('disclose-burn');
  assert.match((await desk.log())[0], /seven of diamonds/i);
  const rack = async () => (await desk.view()).shoe.discards;
  const before_ = await rack();
  // A dealer cannot relieve themselves.
  assert.equal(await desk.page.$('[data-act="relieve"]'), null);
  const made = await boss.api('POST', '/api/staff/people', { name: 'dealer-two', role: 'dealer' });
  Desk.staff.set('next', await visit(browser, house, '/sign-in'));
  await signIn(Desk.staff.get('next'), 'dealer-two', made.body.one_time_password);
  const next = await Desk.open('next', 5);
  await next.click('relieve');
  await next.prepare();
  assert.equal(await rack(), before_ + 1, 'a new dealer burns a card');
  assert.match((await desk.log()).join('\n'), /dealer-two takes over/);
  assert.deepEqual([...desk.visitor.problems, ...floor.visitor.problems], []);
});

test('a card counts only when it is recorded: another rank takes its place, and nothing sticks', async () => {
  const desk = await Desk.open('dealer', 2);
  const { page } = desk;
  await desk.prepare();
  const guest = await visit(browser, house, '/table/2');
  await bet(guest, 1, 'mouse');
  await guest.page.waitForSelector('[data-box="1"] .area.placed');
  await desk.click('close-wagers');
  const pending = () => page.getAttribute('.entry-card', 'data-pending');
  const { version } = await desk.view();
  for (const key of ['9', 'k', 'h']) await page.keyboard.press(key);
  assert.equal(await pending(), 'Kh', 'the second rank takes the place of the first');
  const large = await page.locator('.entry-card cut-card').boundingBox();
  assert.ok(large.width >= 90, `shown large: ${large.width}`);
  assert.equal((await desk.view()).version, version, 'and nothing is recorded yet');
  await desk.move(() => page.keyboard.press('Enter'));
  assert.deepEqual((await desk.view()).boxes[0].hands[0].cards, ['Kh']);
  assert.equal(await pending(), '');
  // A card that the server refuses leaves nothing behind.
  await desk.enter('9c');
  await desk.enter('Kh');
  await page.waitForFunction(() => document.querySelector('.table-page').dataset.awaiting !== '');
  // The last card was a different one: correct it.
  const { body } = await desk.visitor.api('GET', '/api/tables/2');
  assert.equal(body.view.last_card.card, 'Kh');
  await page.keyboard.press('Backspace');
  await page.waitForSelector('.console-next .status:has-text("actually get")');
  await page.keyboard.press('9');
  await page.keyboard.press('s');
  await desk.move(() => page.keyboard.press('Enter'));
  assert.deepEqual((await desk.view()).boxes[0].hands[0].cards, ['Kh', '9s']);
  assert.match((await desk.log()).join('\n'), /the card was the nine of spades, not the king of hearts/i);
  await until(guest.page, () => document.querySelectorAll('[data-box="1"] cut-card[card="9s"]').length === 1);
  assert.match(await guest.page.textContent('.log'), /not the king of hearts/i, 'players are told');
  await desk.enter('down');
  await press(guest.page, 'keyboard', 'stand');
  await page.waitForSelector('[data-awaiting="card"]');
  assert.equal(await page.$('.last-card:not([hidden])'), null, 'too late after the next thing');
  await desk.enter('8d');
  await guest.page.waitForSelector('.status:has-text("Your 19 beats 17")');
  // Even the card that ended the round can be corrected, with its chips.
  await page.click('[data-act="correct"]');
  await page.click('[data-rank="2"]');
  await page.click('[data-suit="d"]');
  await desk.move(() => page.click('[data-act="record"]'));
  assert.equal((await desk.view()).awaiting.what, 'card', 'nine and two draw on');
  await desk.enter('Ts');
  await guest.page.waitForSelector('.status:has-text("Your 19 loses to 21")');
  assert.equal(await guest.page.textContent('#balance'), '990');
  assert.deepEqual([...desk.visitor.problems, ...guest.problems], []);
  await guest.close();
});
