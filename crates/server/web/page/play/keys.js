// The keyboard at a table: placing chips, moving between areas, and the actions of the bar.

/** @typedef {import('./table.js').TablePage} TablePage */

/** Handles a key press at a table. @param {TablePage} page @param {KeyboardEvent} event */
export function key(page, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const target = event.target instanceof HTMLElement ? event.target : null;
  // A held key does nothing, not even press the focused button.
  if (event.repeat && !target?.closest('input, select, textarea')) {
    if (event.key === 'Enter' || event.key === ' ') event.preventDefault();
    return;
  }
  if (target?.closest('input, select, textarea')) {
    if (event.key !== 'Enter') return;
  }
  const betting = page.view.awaiting.what === 'wagers' && page.player;
  if (betting && /^[1-9]$/.test(event.key)) {
    event.preventDefault();
    return page.bets.key(Number(event.key) - 1, page.free());
  }
  if (betting && (event.key === 'ArrowRight' || event.key === 'ArrowLeft') && !target?.closest('.tabs, .rack')) {
    const areas = /** @type {HTMLElement[]} */ (Array.from(page.felt.element.querySelectorAll('.area:not(:disabled)')));
    const now = areas.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = event.key === 'ArrowRight' ? 1 : -1;
    event.preventDefault();
    areas[now < 0 ? (step > 0 ? 0 : areas.length - 1) : (now + step + areas.length) % areas.length]?.focus();
    return undefined;
  }
  // Enter and the space bar belong to the focused button or link, except on a chip button: a picked chip keeps the
  // focus, and the space bar must still advance the game.
  if ((event.key === 'Enter' || event.key === ' ') && target?.closest('button:not(.chip-button), a, summary'))
    return undefined;
  return page.bar.key(event);
}
