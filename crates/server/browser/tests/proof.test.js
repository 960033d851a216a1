// The shoe checks in JavaScript: the vectors of a dishonest house, with the same verdicts and words as `cutcard
// verify-shoe`; in the page's own module, and in the standalone verifier, which the house does not serve.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hashOf, hex, published, verify } from '../../web/page/shared/proof.js';

const vectors = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8'));

test('the page finds what the program finds, in the same words', async () => {
  assert.ok(vectors.length > 20);
  for (const { name, fails, opening, log, commitment, nonce, verdict } of vectors) {
    const found = await verify(opening, { log, commitment, nonce });
    assert.deepEqual(found, verdict, name);
    assert.equal(found.holds, fails === null, name);
    if (fails) assert.equal(found.checks.find(({ check }) => check === fails)?.holds, false, name);
  }
});

test('what is no opening fails, and nothing is thrown', async () => {
  for (const opening of [{}, { order: 'As', drawn: 7 }, { ...vectors[0].opening, mixed: null }]) {
    const found = await verify(opening);
    assert.equal(found.holds, false);
    assert.equal(found.checks.length, 8);
    assert.deepEqual(
      found.unchecked.map(({ check }) => check),
      ['seen'],
      'what no log was given for does not hold',
    );
  }
});

test('a shoe in which no nonce of its observer was mixed does not prove its order to that observer', async () => {
  const by = (name) => vectors.find((vector) => vector.name === name);
  for (const [name, reason] of [
    ['a share made up before the list was closed, and none from the player', /^your nonce was not given: whoever/],
    ['an honest house, without a log', /^your nonce was not given: whoever/],
    ['a player who does not reveal', /^your nonce was never revealed: whoever made the other shares/],
    ['an honest house that shuffles in mid-round', /^nobody added a nonce/],
  ]) {
    const { opening, log } = by(name);
    const { checks, unchecked } = await verify(opening, { log });
    assert.ok(!checks.some(({ check }) => check === 'nonce'), name);
    assert.match(unchecked.find(({ check }) => check === 'nonce').message, reason, name);
  }
});

test('an opening is compared with the rounds that the house publishes', async () => {
  const { opening } = vectors[0];
  let left = opening.order.split(' ').length;
  const rounds = opening.rounds.map(({ round, cards }) => {
    const told = cards.split(' ').map((card) => ({ card, left: (left -= 1) }));
    return { round, cards: told.filter((card) => card.left < 103) };
  });
  const found = async (change) => {
    const told = structuredClone(rounds);
    change(told);
    const { check, holds, message } = await published(opening, told);
    assert.equal(check, 'published');
    return [holds, message];
  };
  const [first, , third] = rounds[0].cards;
  assert.deepEqual(await found(() => undefined), [
    true,
    '11 cards of the published rounds match the opening; the other 1 never lay face up',
  ]);
  const says = (card, then) => `round 41 was published with ${card} as card ${then}`;
  const none = (told) => told.push({ round: 43, cards: [] }, { round: 44, cards: null });
  assert.equal((await found(none))[0], true, 'a round after the last without cards of this shoe');
  for (const [change, message] of [
    [(told) => (told[1].cards = null), 'the opening has round 42; the house publishes no such round'],
    [(told) => told.pop(), 'the opening has round 42; the house publishes no such round'],
    [
      (told) => (told[0].cards[0].left = null),
      `round 41 was published with ${first.card}, but not its place in the shoe`,
    ],
    [(told) => (told[0].cards[0].card = third.card), `${says(third.card, 2)}; the opening has ${first.card}`],
    [
      (told) => told[0].cards.push(told[1].cards[0]),
      `${says(rounds[1].cards[0].card, 8)}; the opening has no such card in that round`,
    ],
    [
      (told) => told.push({ round: 43, cards: [{ card: '2c', left: 91 }] }),
      'round 43 was published with cards of this shoe; the opening does not have it',
    ],
  ])
    assert.deepEqual(await found(change), [false, message]);
});

test('the verifier of the packages is one file with the same checks', async () => {
  const root = new URL('../../../../', import.meta.url).pathname;
  const page = execFileSync('python3', ['packaging/verifier.py'], { cwd: root, encoding: 'utf8' });
  assert.doesNotMatch(page, /<link|src=|https?:|fetch\(|^import /m, 'it asks nobody anything');
  const [, script] = page.match(/<script type="module">([\s\S]*)<\/script>/) ?? [];
  // A minimal document for the script: two file inputs, a button, a verdict and a list.
  const parts = {};
  const part = (id) =>
    (parts[id] ??= {
      files: [],
      value: '',
      lines: [],
      dataset: {},
      addEventListener: (_, act) => (parts[id].act = act),
      replaceChildren: () => (parts[id].lines = []),
      append: (line) => parts[id].lines.push(line),
    });
  const document = { getElementById: part, createElement: () => ({ dataset: {} }) };
  new Function('document', script)(document);
  const file = (content) => ({ text: async () => JSON.stringify(content) });
  for (const { name, opening, log, commitment, nonce, verdict } of vectors) {
    part('opening').files = [file(opening)];
    part('log').files = log ? [file(log)] : [];
    part('commitment').value = commitment ?? '';
    part('nonce').value = nonce ?? '';
    await part('check').act();
    const said = part('verdict').textContent;
    assert.equal(said.startsWith('The shoe verifies'), verdict.holds, name);
    assert.equal(said === 'The shoe verifies.', verdict.holds && !verdict.unchecked.length, name);
    const lines = part('checks').lines.map(({ textContent }) => textContent.slice(2));
    assert.deepEqual(
      lines,
      [...verdict.checks, ...verdict.unchecked].map(({ check, message }) => `${check}: ${message}`),
      name,
    );
  }
});

test('a nonce is revealed to nobody before the house has signed a list with its hash', async () => {
  // A minimal browser for the module, and a house that answers with the session and its key.
  const kept = new Map();
  const told = { '/api/sessions/current': { person: 5 } };
  const missing = { ok: false, json: async () => ({}) };
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, value),
      removeItem: (key) => kept.delete(key),
    },
    document: { querySelector: () => null, documentElement: { lang: 'en' } },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    fetch: async (address) => {
      const found = Object.entries(told).find(([path]) => String(address).endsWith(path));
      if (!found) return missing;
      const headers = new Headers({ 'content-type': 'application/json' });
      return { ok: true, status: 200, headers, text: async () => JSON.stringify(found[1]) };
    },
  });
  const { Shares, noted } = await import('../../web/page/shared/share.js');
  const { refreshMe } = await import('../../web/page/shared/net.js');
  await refreshMe();

  const [house, another] = await Promise.all(
    [1, 2].map(() => crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])),
  );
  const sign = async (key, said) => {
    const text = new TextEncoder().encode(`cutcard fair 1\n${JSON.stringify(said)}`);
    return hex(new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, text)));
  };
  const seal_key = hex(new Uint8Array(await crypto.subtle.exportKey('raw', house.publicKey)));
  told['/api/house'] = { seal_key };
  const said = { table: 1, shoe: 4, commitment: '0c'.repeat(32) };
  const other = '0a'.repeat(32);
  const list = (key, hashes, after = 1) => sign(key, { is: 'list', ...said, cut: 30, cut_by: null, after, hashes });
  const signature = await sign(house, { is: 'commitment', ...said });

  /** Returns what the page sends to a house that closes the list in a given way. */
  const says = async (close, commitment = signature) => {
    kept.clear();
    const sent = [];
    const shares = new Shares(1, async (action) => sent.push(action));
    const see = (reveal, changed) =>
      shares.see(
        {
          round: 1,
          reveal,
          events: [],
          dealer: { cards: [], hole: false },
          boxes: [{ box: 1, hands: [], bettors: [{ person: 5 }] }],
          shoe: {
            number: said.shoe,
            commitment: said.commitment,
            signature: commitment,
            cut: { at: 30, by: null },
            shares: [],
            list: null,
            after: null,
            left: 103,
            takes_shares: !reveal,
            ...changed,
          },
        },
        { decks: 2, deck: Array(52).fill('As').join(' ') },
      );
    await see(false, {});
    const [own] = sent.map(({ hash }) => hash);
    if (own) await see(true, await close(own));
    return sent.map((action) => action.do);
  };
  const hashes = (all) => all.map((hash) => ({ hash, revealed: false }));
  const closed = (key, after) => async (own) => ({
    shares: hashes([other, own]),
    list: await list(key, [other, own]),
    after,
  });

  assert.deepEqual(await says(async () => ({})), ['share'], 'no list');
  assert.deepEqual(await says(async (own) => ({ shares: hashes([own]) })), ['share'], 'a list that is not signed');
  assert.deepEqual(await says(closed(another, 1)), ['share'], "another's signature");
  assert.deepEqual(await says(closed(house, 0)), ['share'], 'another number of burned cards than was signed');
  const without = async () => ({ shares: hashes([other]), list: await list(house, [other]), after: 1 });
  assert.deepEqual(await says(without), ['share'], 'its own hash is not in the list');
  assert.equal(noted(1, said.shoe).sent, false);

  assert.deepEqual(await says(closed(house, 1)), ['share', 'reveal']);
  const log = noted(1, said.shoe);
  assert.deepEqual([log.sent, log.list.after, log.list.hashes[0]], [true, 1, other]);
  assert.equal(await hashOf(log.nonce), log.list.hashes[1]);

  assert.deepEqual(await says(closed(house, 1), '00'.repeat(64)), [], 'a commitment that the house did not sign');
});

test('a browser keeps every card that the house shows, and those that it need not account for', async () => {
  const kept = new Map();
  globalThis.localStorage.getItem = (key) => kept.get(key) ?? null;
  globalThis.localStorage.setItem = (key, value) => kept.set(key, value);
  const { Shares, noted } = await import('../../web/page/shared/share.js');
  const from = (left, shoe = 4) => ({ shoe, left });
  const dealt = (card, left) => ({
    event: 'dealt',
    to: { box: 1, hand: 1 },
    card,
    ...(left === null ? {} : { origin: from(left) }),
  });
  const view = (version, events, lies = {}) => ({
    version,
    round: 1,
    reveal: false,
    events,
    dealer: { cards: [], hole: false },
    boxes: [],
    shoe: { number: 4, commitment: '0c'.repeat(32), signature: '', cut: null, shares: [], list: null, left: 100 },
    ...lies,
  });
  const shares = new Shares(1, async () => undefined);
  const see = (...at) => shares.see(view(...at), { decks: 2, deck: 'As Kd' });
  await see(1, [dealt('As', 103)]);
  await see(1, [dealt('As', 103)]);
  await see(2, [dealt('Kd', 102)]);
  await see(2, [dealt('Kd', 102)]);
  const cards = () => noted(1, 4).cards.map(({ card, left }) => [card, left]);
  const honest = [
    ['As', 103],
    ['Kd', 102],
  ];
  assert.deepEqual(cards(), honest, 'a view that is sent again shows no other card');
  // Another card at a place that is taken, the same card dealt twice, and a card without a place.
  await see(3, [dealt('9c', 102)]);
  await see(4, [dealt('As', 103), dealt('5h', null)]);
  assert.deepEqual(cards(), [...honest, ['9c', 102], ['As', 103], ['5h', null]]);
  // The page is loaded again, and is sent the last view.
  const again = new Shares(1, async () => undefined);
  const seeAgain = (...at) => again.see(view(...at), { decks: 2, deck: 'As' });
  await seeAgain(4, [dealt('As', 103), dealt('5h', null)]);
  assert.equal(cards().length, 5);
  // Cards that no event showed to this page: of the dealer, of a hand, and one that was turned over since.
  const hand = (cards, origins) => ({ hand: 1, cards, origins, face_down: 0 });
  const box = (...at) => [{ box: 1, bettors: [], hands: [hand(...at)] }];
  const dealer = { cards: ['6c'], origins: [from(101)], hole: true };
  await seeAgain(5, [], { dealer, boxes: box(['As', '2d'], [from(103), from(100)]) });
  await seeAgain(6, [], { dealer, boxes: box(['As', '2d', '7s'], [from(103), from(100), from(99)]) });
  const lying = [
    ['6c', 101],
    ['2d', 100],
    ['7s', 99],
  ];
  const sorted = (all) => all.toSorted(([, one], [, other]) => other - one);
  assert.deepEqual(sorted(cards().slice(5)), lying);
  // The hole card is turned over, though it was dealt before the page was loaded.
  await seeAgain(7, [{ event: 'hole-turned', card: 'Td', origin: from(98) }]);
  assert.deepEqual(cards().at(-1), ['Td', 98]);
  // A card that lies there without a place, one exposed, one of a shoe that is not in play, and one of a shoe that the
  // house no longer commits to.
  await seeAgain(8, [], { dealer: { cards: ['Js'], hole: false } });
  await seeAgain(9, [], { exposed: 'Jd' });
  await seeAgain(10, [], { dealer: { cards: ['Jh'], origins: [from(50, 3)], hole: false } });
  const { shoe } = view(11, []);
  await seeAgain(11, [], {
    dealer: { cards: ['Jc'], origins: [from(50, 5)], hole: false },
    shoe: { ...shoe, number: 5, commitment: null },
  });
  assert.deepEqual(
    cards().slice(-4),
    ['Js', 'Jd', 'Jh', 'Jc'].map((card) => [card, null]),
  );
});

test('a card that still lies there when its shoe has run out is held against that shoe', async () => {
  globalThis.localStorage.clear?.();
  const { Shares, noted } = await import('../../web/page/shared/share.js');
  const side = (number, left) => ({
    number,
    commitment: '0d'.repeat(32),
    signature: '',
    cut: null,
    shares: [],
    list: null,
    left,
  });
  const view = (version, shoe, cards, origins) => ({
    version,
    round: 9,
    events: [],
    dealer: { cards, origins, hole: false },
    boxes: [],
    shoe,
  });
  const from = (shoe, left) => ({ shoe, left });
  const shares = new Shares(2, async () => undefined);
  const see = (...at) => shares.see(view(...at), { decks: 1, deck: 'As' });
  await see(1, side(6, 1), ['As'], [from(6, 1)]);
  await see(2, side(7, 40), ['As', 'Kd'], [from(6, 1), from(6, 0)]);
  await see(3, side(7, 39), ['As', 'Kd', '2c'], [from(6, 1), from(6, 0), from(7, 39)]);
  const cards = (shoe) => noted(2, shoe).cards.map(({ card, left }) => `${card} ${left}`);
  assert.deepEqual([cards(6), cards(7)], [['As 1', 'Kd 0'], ['2c 39']]);
  // The page shows the record of the round, which it had missed in part, when the next shoe is in play already.
  await see(4, side(8, 52), [], []);
  const event = (card, ...at) => ({ event: 'dealt', to: 'dealer', card, origin: from(...at) });
  await shares.recall([event('2c', 7, 39), event('3c', 7, 38), { event: 'picked-up' }], 9);
  assert.deepEqual(cards(7), ['2c 39', '3c 38']);
  assert.deepEqual([cards(8), noted(2, 7).cards.at(-1).round], [[], 9]);
  await shares.recall([event('4c', 9, 3)], 9);
  assert.deepEqual(cards(8), ['4c null'], 'a shoe that is not there yet');
  // A page that came only then has no log of the shoe before, and none is invented.
  const late = new Shares(3, async () => undefined);
  await late.see(view(3, side(7, 39), ['As', '2c'], [from(6, 1), from(7, 39)]), { decks: 1, deck: 'As' });
  assert.equal(noted(3, 6), null);
  assert.deepEqual(
    noted(3, 7).cards.map(({ card }) => card),
    ['2c'],
  );
});

test('the rounds after the last one of a shoe are asked for, until a later shoe of its side deals', async () => {
  const { publishedRounds } = await import('../../web/page/review/published.js');
  const dealt = (shoe, left) => ({ event: 'dealt', to: 'dealer', card: 'As', origin: { shoe, left } });
  const determined = (drawn_from, deals, shoe, left) => ({
    ...dealt(shoe, left),
    event: 'determined',
    drawn_from,
    deals,
  });
  /** Returns the rounds asked for, and those with cards of shoe 4, which the opening has in rounds 7 and 8. */
  const asked = async (published) => {
    const all = [];
    const rounds = await publishedRounds({ shoe: 4, rounds: [{ round: 7 }, { round: 8 }] }, async (round) => {
      all.push(round);
      return published(round);
    });
    const found = rounds.filter(({ cards }) => cards?.length).map(({ round }) => round);
    return `${all.join(' ')}: ${found.join(' ')}`;
  };
  const history = (rounds) => asked((round) => rounds[round] ?? null);
  const named = { 7: [dealt(4, 50)], 8: [dealt(4, 49)] };
  assert.equal(await history(named), '7 8 9: 7 8', 'the next round is not over');
  assert.equal(await history({ 8: [dealt(4, 49)] }), '7 8 9: 8', 'a round is not published');
  const next = { ...named, 9: [dealt(5, 51)], 10: [dealt(5, 50)] };
  assert.equal(await history(next), '7 8 9: 7 8', 'the next shoe deals');
  const truncated = { ...named, 9: [dealt(4, 48)], 10: [dealt(4, 47), dealt(5, 51)], 11: [dealt(5, 50)] };
  assert.equal(await history(truncated), '7 8 9 10: 7 8 9 10', 'the opening has only the first rounds');
  const empty = { ...named, 9: [{ event: 'voided' }], 10: [dealt(4, 48)] };
  assert.equal(await history(empty), '7 8 9 10 11: 7 8 10', 'a round without a card');
  // A double shoe: shoe 5 is of the other side, which deals in between; shoe 6 is of the same side.
  const red = (shoe, left) => [determined('red', 'red', shoe, left), dealt(shoe, left - 1)];
  const black = (shoe, left) => [determined('black', 'black', shoe, left), dealt(shoe, left - 1)];
  const sides = { 7: red(4, 50), 8: red(4, 48), 9: black(5, 60), 10: black(5, 58) };
  assert.equal(await history({ ...sides, 11: red(6, 90), 12: red(6, 88) }), '7 8 9 10 11: 7 8');
  assert.equal(await history({ ...sides, 11: red(4, 46) }), '7 8 9 10 11 12: 7 8 11');
  // The determinant card comes from this shoe, though the other side deals.
  const burned = { ...sides, 11: [determined('red', 'black', 4, 46), dealt(5, 56)], 12: red(6, 90) };
  assert.equal(await history(burned), '7 8 9 10 11 12: 7 8 11');
  const long = await asked((round) => (round < 9 ? red(4, 60 - round) : black(5, 90 - round)));
  assert.match(long, /^7 .* 38: 7 8$/, 'not without end');
  assert.deepEqual(await publishedRounds({ shoe: 4, rounds: [] }, async () => assert.fail('no round')), []);
});

test('a browser keeps the first key of the house, and says when the house has another', async () => {
  const kept = new Map();
  globalThis.localStorage.getItem = (key) => kept.get(key) ?? null;
  globalThis.localStorage.setItem = (key, value) => kept.set(key, value);
  const { keyBefore, Shares } = await import('../../web/page/shared/share.js');
  const [first, second] = ['0a'.repeat(32), '0b'.repeat(32)];
  assert.equal(keyBefore(null, undefined), null, 'a house without a key');
  assert.equal(kept.size, 0);
  // A table is opened: its page asks for the key.
  const asked = globalThis.fetch;
  const answers = (seal_key) => {
    const headers = new Headers({ 'content-type': 'application/json' });
    globalThis.fetch = async () => ({ ok: true, status: 200, headers, text: async () => JSON.stringify({ seal_key }) });
  };
  const open = async (seal_key) => {
    answers(seal_key);
    const dealer = { cards: [], hole: false };
    await new Shares(4, async () => undefined).see({ version: 1, round: 1, events: [], dealer, boxes: [], shoe: null });
  };
  await open(first);
  assert.deepEqual([...kept.values()], [first]);
  assert.equal(keyBefore(first, first), null);
  assert.equal(keyBefore(first, null), null, 'an opening without signatures');
  await open(second);
  assert.equal(keyBefore(second, second), first, 'the house has another key');
  assert.equal(keyBefore(first, second), first, 'the opening has another key');
  assert.deepEqual([...kept.values()], [first], 'the first stays');
  globalThis.fetch = asked;
  globalThis.localStorage.getItem = () => {
    throw new Error('no storage');
  };
  assert.equal(keyBefore(second), null);
});
