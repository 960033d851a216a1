// The checks of a shoe in JavaScript: the vectors of a dishonest house, verdict by verdict and word for word as
// `cutcard verify-shoe` has them; in the page's own module, and in the verifier that the house does not serve.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { verify } from '../../web/page/proof.js';

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
    assert.equal(found.checks.length, 9);
  }
});

test('the verifier of the packages is one file with the same checks', async () => {
  const root = new URL('../../../../', import.meta.url).pathname;
  const page = execFileSync('python3', ['packaging/verifier.py'], { cwd: root, encoding: 'utf8' });
  assert.doesNotMatch(page, /<link|src=|https?:|fetch\(|^import /m, 'it asks nobody anything');
  const [, script] = page.match(/<script type="module">([\s\S]*)<\/script>/) ?? [];
  // A page of two files to choose, a button, a verdict and a list: as much of a document as the script asks for.
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
      verdict.checks.map(({ check, message }) => `${check}: ${message}`),
      name,
    );
  }
});
