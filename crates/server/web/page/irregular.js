// Irregularities by name: what happened, what has to be named, and the remedy that the regulation prescribes.

import { clauseLink, clauseRows, field, fill, h } from './ui.js';

export const WORDS = /** @type {Record<string, string>} */ ({
  'found-face-up': 'A card lies face up in the shoe',
  exposed: 'A card was drawn in error and seen',
  'drawn-unexposed': 'A card was drawn in error, not seen',
  'drew-on-standing': 'The dealer drew although standing',
  'missed-box': 'A box was missed in the deal',
  'missed-draw': 'A requested card was not dealt',
  'missed-own-card': 'The dealer missed the own first card',
  misdelivered: 'A card went to the wrong place',
  'moved-forward': 'A misdealt card moves to the next hand',
  'let-out': 'A player is let out of a misdealt hand',
  'ten-found': 'A ten was found in the shoe',
  'wrong-side': 'Dealt from the wrong side of the shoe',
  'reader-misused': 'The reader was used without need',
  'reader-failed': 'The reader does not work',
  'up-card-not-moved': 'The up card was not moved on',
  'up-card-discarded': 'The up card was put in the rack',
  'double-dealt-up': 'A double card was dealt face up',
  'light-failed': 'The light of a progressive area fails',
  'bonus-failed': 'The bonus button shows nothing',
  'out-of-cards': 'Too few cards to finish the round',
  'shuffler-failed': 'The shuffling device stopped',
  'shuffler-removed': 'The shuffling device was removed',
  'burn-forgotten': 'The burn was forgotten',
  'seen-in-mixing': 'A card was seen while mixing',
});

/** A card as people type it: `7D` and `7d` are the seven of diamonds. @param {string} text */
export const typedCard = (text) => text.charAt(0).toUpperCase() + text.charAt(1).toLowerCase();

/**
 * The form by which a dealer reports one.
 * @param {any} card the table's card @param {(report: Record<string, any>) => void} report
 */
export function irregularities(card, report) {
  const known = /** @type {{ name: string, needs: string, clause: string }[]} */ (card.irregularities ?? []);
  const kind = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'irregularity' },
      known.map(({ name }) => h('option', { value: name }, WORDS[name] ?? name)),
    )
  );
  const cardInput = /** @type {HTMLInputElement} */ (
    h('input', { name: 'reported-card', placeholder: '7d', maxlength: 2, size: 4 })
  );
  const boxInput = /** @type {HTMLInputElement} */ (
    h('input', { name: 'reported-box', type: 'number', min: 1, max: card.positions, value: 1 })
  );
  const cardField = field('Card', cardInput);
  const boxField = field('Box', boxInput);
  const remedy = h('div', { class: 'remedy small', 'aria-live': 'polite' });
  const chosen = () => known.find(({ name }) => name === kind.value);
  const fit = () => {
    const found = chosen();
    if (!found) return;
    cardField.hidden = found.needs !== 'card';
    boxField.hidden = found.needs !== 'box';
    const words = h('p', { class: 'dim' }, '…');
    fill(remedy, h('p', null, 'What follows: ', clauseLink(found.clause)), words);
    clauseRows(found.clause).then(
      (rows) => fill(words, rows.map((/** @type {any} */ row) => row.summary).join(' ')),
      () => fill(words, 'The house does not answer.'),
    );
  };
  kind.addEventListener('change', fit);
  fit();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const needs = chosen()?.needs;
    report({
      do: 'report',
      irregularity: kind.value,
      ...(needs === 'card' ? { card: typedCard(cardInput.value) } : {}),
      ...(needs === 'box' ? { box: Number(boxInput.value) } : {}),
    });
  };
  return h(
    'section',
    { class: 'panel' },
    h('div', { class: 'panel-head' }, h('h2', null, 'Irregularity')),
    h(
      'form',
      { class: 'pad stack-y', onsubmit: submit },
      field('What happened', kind),
      cardField,
      boxField,
      remedy,
      h('button', { class: 'act', 'data-act': 'report' }, 'Report'),
    ),
  );
}
