// Several people at one table, a lost connection in mid-hand, a refusal with its clause, and the record of a round.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { openHouse, visit } from '../house.js';
import { begun, bet, compare, compareResults, deal, finish, shown, until } from '../play.js';
import { openWire } from '../proxy.js';
import { browser, house } from '../site.js';
import { employee, hire, player } from '../staff.js';

/** Bets until this visitor has a decision; a blackjack may end a round before that. */
async function untilDecision(visitor, table, box) {
  for (;;) {
    await deal(visitor, box, 'mouse');
    const view = await compare(visitor, table);
    if (view.awaiting.what === 'decision') return view;
    if (view.awaiting.what !== 'wagers') await finish(visitor, table, 'mouse');
  }
}

test('a guest plays within two clicks of arriving', async () => {
  const visitor = await visit(browser, house);
  await visitor.page.click('[data-table="1"]');
  await visitor.page.waitForSelector('[data-awaiting="wagers"]');
  assert.equal(await visitor.page.textContent('#balance'), '1,000');
  assert.equal(await visitor.page.textContent('.tag.free'), 'Play chips', 'play chips are marked');
  await visitor.close();
});

test('what was won today is said to be won, and limits are told in the reader’s language', async () => {
  const visitor = await visit(browser, house, '/', { locale: 'es' });
  const { page } = visitor;
  await visitor.api('POST', '/api/guests');
  const limit = { measure: 'time', span: 'week', most: 3600, later: null, later_from: '2030-01-01T00:00:00Z' };
  const told = { wagered_today: '30.00', lost_today: '-15.00', seconds_today: 120, limits: [limit] };
  await page.route('**/api/me/limits', (route) => route.fulfill({ json: told }));
  await page.goto('/account');
  await page.waitForSelector('text=apostado 30, ganado 15');
  const row = await page.textContent('tr:has-text("60 minutos")');
  assert.match(row, /Tiempo en las mesas, por semana.*sin límite/s);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('two people at one table see one truth', async () => {
  const [ann, bob] = await Promise.all([visit(browser, house, '/table/1'), visit(browser, house, '/table/1')]);
  await Promise.all([ann, bob].map(({ page }) => page.waitForSelector('[data-awaiting="wagers"]')));
  const round = Number(await ann.page.getAttribute('.table-page', 'data-round'));
  await bet(ann, 1, 'mouse', 1, 'place');
  await bob.page.waitForSelector('[data-box="1"].taken');
  await bet(bob, 4, 'keyboard');
  await ann.page.click('[data-act="deal"]');
  await Promise.all([ann, bob].map(({ page }) => begun(page, round)));
  for (let step = 0; step < 40; step += 1) {
    await Promise.all(
      [ann, bob].map(({ page }) =>
        page.waitForFunction(() => document.querySelector('.table-page').dataset.awaiting !== 'dealing'),
      ),
    );
    const view = await compare(ann, 1);
    await compare(bob, 1);
    if (view.awaiting.what === 'wagers') break;
    const [a, b] = [await shown(ann.page), await shown(bob.page)];
    assert.deepEqual(a.hands, b.hands);
    const [turn, other] = a.actions.length ? [ann, b] : [bob, a];
    // an offer goes to everyone at once, a decision to one player
    if (view.awaiting.what === 'decision') assert.deepEqual(other.actions, [], 'only one is asked');
    const act = ['stand', 'decline'].find((name) => (turn === ann ? a : b).actions.includes(name));
    await turn.page.click(`[data-act="${act}"]`);
    await turn.page.waitForFunction(
      (version) => Number(document.querySelector('.table-page').dataset.version) > version,
      view.version,
    );
  }
  await compareResults(ann, 1, round);
  await compareResults(bob, 1, round);
  assert.deepEqual([...ann.problems, ...bob.problems], []);
  await ann.close();
  await bob.close();
});

test('others at the table are called by their names, on the felt and in the log', async () => {
  // The bets are looked at and taken back before the betting ends.
  const house = await openHouse('[timings]\nbetting_ms = 120000\n[[table]]\nrules = "nj-blackjack"\n');
  const { boss, passwords } = await hire(browser, house, ['cashier']);
  const cashier = await employee(browser, house, passwords, 'cashier');
  const ann = await player(browser, house, cashier, 'ann', '200.00');
  const [bob, cat] = await Promise.all([visit(browser, house, '/table/1'), visit(browser, house, '/table/1')]);
  await ann.page.goto('/table/1');
  await Promise.all([ann, bob, cat].map(({ page }) => page.waitForSelector('[data-awaiting="wagers"]')));
  const called = (visitor, box) => visitor.page.textContent(`[data-box="${box}"] .box-name`);
  assert.equal(await called(bob, 2), 'Box 2');
  await bet(ann, 2, 'mouse', 1, 'place');
  await bet(bob, 3, 'mouse', 1, 'place');
  for (const other of [bob, cat]) {
    await until(other.page, () => document.querySelector('[data-box="2"] .box-name')?.textContent === 'ann');
    assert.match(await other.page.textContent('.log'), /Box 2: ann bets/);
  }
  assert.equal(await called(ann, 2), 'You');
  // A guest has no name.
  await until(ann.page, () => /^Guest \d{3}$/.test(document.querySelector('[data-box="3"] .box-name')?.textContent));
  assert.equal(await called(bob, 3), 'You');
  for (const { page } of [bob, cat])
    assert.doesNotMatch(await page.content(), /200\.00|190/, 'nor is any balance shown');
  for (const [visitor, box] of [
    [ann, 2],
    [bob, 3],
  ]) {
    const { round } = (await visitor.api('GET', '/api/tables/1')).body.view;
    const back = { id: `back-${box}`, round, do: 'withdraw', box };
    assert.equal((await visitor.api('POST', '/api/tables/1/actions', back)).status, 200);
  }
  await until(cat.page, () => document.querySelector('[data-box="2"] .box-name')?.textContent === 'Box 2');
  assert.deepEqual(
    [ann, bob, cat].flatMap(({ problems }) => problems),
    [],
  );
  for (const visitor of [boss, cashier, ann, bob, cat]) await visitor.close();
  await house.close();
});

test('cards that lie face down are seen by their player alone', async () => {
  const [ann, bob] = await Promise.all([visit(browser, house, '/table/4'), visit(browser, house, '/table/4')]);
  await bob.page.waitForSelector('[data-awaiting="wagers"]');
  const view = await untilDecision(ann, 4, 2);
  const own = (await shown(ann.page)).hands;
  assert.equal(own[0].cards.length, 2, 'the player sees both cards');
  await until(bob.page, (round) => document.querySelector('.table-page').dataset.round === String(round), view.round);
  await until(bob.page, () => document.querySelectorAll('[data-box="2"] cut-card').length === 2);
  assert.deepEqual((await shown(bob.page)).hands, [{ ...own[0], cards: [] }], 'others see two cards face down');
  assert.equal(await bob.page.locator('[data-box="2"] .total').count(), 0, 'and no total of them');
  await finish(ann, 4, 'mouse');
  assert.deepEqual([...ann.problems, ...bob.problems], []);
  await ann.close();
  await bob.close();
});

test('in a hand no other box says “Bet”', async () => {
  const visitor = await visit(browser, house, '/table/3');
  const { page } = visitor;
  const says = () =>
    page.$$eval(
      '.box:not([data-box="2"]) .area-text',
      (all) =>
        all.filter((one) => one.textContent === 'Bet' && one.checkVisibility({ visibilityProperty: true })).length,
    );
  await page.waitForSelector('[data-awaiting="wagers"]');
  assert.ok((await says()) > 0, 'before the cards every free box says so');
  await untilDecision(visitor, 3, 2);
  assert.equal(await says(), 0);
  await finish(visitor, 3, 'mouse');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a lost connection resumes in mid-hand', async () => {
  const wire = await openWire(house);
  const visitor = await visit(browser, wire, '/table/2');
  const before_ = await untilDecision(visitor, 2, 3);
  const cards = (await shown(visitor.page)).hands;
  wire.cut();
  await visitor.page.waitForSelector('.lost:not([hidden])');
  assert.deepEqual((await shown(visitor.page)).actions, [], 'nothing can be done without the house');
  wire.mend();
  await visitor.page.waitForSelector('.lost', { state: 'hidden' });
  const view = await compare(visitor, 2);
  assert.equal(view.round, before_.round);
  assert.deepEqual((await shown(visitor.page)).hands, cards);
  await visitor.page.reload();
  await visitor.page.waitForSelector('.actions [data-act="stand"]');
  assert.deepEqual((await shown(visitor.page)).hands, cards, 'a reload resumes too');
  await finish(visitor, 2, 'mouse');
  await compareResults(visitor, 2, before_.round);
  await visitor.close();
  wire.close();
});

test('a refused action shows its clause, and the clause its words', async () => {
  const visitor = await visit(browser, house, '/table/5');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[data-box="1"] [data-area="main-0"]');
  await page.click('[data-act="deal"]');
  const clause = await page.waitForSelector('.toast.bad .clause');
  const id = await clause.textContent();
  const { round } = (await visitor.api('GET', '/api/tables/5')).body.view;
  const answer = await visitor.api('POST', '/api/tables/5/actions', {
    id: 'refused-1',
    round,
    do: 'wager',
    box: 1,
    amounts: ['10.00'],
  });
  assert.equal(answer.status, 409);
  assert.equal(id, answer.body.error.clause, 'the clause is the house’s');
  await clause.click();
  const words = await page.waitForSelector('.dialog .clause-words');
  const rows = (await visitor.api('GET', `/api/clauses?id=${encodeURIComponent(id)}`)).body.clauses;
  assert.equal(await words.textContent(), rows[0].summary);
  await visitor.close();
});

test('why a result is as it is, one click away', async () => {
  const visitor = await visit(browser, house, '/table/4');
  const round = await deal(visitor, 5, 'mouse');
  await finish(visitor, 4, 'mouse');
  const { settled } = await compareResults(visitor, 4, round);
  await visitor.page.click('.box .pill[data-net]');
  assert.equal(await visitor.page.textContent('.why-panel .why .clause'), settled[0].clause);
  await visitor.close();
});

test('chips by drag, undo and the same bet again', async () => {
  const visitor = await visit(browser, house, '/table/3');
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.dragAndDrop('[data-chip="2500"]', '[data-box="2"] [data-area="main-0"]');
  assert.equal(await page.getAttribute('[data-box="2"] [data-area="main-0"]', 'aria-label'), 'Box 2, Bet: 25');
  await page.keyboard.press('Backspace');
  assert.equal(await page.getAttribute('[data-box="2"] [data-area="main-0"]', 'aria-label'), 'Box 2, Bet: empty');
  await page.dragAndDrop('[data-chip="2500"]', '[data-box="2"] [data-area="main-0"]');
  const { round } = await shown(page);
  await page.click('[data-act="deal"]');
  await begun(page, round);
  await finish(visitor, 3, 'mouse');
  await page.keyboard.press('r');
  assert.equal(await page.getAttribute('[data-box="2"] [data-area="main-0"]', 'aria-label'), 'Box 2, Bet: 25');
  await visitor.close();
});

test('a round is replayed step by step, by its address', async () => {
  const visitor = await visit(browser, house, '/table/6');
  const { page } = visitor;
  const round = await deal(visitor, 1, 'mouse');
  await finish(visitor, 6, 'mouse');
  await page.click('a:has-text("Replay")');
  await page.waitForSelector('h1:has-text("Round")');
  const { body } = await visitor.api('GET', `/api/tables/6/rounds/${round}`);
  const events = body.steps.flatMap((step) => step.events);
  assert.equal(await page.locator('.log li').count(), events.length, 'every event is a step');
  assert.deepEqual(
    await page.$$eval('.log .clause', (all) => all.map((c) => c.textContent)),
    events.map((event) => event.clause),
  );
  const dealer = events
    .filter((event) => (event.event === 'dealt' && event.to === 'dealer') || event.event === 'hole-turned')
    .map((event) => event.card);
  assert.deepEqual((await shown(page)).dealer, dealer);
  await page.keyboard.press('Home');
  assert.deepEqual((await shown(page)).hands, []);
  await page.keyboard.press('ArrowRight');
  assert.match(page.url(), /step=1$/);
  const wagered = events.findIndex((event) => event.event === 'wagered') + 1;
  await page.goto(`/round/6/${round}?step=${wagered}`);
  await page.waitForSelector('.balance-line');
  const mine = body.steps.find((step) => step.events.includes(events[wagered - 1])).balances[0];
  assert.match(
    await page.textContent('.balance-line'),
    new RegExp(String(Number(mine.after)).replace(/\B(?=(\d{3})+$)/, ',?')),
  );
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("Notation")')]);
  assert.equal(download.suggestedFilename(), `6-${round}.round`);
  await page.goto('/history');
  await page.waitForSelector(`a[href="/round/6/${round}"]`);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('a link to a round is for whoever gets it, and of no rounds there is nothing to analyse', async () => {
  const visitor = await visit(browser, house, '/table/2');
  const round = await deal(visitor, 1, 'mouse');
  await finish(visitor, 2, 'mouse');
  const stranger = await visit(browser, house, `/round/2/${round}`);
  await stranger.page.waitForSelector('.log li.now');
  assert.match(stranger.page.url(), new RegExp(`/round/2/${round}$`));
  await stranger.page.goto('/history');
  await stranger.page.waitForSelector('text=No rounds yet');
  assert.equal(await stranger.page.locator('[name="sitting"]:visible, [data-act="analyse"]:visible').count(), 0);
  // Until the analysis comes, the pressed button is disabled and keeps the focus; the house's answer is held back so
  // long.
  await visitor.page.goto('/history');
  let answer;
  const asked = new Promise((held) => {
    visitor.page.route('**/analysis', async (route) => {
      held();
      await new Promise((release) => (answer = release));
      await route.continue();
    });
  });
  await visitor.page.waitForSelector('.grid');
  await visitor.page.focus('[data-act="analyse"]');
  await visitor.page.keyboard.press('Enter');
  await asked;
  for (const pressed of ['[aria-disabled]', ':not([aria-disabled])']) {
    await visitor.page.waitForSelector(`[data-act="analyse"]${pressed}`);
    assert.equal(await visitor.page.evaluate(() => document.activeElement?.dataset.act), 'analyse');
    answer();
  }
  await visitor.page.waitForSelector('.figures');
  for (const one of [visitor, stranger]) {
    assert.deepEqual(one.problems, []);
    await one.close();
  }
});

test('the replay calls people as the felt does: oneself, and everyone for an auditor', async () => {
  const own = await openHouse('[[table]]\nrules = "nj-blackjack"\n');
  const { boss, passwords } = await hire(browser, own, ['cashier', 'auditor']);
  const cashier = await employee(browser, own, passwords, 'cashier');
  const ann = await player(browser, own, cashier, 'ann', '200.00');
  await ann.page.goto('/table/1');
  const round = await deal(ann, 2, 'mouse');
  await finish(ann, 1, 'mouse');
  const auditor = await employee(browser, own, passwords, 'auditor');
  const guest = await visit(browser, own, '/table/1');
  await guest.page.waitForSelector('[data-awaiting="wagers"]');
  for (const [visitor, name, inWords] of [
    [ann, /^You$/, /^you$/],
    [auditor, /^ann$/, /^ann$/],
    [guest, /^Player \d{3}$/, /^Player \d{3}$/],
  ]) {
    await visitor.page.goto(`/round/1/${round}`);
    await visitor.page.waitForSelector('.log li');
    assert.match(await visitor.page.textContent('[data-box="2"] .box-name'), name);
    assert.match((await visitor.page.textContent('.log')).match(/Box 2: (.*?) bets?/)[1], inWords);
  }
  assert.deepEqual(
    [ann, auditor, guest].flatMap(({ problems }) => problems),
    [],
  );
  for (const visitor of [boss, cashier, ann, auditor, guest]) await visitor.close();
  await own.close();
});

test('a guest without chips for the smallest wager is given new ones', async () => {
  const poor = await openHouse('guest_chips = "5.00"\n[[table]]\nrules = "nj-blackjack"\n');
  const visitor = await visit(browser, poor, '/table/1');
  const { page } = visitor;
  await page.waitForSelector('.actions [data-act="refill"]');
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/me/refill'));
  await page.keyboard.press('g');
  assert.ok((await answered).ok());
  await page.waitForSelector('.toast:has-text("Play chips added")');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
  await poor.close();
});

test('both sides of a double shoe are committed to, and the determinant card decides which one deals', async () => {
  const own = await openHouse('[[table]]\nrules = "nj-blackjack"\nset = ["shoe=double"]\n');
  const ann = await visit(browser, own, '/table/1');
  await ann.page.waitForSelector('[data-awaiting="wagers"]');
  const { body } = await ann.api('GET', '/api/tables/1');
  const { shoe } = body.view;
  await ann.page.click('[role="tab"]:has-text("Fairness")');
  const facts = await ann.page.textContent('.shoe-facts');
  for (const side of [shoe, shoe.other]) {
    assert.ok(facts.includes(`${side.number}, ${side.side} side`), facts);
    assert.ok(facts.includes(side.commitment), facts);
  }
  assert.match(facts, /19:47-2\.6\(d\)/);
  const view = await untilDecision(ann, 1, 1);
  assert.ok(view.shoe.left + view.shoe.other.left < 2 * 416, 'cards have left it');
  assert.match(await ann.page.textContent('.log'), /from the red side.*19:47-2\.6\(d\)2/, 'both sides were full');
  await finish(ann, 1, 'mouse');
  assert.deepEqual(ann.problems, []);
  await ann.close();
  await own.close();
});

/** Returns the code that an authenticator shows (RFC 6238), some half-minutes from now. */
function codeOf(secret, fromNow = 0) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + fromNow));
  const mac = createHmac('sha1', key).update(step).digest();
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

test('a cashier sets up a second factor and comes in with its code', async () => {
  const own = await openHouse('[[table]]\nrules = "nj-blackjack"\n');
  const { boss, passwords } = await hire(browser, own, ['cashier']);
  const cashier = await employee(browser, own, passwords, 'cashier');
  const { page } = cashier;
  await page.goto('/account');
  const part = '[data-part="second-factor"]';
  await page.fill(`${part} input`, 'cashier-one-own-password');
  await page.click('[data-act="factor"]');
  const secret = await page.getAttribute(`${part} [data-secret]`, 'data-secret');
  await page.fill(`${part} [name="code"]`, '000000');
  await page.click('[data-act="confirm-factor"]');
  await page.waitForSelector(`${part} .field-wrong:not([hidden])`);
  await page.fill(`${part} [name="code"]`, codeOf(secret, -1));
  await page.click('[data-act="confirm-factor"]');
  await page.waitForSelector(`${part} p:has-text("You need an authenticator code")`);
  await cashier.close();

  const again = await visit(browser, own, '/sign-in');
  await again.page.fill('[name="name"]', 'cashier-one');
  await again.page.fill('[name="password"]', 'cashier-one-own-password');
  assert.equal(await again.page.isVisible('[name="code"]'), false, 'nobody is asked before it is known who comes');
  await again.page.click('button:has-text("Sign in")');
  await again.page.waitForSelector('[name="code"]:focus');
  await again.page.keyboard.type(codeOf(secret));
  await again.page.keyboard.press('Enter');
  await until(again.page, () => location.pathname === '/cashier');
  await again.close();
  await boss.close();
  await own.close();
});
