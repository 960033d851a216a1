// The shoe checks in JavaScript: the vectors of a dishonest house, with the same verdicts and words as `cutcard
// verify-shoe`; in the page's own module, and in the standalone verifier, which the house does not serve.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hashOf, hex, verify } from '../../web/page/proof.js';

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
  for (const { name, opening, log, verdict } of vectors) {
    part('opening').files = [file(opening)];
    part('log').files = log ? [file(log)] : [];
    await part('check').act();
    assert.equal(part('verdict').textContent === 'The shoe verifies.', verdict.holds, name);
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
  const { Shares, noted } = await import('../../web/page/share.js');
  const { refreshMe } = await import('../../web/page/net.js');
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
  const { Shares, noted } = await import('../../web/page/share.js');
  const dealt = (card, left) => ({ event: 'dealt', to: { box: 1, hand: 1 }, card, ...(left === null ? {} : { left }) });
  const view = (version, events) => ({
    version,
    round: 1,
    reveal: false,
    events,
    dealer: { cards: [], hole: false },
    boxes: [],
    shoe: { number: 4, commitment: '0c'.repeat(32), signature: '', cut: null, shares: [], list: null, left: 100 },
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
  await new Shares(1, async () => undefined).see(view(4, [dealt('As', 103), dealt('5h', null)]), {
    decks: 2,
    deck: 'As',
  });
  assert.equal(cards().length, 5);
});
