// All text of the page is in the catalogue, every language is complete, and adding one takes one more file; numbers and
// plurals follow the language, right-to-left works, and regulation text stays as it is with a translation beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findings } from '../axe.js';
import { NARROW, WIDE, visit } from '../house.js';
import { deal, finish, press, until } from '../play.js';
import { browser, house } from '../site.js';
import {
  argumentsOf,
  cased,
  casedStyles,
  catalogue,
  idsUsed,
  languages,
  loose,
  malformed,
  meanings,
  modules,
  sentences,
  uncounted,
} from '../wordlint.js';

test('no word stands in a module, and every id has its message', () => {
  assert.deepEqual(
    modules().flatMap((module) => loose(module)),
    [],
    'words belong into words/en.json',
  );
  const english = catalogue('en');
  const used = idsUsed();
  assert.deepEqual(
    [...used].filter((id) => !(id in english)),
    [],
    'ids without a message',
  );
  const shell = ['offline.title', 'offline.text'];
  const left = Object.keys(english).filter((id) => !used.has(id) && !id.startsWith('term.') && !shell.includes(id));
  assert.deepEqual(left, [], 'messages that nothing says');
});

test('a word written into a module is found', () => {
  const module = { name: 'new.js', text: "export const head = () => h('h1', { title: 'Look here' }, 'Good evening');" };
  assert.deepEqual(loose(module), ['new.js:1 "Look here"', 'new.js:1 "Good evening"']);
  assert.deepEqual(loose({ name: 'new.js', text: "h('p', { class: 'so dim' }, t('good-evening'))" }), []);
});

test('no translation changes its case: each message is written as it is shown', () => {
  assert.deepEqual(modules().flatMap(cased), [], 'write a message of its own');
  assert.deepEqual(casedStyles(), [], 'write it as it is shown');
  for (const call of ["t('bet.label').toUpperCase()", "term('action', act).toLowerCase()", 'words.toLocaleLowerCase()'])
    assert.equal(cased({ name: 'new.js', text: call }).length, 1, call);
  assert.deepEqual(cased({ name: 'new.js', text: 'event.key.toLowerCase()' }), []);
});

test('a refusal is a sentence, in the words of its language', async () => {
  for (const [locale, spoken, kept] of [
    ['en', 'Place a bet first.', 'iPad at table 3.'],
    ['es', 'Haz primero una apuesta.', 'iPad at table 3.'],
  ]) {
    const visitor = await visit(browser, house, '/protect', { locale });
    const said = await visitor.page.evaluate(async () => {
      const { refusal } = await import('/page/shared/words.js');
      const { toast } = await import('/page/shared/ui.js');
      toast('iPad at table 3.');
      return [refusal({ code: 'no-wager' }, 'place a bet first'), document.querySelector('.toast span').textContent];
    });
    assert.deepEqual(said, [spoken, kept], 'a message is shown as it is written');
    await visitor.close();
  }
});

test('every language says everything, with the same arguments', () => {
  const english = catalogue('en');
  assert.ok(languages().includes('es'));
  for (const language of languages()) {
    const words = catalogue(language);
    assert.deepEqual(
      Object.keys(english).filter((id) => !words[id]),
      [],
      `${language} lacks`,
    );
    for (const [id, message] of Object.entries(words).filter(([id]) => id in english))
      assert.deepEqual(argumentsOf(message), argumentsOf(english[id]), `${language} ${id}`);
  }
});

test('every sentence of the server has its translation, by its code and with its values', () => {
  const [english, sent, explained] = [catalogue('en'), sentences(), meanings()];
  assert.ok(sent.size > 550 && explained.length > 60, `${sent.size} sentences, ${explained.length} meanings`);
  const theirs = [...sent.keys(), ...explained];
  assert.deepEqual(
    theirs.filter((id) => id in english),
    [],
    'English shows the server’s own sentence',
  );
  for (const language of languages().filter((one) => one !== 'en')) {
    const words = catalogue(language);
    const lacks = (ids) => ids.filter((id) => !words[id]);
    assert.deepEqual(lacks(theirs), [], `${language} lacks`);
    const known = new Set(['whole', ...Object.keys(english), ...theirs]);
    const unsent = Object.keys(words).filter((id) => !known.has(id));
    assert.deepEqual(unsent, [], `${language} has messages that nobody sends`);
    for (const [id, text] of sent) assert.deepEqual(argumentsOf(words[id]), argumentsOf(text), `${language} ${id}`);
  }
  // A sentence within a sentence would be in English: each reason has a code of its own.
  const quoting = [...sent].filter(([, text]) => /\{(reason|why|error|message)\}|^\{\w+\}$/.test(text));
  assert.deepEqual(quoting, [], 'a message quotes another');
});

test('an error is shown in the reader’s language by its code, and in English without a translation', async () => {
  const visitor = await visit(browser, house, '/table/1', { locale: 'es', serviceWorkers: 'block' });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  const [low, unknown, count, illegal] = await page.evaluate(async () => {
    const { get, post, Refused } = await import('/page/shared/net.js');
    const { round } = (await get('/api/tables/1')).view;
    const wager = { id: `low-${Date.now()}`, round, do: 'wager', box: 1, amounts: ['0.50'] };
    const low = await post('/api/tables/1/actions', wager).catch((error) => error);
    return [
      [low.status, low.code, low.message],
      new Refused(409, { code: 'of-tomorrow', message: 'a new sentence' }).message,
      await post('/api/training', { rules: 'decks = 300', set: [] }).catch((error) => error.message),
      await post('/api/lab/edge', { table: 'nj-switch', set: ['positions=6'] }).catch((error) => error.message),
    ];
  });
  assert.deepEqual(low.slice(0, 2), [409, 'below-table-minimum']);
  assert.match(low[2], /^0,50 está por debajo del mínimo de la mesa, \d+,\d\d\.$/);
  assert.equal(unknown, 'A new sentence.');
  assert.equal(count, 'Línea 1, decks: El número `300` no es válido; se espera un entero de 0 a 255.');
  assert.equal(illegal, 'Una mesa de Blackjack Switch tiene como máximo cinco casillas.');
  await visitor.close();
});

test('every message is a whole sentence or name, and every id says what it means', () => {
  for (const language of languages())
    for (const [id, message] of Object.entries(catalogue(language))) {
      assert.doesNotMatch(id, /\d$/, `${id} is told from others by a number`);
      assert.doesNotMatch(id, /fragment|prefix|suffix|\bpart\b/, `${id} is a part of a sentence`);
      assert.match(message, /^[^\s,;:.)](.*[^\s,;(])?$/s, `${language} ${id} is a part of a sentence: "${message}"`);
      for (const name of argumentsOf(message)) assert.match(name, /^[a-z_]{2,}$/, `${language} ${id} {${name}}`);
    }
});

test('counts have their singular', () => {
  for (const language of languages()) {
    const words = catalogue(language);
    assert.deepEqual(uncounted(words), [], `${language} counts without plural forms`);
    const broken = Object.keys(words).filter((id) => malformed(words[id]).length);
    assert.deepEqual(broken, [], `${language} has cases without their text`);
  }
  const forms = '{count, plural, one {# card} other {# cards}}';
  assert.deepEqual(uncounted({ forms, bare: '{left} cards left', named: '{most} chips' }), [
    'bare: {left} cards',
    'named: {most} chips',
  ]);
  assert.deepEqual(malformed('{withheld, plural, =0  one {#} other {#}}'), ['withheld']);
  assert.deepEqual(malformed('{game, select, switch { at Switch} other }'), ['game']);
  assert.deepEqual(malformed(`{taken, plural, =0 {} other {${forms}, # taken}}`), []);
});

test('what the house tells has the types of its own description, with few exceptions', () => {
  const untyped = modules().flatMap(({ name, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (/\{any|any\}|any\[|[,:<] ?any\b(?=[^']*\*\/)/.test(line) ? [`${name}:${at + 1}`] : [])),
  );
  assert.ok(untyped.length < 20, untyped.join(', '));
});

test('who asks for Spanish is spoken to in Spanish; another choice is kept', async () => {
  const visitor = await visit(browser, house, '/', { locale: 'es-ES' });
  const { page } = visitor;
  await page.waitForSelector('.game');
  assert.equal(await page.getAttribute('html', 'lang'), 'es');
  assert.match(await page.textContent('h1'), /según el reglamento/);
  await page.goto('/table/1');
  await deal(visitor, 2, 'mouse');
  await finish(visitor, 1, 'mouse');
  assert.match(await page.textContent('.status'), /Ganas|Pierdes|Empate|Tu |El crupier|del crupier/);
  assert.match(await page.getAttribute('.box.mine .pill', 'aria-label'), /¿Por qué\?$/);
  // Two plural forms, and the format of a number with four digits.
  await page.goto('/table/1');
  await page.waitForSelector('.decks');
  assert.match(await page.textContent('.decks'), /^ · \d barajas?$/);
  await page.goto('/rules/1');
  await page.waitForSelector('.words li [lang="en"]');
  const both = await page.$eval('.words li:has([lang="en"])', (line) => [
    line.querySelector('[lang="en"]').textContent,
    line.querySelector('.beside').textContent,
  ]);
  assert.match(both[0], /^Blackjack is played with \d decks\.$/);
  assert.match(both[1], /^Blackjack se juega con \d barajas\.$/);
  assert.deepEqual(await findings(page), []);
  await page.click('[aria-label="Ajustes"]');
  await page.click('dialog [name="language"][value="en"]');
  await page.waitForSelector('nav a:has-text("Regulations")');
  await page.goto('/');
  await page.waitForSelector('h1:has-text("by the book")');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('the filters of the clauses are in the reader’s words, and a house rule cites no regulation', async () => {
  const visitor = await visit(browser, house, '/clauses?id=HOUSE-VOID', { locale: 'es' });
  const { page } = visitor;
  await page.waitForSelector('.clause-entry');
  const words = catalogue('es');
  for (const [name, kind] of [
    ['kind', 'clause'],
    ['state', 'status'],
  ]) {
    const shown = await page.$$eval(`[name="${name}"] option`, (all) =>
      all.filter((one) => one.value).map((one) => [one.value, one.textContent]),
    );
    assert.ok(shown.length > 3);
    for (const [value, text] of shown) assert.equal(text, words[`term.${kind}.${value}`], `${name} ${value}`);
  }
  const entry = await page.textContent('.clause-entry');
  assert.ok(entry.includes(words['clauses.official.house']) && !entry.includes('Massachusetts'), entry);
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('Spanish amounts have a comma, and are understood with it', async () => {
  const query = new URLSearchParams({ play: '1', table: 'nj-blackjack', cards: 'Ts Ah 9d Kd', set: 'chip="0.50"' });
  const visitor = await visit(browser, house, `/train?${query}`, { locale: 'es' });
  const { page } = visitor;
  await page.waitForSelector('[data-awaiting="wagers"]');
  await page.click('[data-chip="2500"]');
  await page.click('[data-box="1"] [data-area="main-0"]');
  await press(page, 'mouse', 'deal');
  await page.waitForSelector('.actions [data-act="insure"]');
  assert.equal(await page.inputValue('.amount input'), '12,50');
  await press(page, 'mouse', 'insure');
  await page.waitForSelector('.actions [data-act="stand"]');
  const { body: view } = await visitor.api('GET', '/api/training');
  assert.equal(view.boxes[0].bettors[0].insurance, '12.50');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

/** Opens a page in a language that is added as one more file. */
async function foreign(language, words, path, more = {}) {
  // The file exists only in this test, which a service worker would bypass.
  const visitor = await visit(browser, house, '/protect', { serviceWorkers: 'block', ...more });
  const { page } = visitor;
  await page.route(`**/page/words/${language}.json`, (route) => route.fulfill({ json: words }));
  // As the server would write it: before the page's modules run, which is once the document is parsed.
  await page.addInitScript((which) => {
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return;
      document.documentElement.lang = which;
      document.querySelector('meta[name="languages"]').content += ` ${which}`;
    });
  }, language);
  await page.goto(path);
  return visitor;
}

/** Every message in brackets. */
const bracketed = Object.fromEntries(Object.entries(catalogue('en')).map(([id, words]) => [id, `⟦${words}⟧`]));

/** Returns visible or spoken text without brackets: text that bypassed the catalogue. */
const past = (page) =>
  page.evaluate(() => {
    const own =
      '[lang="en"], .hash, kbd, .clause, .brand, #foot, cut-card, svg text, [data-own], .table-name, script, style, select';
    const bare = (text) => {
      let rest = text;
      for (let before = ''; before !== rest;) {
        before = rest;
        rest = rest.replace(/⟦[^⟦⟧]*⟧/g, ' ');
      }
      // a message with an element in it begins and ends in two text nodes
      rest = rest.replace(/⟦[^⟧]*$/, ' ').replace(/^[^⟦]*⟧/, ' ');
      return /[A-Za-z]{3,}/.test(rest.replace(/\b(CSV|JSON|SVG|Cutcard|[A-Z][a-z]{2} \d+, \d{4})\b/g, ''))
        ? rest.trim()
        : '';
    };
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: at, textContent } = texts.currentNode;
      // A sentence may consist of several adjacent text nodes.
      if (at && !at.closest(own) && bare(textContent)) found.push(bare(textContent));
    }
    for (const element of document.body.querySelectorAll('[aria-label], [title], [placeholder]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (element.hasAttribute(name) && !element.closest(own) && bare(element.getAttribute(name)))
          found.push(`${name}: ${bare(element.getAttribute(name))}`);
    return [...new Set(found)];
  });

test('in a made-up language nothing is said past the catalogue', async () => {
  const visitor = await foreign('xx', bracketed, '/');
  const { page } = visitor;
  for (const [path, ready] of [
    ['/', '.game'],
    ['/table/1', '[data-awaiting="wagers"]'],
    ['/account', '[aria-label*="Statement"]'],
    ['/history', 'h1'],
    ['/sign-in', 'form'],
    ['/protect', '.plain-list'],
    ['/train', '[data-act]'],
    ['/rules/6', '.words li'],
    ['/clauses?q=lammer', '.clause-entry'],
  ]) {
    await page.goto(path);
    await page.waitForSelector(ready);
    assert.deepEqual(await past(page), [], path);
  }
  await page.goto('/table/6');
  await page.waitForSelector('[data-awaiting="wagers"]');
  await deal(visitor, 2, 'mouse');
  assert.deepEqual(await past(page), [], 'in a hand');
  await finish(visitor, 6, 'mouse');
  assert.deepEqual(await past(page), [], 'after the round');
  await page.click('.pill[data-net]');
  await page.waitForSelector('.why-panel .why');
  assert.deepEqual(await past(page), [], 'why');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});

test('every option of the lab, what it may be and what it means has its words', async () => {
  const visitor = await foreign('xx', bracketed, '/lab?table=nj-double-attack');
  const { page } = visitor;
  for (const table of ['nj-blackjack', 'nj-switch', 'nj-double-attack']) {
    await page.goto(`/lab?table=${table}`);
    await page.waitForSelector('.strategy', { timeout: 60_000 });
    // An option's explanation is the server's own sentence, with a translation if the language has one.
    const bare = await page.$$eval(
      '.lab label, .lab option:not([value^="hi-"], [value^="omega"], [value="zen"], [value="ko"]), .lab summary, .chart h3, .facts dt',
      (all) => [
        ...new Set(all.map((one) => one.textContent).filter((text) => /[A-Za-z]{2}/.test(text) && !/⟦/.test(text))),
      ],
    );
    assert.deepEqual(bare, [], table);
  }
  await visitor.close();
  const spanish = await visit(browser, house, '/lab?table=nj-switch', { locale: 'es', serviceWorkers: 'block' });
  await spanish.page.waitForSelector('.strategy', { timeout: 60_000 });
  const english = await spanish.page.$$eval('[data-key][title], .ruling small, .chart > p', (all) =>
    all.map((one) => one.title || one.textContent).filter((text) => /\b(the|of|whether|hit)\b/.test(text)),
  );
  assert.deepEqual(english, [], 'what options mean, in Spanish');
  await spanish.page.goto('/shoe/6/99');
  await spanish.page.waitForSelector('main h1');
  assert.match(await spanish.page.textContent('main'), /Ese sabot no existe\./);
  await spanish.close();
});

test('a language of one file that is written from right to left does not break the page', async () => {
  const visitor = await foreign('ar', bracketed, '/');
  const { page } = visitor;
  await page.waitForSelector('.game');
  assert.equal(await page.getAttribute('html', 'dir'), 'rtl');
  await page.click('.top-end .plain');
  assert.ok(await page.isVisible('dialog [name="language"][value="ar"]'), 'it can be chosen');
  await page.keyboard.press('Escape');
  for (const path of ['/', '/table/1', '/account', '/train', '/rules/1'])
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size);
      await page.goto(path);
      await page.waitForSelector('main > *');
      await until(page, () => !document.querySelector('main:empty'));
      assert.deepEqual(await findings(page), [], `${path} at ${size.width} px`);
    }
  await page.setViewportSize(WIDE);
  await page.goto('/table/1');
  await deal(visitor, 2, 'mouse');
  await finish(visitor, 1, 'mouse');
  // The table is not text: the shoe stays at the dealer's left hand.
  const [shoe, rack] = await Promise.all(['.shoe', '.discards'].map((part) => page.locator(part).boundingBox()));
  assert.ok(shoe.x > rack.x, 'the shoe is on the right, whatever is written');
  assert.deepEqual(visitor.problems, []);
  await visitor.close();
});
