// Irregularities: what happened, the details to give, and the remedy that the regulation prescribes.

import { clauseLink, clauseRows, field, fill, h, law } from '../shared/ui.js';
import { rich, t, term } from '../shared/words.js';

/** @typedef {import('../../../browser/types').Schemas} Schemas */
/** @typedef {import('../../../browser/types').Command} Command */

/** Normalizes a typed card: `7D` and `7d` are the seven of diamonds. @param {string} text */
export const typedCard = (text) => text.charAt(0).toUpperCase() + text.charAt(1).toLowerCase();

/**
 * Builds the form with which a dealer reports an irregularity.
 * @param {Schemas['TableFacts']} card the table @param {(report: Command) => void} report
 */
export function irregularities(card, report) {
  const known = /** @type {{ name: string, needs: string, clause: string }[]} */ (card.irregularities ?? []);
  const kind = /** @type {HTMLSelectElement} */ (
    h(
      'select',
      { name: 'irregularity' },
      known.map(({ name }) => h('option', { value: name }, term('irregularity', name))),
    )
  );
  const cardInput = /** @type {HTMLInputElement} */ (
    h('input', { name: 'reported-card', placeholder: '7d', maxlength: 2, size: 4 })
  );
  const boxInput = /** @type {HTMLInputElement} */ (
    h('input', { name: 'reported-box', type: 'number', min: 1, max: card.positions, value: 1 })
  );
  const cardField = field(t('card.label'), cardInput);
  const boxField = field(t('box.label'), boxInput);
  const remedy = h('div', { class: 'remedy small', 'aria-live': 'polite' });
  const chosen = () => known.find(({ name }) => name === kind.value);
  const fit = () => {
    const found = chosen();
    if (!found) return;
    cardField.hidden = found.needs !== 'card';
    boxField.hidden = found.needs !== 'box';
    const words = h('p', { class: 'dim' }, '…');
    fill(remedy, h('p', null, rich('irregularity.remedy', { clause: clauseLink(found.clause) })), words);
    clauseRows(found.clause).then(
      (rows) => fill(words, law({ text: rows.map((row) => row.summary).join(' ') })),
      () => fill(words, t('error.no_response')),
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
    // Reset the form: the next report has its own card, and the next Enter belongs to the next card.
    cardInput.value = '';
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
  };
  // Rarely needed, so folded away behind one key.
  return h(
    'details',
    { class: 'panel irregular' },
    h(
      'summary',
      { class: 'panel-head' },
      h('h2', null, t('irregularity.title')),
      h('kbd', { 'aria-hidden': 'true' }, 'I'),
    ),
    h(
      'form',
      { class: 'pad stack-y', onsubmit: submit },
      field(t('audit.event'), kind),
      cardField,
      boxField,
      remedy,
      h('button', { class: 'act', 'data-act': 'report' }, t('irregularity.submit')),
    ),
  );
}
