// The keys of the decisions, the same at a table and in a drill.

/** The key of each decision. */
export const KEYS = /** @type {Record<string, string>} */ ({
  hit: 'h',
  stand: 's',
  double: 'd',
  split: 'p',
  surrender: 'u',
  switch: 'w',
  revoke: 'v',
  keep: 'n',
  'no switch': 'n',
  attack: 'a',
  pass: 'n',
  insure: 'i',
  decline: 'n',
});
