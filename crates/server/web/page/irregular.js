// Irregularities by name: what happened, what has to be named, and the remedy that the regulation prescribes.

import { clauseLink, clauseRows, field, fill, h, law } from './ui.js';
import { t } from './words.js';

/** @typedef {import('../../browser/types').Schemas} Schemas */
/** @typedef {import('../../browser/types').Command} Command */

export const WORDS = /** @type {Record<string, string>} */ ({
  'found-face-up': t('a-card-lies-face-up-in-the'),
  exposed: t('a-card-was-drawn-in-error-and'),
  'drawn-unexposed': t('a-card-was-drawn-in-error-not'),
  'drew-on-standing': t('the-dealer-drew-although-standing'),
  'missed-box': t('a-box-was-missed-in-the-deal'),
  'missed-draw': t('a-requested-card-was-not-dealt'),
  'missed-own-card': t('the-dealer-missed-the-own-first-card'),
  misdelivered: t('a-card-went-to-the-wrong-place'),
  'moved-forward': t('a-misdealt-card-moves-to-the-next'),
  'let-out': t('a-player-is-let-out-of-a'),
  'ten-found': t('a-ten-was-found-in-the-shoe'),
  'wrong-side': t('dealt-from-the-wrong-side-of-the'),
  'reader-misused': t('the-reader-was-used-without-need'),
  'reader-failed': t('the-reader-does-not-work'),
  'up-card-not-moved': t('the-up-card-was-not-moved-on'),
  'up-card-discarded': t('the-up-card-was-put-in-the'),
  'double-dealt-up': t('a-double-card-was-dealt-face-up'),
  'light-failed': t('the-light-of-a-progressive-area-fails'),
  'bonus-failed': t('the-bonus-button-shows-nothing'),
  'out-of-cards': t('too-few-cards-to-finish-the-round'),
  'shuffler-failed': t('the-shuffling-device-stopped'),
  'shuffler-removed': t('the-shuffling-device-was-removed'),
  'burn-forgotten': t('the-burn-was-forgotten'),
  'seen-in-mixing': t('a-card-was-seen-while-mixing'),
});

/** A card as people type it: `7D` and `7d` are the seven of diamonds. @param {string} text */
export const typedCard = (text) => text.charAt(0).toUpperCase() + text.charAt(1).toLowerCase();

/**
 * The form by which a dealer reports one.
 * @param {Schemas['TableFacts']} card the table's @param {(report: Command) => void} report
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
  const cardField = field(t('card'), cardInput);
  const boxField = field(t('box-10'), boxInput);
  const remedy = h('div', { class: 'remedy small', 'aria-live': 'polite' });
  const chosen = () => known.find(({ name }) => name === kind.value);
  const fit = () => {
    const found = chosen();
    if (!found) return;
    cardField.hidden = found.needs !== 'card';
    boxField.hidden = found.needs !== 'box';
    const words = h('p', { class: 'dim' }, '…');
    fill(remedy, h('p', null, t('what-follows'), clauseLink(found.clause)), words);
    clauseRows(found.clause).then(
      (rows) => fill(words, law(rows.map((row) => row.summary).join(' '))),
      () => fill(words, t('the-house-does-not-answer')),
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
    // Nothing sticks: what is reported next has a card of its own, and the next Enter is for the next card.
    cardInput.value = '';
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
  };
  // It is needed seldom: behind one key.
  return h(
    'details',
    { class: 'panel irregular' },
    h('summary', { class: 'panel-head' }, h('h2', null, t('irregularity')), h('kbd', { 'aria-hidden': 'true' }, 'I')),
    h(
      'form',
      { class: 'pad stack-y', onsubmit: submit },
      field(t('what-happened'), kind),
      cardField,
      boxField,
      remedy,
      h('button', { class: 'act', 'data-act': 'report' }, t('report')),
    ),
  );
}
