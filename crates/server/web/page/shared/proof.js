// Verifies a finished shoe, with one sentence for each check: the same checks as `cutcard verify-shoe`, in the same
// words, tested with the same vectors. This file imports nothing, because the standalone verifier, which the house does
// not serve, is built from it.

/**
 * @typedef {{ check: string, holds: boolean, message: string }} Check
 * @typedef {{ check: string, message: string }} Unchecked
 * @typedef {{ holds: boolean, checks: Check[], unchecked: Unchecked[] }} Verdict
 * @typedef {{ hash: string, nonce: string | null }} Share
 * @typedef {{ table: number, shoe: number, decks: number, deck: number, on_layout: string, cut_rule: string, mix_rule: string,
 *   cut_least: number, nonce: string, order: string, commitment: string, cut: number,
 *   cut_by: number | null, mixed: { after: number, shares: Share[] }, drawn: string,
 *   rounds: { round: number, cards: string }[],
 *   signatures?: { house: string, commitment: string, list: string | null, opening: string } | null }} Opening
 * @typedef {{ table: number, shoe: number, house: string, decks: number, deck: number,
 *   commitment: { commitment: string, signature: string, left: number }, layout?: string[], face_down?: number,
 *   cut: { at: number, by: number | null } | null,
 *   list: { cut: number, cut_by: number | null, after: number, hashes: string[], signature: string } | null,
 *   share: { place: number, hash: string, signature: string } | null, nonce: string | null, sent: boolean, revealed?: boolean,
 *   cards: { round: number, left: number | null, card: string }[] }} Log
 * @typedef {{ log?: Log | null, commitment?: string | null, nonce?: string | null }} Against
 */

const CUT_RULE = 'cutcard cut 1';
const MIX_RULE = 'cutcard mix 2';
const FAIR = 'cutcard fair 1\n';
export const MOST_BURNED = 1;
const RANKS = 'A23456789TJQK';
const SUITS = 'cdhs';
const UNREADABLE = 'the cards of the opening cannot be read';
const UNSEEN = 'no log was given, so the cards were not compared with those that a browser saw';
// Whoever makes up shares before the list closes, and knows all nonces, tries orders until one suits.
const NO_OWN_NONCE =
  'your nonce was not given: whoever made the shares could have chosen the order after the commitment';
const OWN_NONCE_WITHHELD =
  'your nonce was never revealed: whoever made the other shares could have chosen the order after the commitment';
const NO_NONCE = 'nobody added a nonce: the house alone chose the order, before the commitment';

/** A failed check, with a sentence that says what is wrong. */
class Wrong extends Error {}

/** A check that cannot be made, with a sentence that says why. */
class NotMade extends Error {}

/** @param {unknown} holds @param {() => string} wrong */
function held(holds, wrong) {
  if (!holds) throw new Wrong(wrong());
}

/** @param {string} text */
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} text */
const isKey = (text) => /^[0-9a-fA-F]{64}$/.test(text);

/** @param {string} text */
const bytes = (text) => new TextEncoder().encode(text);

/** Returns the SHA-256 hash of a text. @param {string} text */
const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(text)));

/** Returns the hash of a nonce, which the player submits before revealing the nonce. @param {string} nonce */
export const hashOf = async (nonce) => hex(await sha256(`cutcard share 2\n${nonce.toLowerCase()}`));

/** @param {string} text */
function cardsOf(text) {
  const cards = text.split(/\s+/).filter(Boolean);
  const known = cards.every((card) => card.length === 2 && RANKS.includes(card[0]) && SUITS.includes(card[1]));
  held(known, () => UNREADABLE);
  return cards;
}

/** Returns the fields that the commitment covers, in order. @param {Opening} o */
const committed = (o) => ({
  table: o.table,
  shoe: o.shoe,
  decks: o.decks,
  deck: o.deck,
  on_layout: o.on_layout,
  cut_rule: o.cut_rule,
  mix_rule: o.mix_rule,
  cut_least: o.cut_least,
  nonce: o.nonce,
  order: o.order,
});

/** @param {Share} share */
const shareText = ({ hash, nonce }) => ({ hash, nonce: nonce ?? null });

/** @param {Opening} o */
const commitmentOf = async (o) => hex(await sha256(`cutcard shoe 2\n${JSON.stringify(committed(o))}`));

/**
 * Returns a function that draws a number below a bound, determined by a text: SHA-256 in counter mode, in words of 32
 * bits.
 * @param {string} text
 */
async function words(text) {
  const seed = hex(await sha256(text));
  let block = 0;
  /** @type {number[]} */
  let left = [];
  const word = async () => {
    if (!left.length) {
      const made = new DataView((await sha256(`${seed} ${block++}`)).buffer);
      left = Array.from({ length: 8 }, (_, at) => made.getUint32(at * 4));
    }
    return /** @type {number} */ (left.shift());
  };
  return async (/** @type {number} */ bound) => {
    if (bound < 2) return 0;
    const cycles = Math.floor(2 ** 32 / bound) * bound;
    let drawn = await word();
    while (drawn >= cycles) drawn = await word();
    return drawn % bound;
  };
}

/** Returns where the house has to cut. @param {string} commitment @param {number} size @param {number} cutLeast */
async function derivedCut(commitment, size, cutLeast) {
  const least = Math.min(cutLeast, Math.floor(size / 2));
  const below = await words(`${CUT_RULE}\n${commitment}`);
  return least + (await below(size - 2 * least + 1));
}

/**
 * Returns the order in which cards leave a shoe.
 * @param {string[]} order @param {string} commitment @param {number} cut @param {{ after: number, shares: Share[] }} mixed
 */
async function sequence(order, commitment, cut, { after, shares }) {
  const at = order.length ? cut % order.length : 0;
  const cards = [...order.slice(at), ...order.slice(0, at)];
  if (!shares.length || after > cards.length) return cards;
  const seed = { commitment, cut, after, shares: shares.map(shareText) };
  const below = await words(`${MIX_RULE}\n${JSON.stringify(seed)}`);
  for (let last = cards.length - 1 - after; last > 0; last -= 1) {
    const other = after + (await below(last + 1));
    [cards[after + last], cards[other]] = [cards[other], cards[after + last]];
  }
  return cards;
}

/** Names who made the cut. @param {number | null | undefined} by */
const who = (by) => (by == null ? 'the house' : `box ${by}`);

/** @param {Opening} o @param {Log | null | undefined} log */
async function composition(o, log) {
  const order = cardsOf(o.order);
  cardsOf(o.drawn);
  const { decks, deck } = o;
  held(deck === 48 || deck === 52, () => `invalid deck of ${deck} cards: a deck has 52 or 48 cards`);
  const layout = cardsOf(o.on_layout);
  const all = [...order, ...layout];
  for (const rank of RANKS) {
    for (const suit of SUITS) {
      const card = rank + suit;
      const has = all.filter((other) => other === card).length;
      const should = deck === 48 && rank === 'T' ? 0 : decks;
      held(
        has === should,
        () => `number of ${card} in the shoe: ${has}; ${decks} decks of ${deck} cards have ${should}`,
      );
    }
  }
  if (log) {
    held(
      log.decks === decks && log.deck === deck,
      () => `the table announced ${log.decks} decks of ${log.deck} cards; the opening has ${decks} of ${deck}`,
    );
    if (layout.length) {
      const faceUp = log.layout ?? [];
      const seen = faceUp.length + (log.face_down ?? 0);
      held(
        layout.length === seen,
        () =>
          `the shoe opening says that ${layout.length} cards were on the layout when the shoe was shuffled, but this browser saw ${seen}`,
      );
      const left = [...layout];
      for (const card of faceUp) {
        const at = left.indexOf(card);
        held(
          at >= 0,
          () => `${card} was on the layout when the shoe was shuffled, but the shoe opening lists it in the shoe`,
        );
        left.splice(at, 1);
      }
    }
  }
  const whole = `${decks} decks of ${deck} cards`;
  return layout.length ? `${whole}, ${layout.length} of them on the layout when the shoe was shuffled` : whole;
}

/** @param {Opening} o @param {Log | null | undefined} log @param {string | null | undefined} noted */
async function commitment(o, log, noted) {
  const size = cardsOf(o.order).length;
  cardsOf(o.drawn);
  const found = await commitmentOf(o);
  held(
    found === o.commitment,
    () => `the commitment computed from the order and its nonce is ${found}; the opening has ${o.commitment}`,
  );
  if (noted != null)
    held(noted.toLowerCase() === found, () => `the recorded commitment is ${noted}; that of the opening is ${found}`);
  if (log) {
    held(
      log.table === o.table && log.shoe === o.shoe,
      () => `the log is for another shoe: shoe ${log.shoe} of table ${log.table}`,
    );
    const told = log.commitment.commitment;
    held(told === found, () => `the commitment in the log is ${told}; that of the opening is ${found}`);
    const gone = Math.max(0, size - log.commitment.left);
    held(
      gone <= MOST_BURNED,
      () =>
        `the log recorded the commitment only after ${gone} cards had left the shoe, so it does not show that the order was fixed before the first card`,
    );
  }
  return noted != null || log
    ? 'the card order matches the commitment recorded before the first card'
    : 'the card order matches the commitment in the opening, which was not compared with one recorded beforehand';
}

/** @param {Opening} o @param {Log | null | undefined} log */
async function cut(o, log) {
  const size = cardsOf(o.order).length;
  cardsOf(o.drawn);
  held(o.cut_rule === CUT_RULE, () => `unknown cut rule \`${o.cut_rule}\`; expected \`${CUT_RULE}\``);
  const least = Math.min(o.cut_least, Math.floor(size / 2));
  held(
    o.cut >= least && o.cut <= size - least,
    () => `the cut at ${o.cut} leaves fewer than ${least} of ${size} cards on one side`,
  );
  if (o.cut_by == null) {
    const derived = await derivedCut(o.commitment, size, o.cut_least);
    held(o.cut === derived, () => `the house cut at ${o.cut}; the commitment requires a cut at ${derived}`);
  }
  if (log) {
    const seen = log.cut;
    if (!seen) throw new Wrong('the log does not record the cut');
    held(
      seen.at === o.cut && (seen.by ?? null) === (o.cut_by ?? null),
      () =>
        `this browser saw ${who(seen.by)} cut at ${seen.at}, but the shoe opening says that ${who(o.cut_by)} cut at ${o.cut}`,
    );
  }
  return `${who(o.cut_by)} cut at ${o.cut}`;
}

/** @param {Opening} o @param {Log | null | undefined} log */
async function shares(o, log) {
  const all = o.mixed.shares;
  const midRound = o.on_layout !== '';
  held(!midRound || !all.length, () => 'a shoe shuffled in mid-round must not have nonce shares');
  held(midRound || o.signatures?.list != null, () => 'the opening has no signature of the closed list of shares');
  for (const [at, { hash, nonce }] of all.entries()) {
    held(
      isKey(hash) && (nonce == null || isKey(nonce)),
      () => `the hash and the nonce of share ${at + 1} must each be 64 hexadecimal digits`,
    );
    const same = all.slice(0, at).findIndex((other) => other.hash === hash);
    held(same < 0, () => `share ${at + 1} has the same hash as share ${same + 1}`);
    held(nonce == null || (await hashOf(nonce)) === hash, () => `the nonce of share ${at + 1} does not match its hash`);
  }
  if (log && !midRound) {
    const { list, share } = log;
    if (!list) throw new Wrong('the log does not record the closed list of shares');
    const noted = list.hashes;
    held(
      noted.length === all.length,
      () => `the list of shares was closed with ${noted.length} entries, but the shoe opening has ${all.length}`,
    );
    for (const [at, { hash }] of all.entries())
      held(
        noted[at] === hash,
        () => `share ${at + 1} of the closed list is ${noted[at]}, but the shoe opening has ${hash}`,
      );
    held(
      list.cut === o.cut && (list.cut_by ?? null) === (o.cut_by ?? null),
      () =>
        `${who(list.cut_by)} cut at ${list.cut} when the list of shares was closed, but the shoe opening gives a different cut`,
    );
    held(
      list.after === o.mixed.after,
      () =>
        `the list of shares was closed when ${list.after} cards had left the shoe, but the shoe opening says that the nonces were mixed in after ${o.mixed.after}`,
    );
    if (share)
      held(
        all[share.place - 1]?.hash === share.hash,
        () =>
          `the house acknowledged ${share.hash} as share ${share.place}, but the shoe opening does not have it there`,
      );
  }
  const withheld = all.filter(({ nonce }) => nonce == null).length;
  if (!all.length) return 'no player added a nonce';
  return withheld ? `${all.length} shares, ${withheld} of them withheld` : `${all.length} shares, all of them revealed`;
}

/**
 * Checks that one's own nonce was mixed in. Without one, a shoe does not show its observer that nobody chose the order.
 * @param {Opening} o @param {Log | null | undefined} log @param {string | null | undefined} given
 */
async function nonce(o, log, given) {
  const unanswered = given == null && log != null && log.sent && !log.revealed;
  const withheldOneself = given == null && log != null && !log.sent && !log.revealed;
  let mixed = false;
  for (const own of [given, log?.nonce]) {
    if (own == null) continue;
    held(isKey(own), () => `the nonce ${own} must be 64 hexadecimal digits`);
    const hash = await hashOf(own);
    const share = o.mixed.shares.find((other) => other.hash === hash);
    if (!share) throw new Wrong(`the nonce ${own} was not mixed into the order of the shoe`);
    held(
      share.nonce != null || !unanswered,
      () =>
        `this browser sent the nonce ${own}; the house never acknowledged it, and the opening says that it was withheld`,
    );
    held(share.nonce != null || withheldOneself, () => `the opening says that the nonce ${own} was withheld`);
    mixed ||= share.nonce != null;
  }
  if (mixed) return 'your nonce was mixed into the order';
  if (!o.mixed.shares.length) throw new NotMade(NO_NONCE);
  throw new NotMade(log?.nonce != null ? OWN_NONCE_WITHHELD : NO_OWN_NONCE);
}

/** @param {Opening} o */
async function mix(o) {
  const [order, drawn] = [cardsOf(o.order), cardsOf(o.drawn)];
  held(o.mix_rule === MIX_RULE, () => `unknown mixing rule \`${o.mix_rule}\`; expected \`${MIX_RULE}\``);
  const { after } = o.mixed;
  held(
    after <= MOST_BURNED,
    () => `the nonces were mixed in after ${after} cards had left the shoe; only the burn card may leave earlier`,
  );
  held(
    o.mixed.shares.every((share) => isKey(share.hash) && (share.nonce == null || isKey(share.nonce))),
    () => 'every hash and nonce must be 64 hexadecimal digits',
  );
  const right = await sequence(order, o.commitment, o.cut, o.mixed);
  const at = drawn.findIndex((card, n) => n < right.length && card !== right[n]);
  if (at >= 0) {
    const cutOnly = await sequence(order, o.commitment, o.cut, { after: 0, shares: [] });
    held(
      drawn.some((card, n) => card !== cutOnly[n]),
      () => "the cards were dealt without the players' nonces",
    );
    throw new Wrong(`card ${at + 1} was ${drawn[at]}; the order, the cut and the nonces give ${right[at]}`);
  }
  return `all ${drawn.length} drawn cards match the order, the cut and the nonces`;
}

/** @param {Opening} o @param {Log | null | undefined} log */
async function drawn(o, log) {
  const [size, cards] = [cardsOf(o.order).length, cardsOf(o.drawn)];
  held(cards.length, () => 'the opening lists no drawn cards');
  held(cards.length <= size, () => `${cards.length} cards were drawn from a shoe of ${size}`);
  /** @type {string[]} */
  const dealt = [];
  let last = -Infinity;
  for (const round of o.rounds) {
    held(last < round.round, () => `round ${round.round} is out of order: round numbers must increase`);
    last = round.round;
    dealt.push(...cardsOf(round.cards));
  }
  held(
    dealt.join() === cards.join(),
    () => `the ${dealt.length} cards of the rounds are not the ${cards.length} that were drawn`,
  );
  const told = `${cards.length} cards in ${o.rounds.length} rounds`;
  if (!log) return `${told}; no log was given, so the rounds were not compared with those that a browser saw`;
  for (const { round, left } of log.cards) {
    held(
      o.rounds.some((opened) => opened.round === round),
      () => `this browser saw cards in round ${round}; the opening has no such round`,
    );
    const gone = left == null ? 0 : Math.max(0, size - left);
    held(
      gone <= cards.length,
      () => `this browser saw ${gone} cards leave the shoe; the opening says that ${cards.length} were drawn`,
    );
  }
  return `${told}, including every round that this browser saw`;
}

/** @param {Opening} o @param {Log | null | undefined} log */
async function seen(o, log) {
  if (!log) throw new NotMade(UNSEEN);
  const [size, cards] = [cardsOf(o.order).length, cardsOf(o.drawn)];
  held(log.cards.length, () => 'the log has no card from this shoe');
  for (const [n, { round, left, card }] of log.cards.entries()) {
    if (left == null) throw new Wrong(`the house showed ${card} without saying how many cards were left in the shoe`);
    const at = size - left - 1;
    held(at >= 0, () => `the log places ${card} before the first card`);
    const twice = log.cards.slice(0, n).find((other) => other.left === left);
    held(!twice, () => `the house showed two cards as card ${at + 1}: ${twice?.card} and ${card}`);
    held(
      at < cards.length,
      () => `this browser saw ${card} as card ${at + 1}; the opening says that ${cards.length} were drawn`,
    );
    held(cards[at] === card, () => `this browser saw ${card} as card ${at + 1}; the opening has ${cards[at]}`);
    let before = 0;
    const found = o.rounds.find((other) => {
      before += other.cards.split(/\s+/).filter(Boolean).length;
      return at < before;
    });
    const opened = found?.round ?? 0;
    held(
      opened === round,
      () => `this browser saw card ${at + 1} in round ${round}; the opening has it in round ${opened}`,
    );
  }
  return `all ${log.cards.length} cards that this browser saw match the opening`;
}

/**
 * Compares an opening with the rounds that the house publishes: they must be there, and have their cards at the same
 * places of the shoe. No other round may have cards of the shoe: the opening would leave out its last rounds. Only the
 * page makes this check, since only the page can ask the house.
 * @param {Opening} o @param {{ round: number, cards: { card: string, left: number | null }[] | null }[]} rounds
 */
export const published = (o, rounds) =>
  made('published', async () => {
    const [size, drawn] = [cardsOf(o.order).length, cardsOf(o.drawn)];
    /** Places that the rounds show. @type {Set<number>} */
    const places = new Set();
    let before = 0;
    for (const { round, cards } of o.rounds) {
      const told = rounds.find((other) => other.round === round)?.cards;
      if (!told) throw new Wrong(`the opening has round ${round}; the house publishes no such round`);
      const after = before + cardsOf(cards).length;
      for (const { card, left } of told) {
        if (left == null) throw new Wrong(`round ${round} was published with ${card}, but not its place in the shoe`);
        const at = size - left - 1;
        const there = at >= before && at < after ? drawn[at] : 'no such card in that round';
        held(
          there === card,
          () => `round ${round} was published with ${card} as card ${at + 1}; the opening has ${there}`,
        );
        places.add(at);
      }
      before = after;
    }
    const named = o.rounds.map(({ round }) => round);
    const left = rounds.find(({ round, cards }) => cards?.length && !named.includes(round))?.round;
    held(left === undefined, () => `round ${left} was published with cards of this shoe; the opening does not have it`);
    const rest = `the other ${drawn.length - places.size} never lay face up`;
    return `${places.size} cards of the published rounds match the opening; ${rest}`;
  });

/** @param {string} house @param {object} said @param {string} signature */
async function isSigned(house, said, signature) {
  if (!isKey(house) || !/^[0-9a-fA-F]{128}$/.test(signature)) return false;
  try {
    const key = await crypto.subtle.importKey('raw', unhex(house), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, unhex(signature), bytes(FAIR + JSON.stringify(said)));
  } catch {
    throw new Wrong('this browser cannot check Ed25519 signatures; use a newer one, or `cutcard verify-shoe`');
  }
}

/** The house's statement about a shoe. @typedef {{ table: number, shoe: number, commitment: string }} Said */

/** Returns whether the house signed a commitment. @param {string} house @param {Said} shoe @param {string} signature */
export function isCommitmentSigned(house, { table, shoe, commitment }, signature) {
  return isSigned(house, { is: 'commitment', table, shoe, commitment }, signature);
}

/**
 * Returns whether the house signed a closed list of shares.
 * @param {string} house @param {Said} shoe @param {NonNullable<Log['list']>} list
 */
export function isListSigned(house, { table, shoe, commitment }, list) {
  const { cut, cut_by = null, after, hashes } = list;
  return isSigned(house, { is: 'list', table, shoe, commitment, cut, cut_by, after, hashes }, list.signature);
}

/** @param {Opening} o @param {Log | null | undefined} log */
async function signature(o, log) {
  const { signatures } = o;
  if (!signatures) throw new Wrong('the opening is not signed');
  const { house } = signatures;
  const of = (/** @type {string} */ what, /** @type {boolean} */ good) =>
    held(good, () => `the signature of ${what} was not made with the house's key ${house}`);
  const signed = async (/** @type {string} */ what, /** @type {object} */ said, /** @type {string} */ by) =>
    of(what, await isSigned(house, said, by));
  if (log)
    held(
      log.house === house,
      () => `the log is from a house with the key ${log.house}; the opening's house has ${house}`,
    );
  of('the commitment', await isCommitmentSigned(house, o, signatures.commitment));
  if (signatures.list != null) {
    const hashes = o.mixed.shares.map(({ hash }) => hash);
    const list = { cut: o.cut, cut_by: o.cut_by, after: o.mixed.after, hashes, signature: signatures.list };
    of('the closed list', await isListSigned(house, o, list));
  }
  const whole = {
    is: 'opening',
    ...committed(o),
    commitment: o.commitment,
    cut: o.cut,
    cut_by: o.cut_by ?? null,
    mixed: { after: o.mixed.after, shares: o.mixed.shares.map(shareText) },
    drawn: o.drawn,
    rounds: o.rounds.map(({ round, cards }) => ({ round, cards })),
  };
  await signed('the opening', whole, signatures.opening);
  if (log) {
    const said = { table: log.table, shoe: log.shoe, commitment: log.commitment.commitment };
    const { list, share } = log;
    of('the commitment in the log', await isCommitmentSigned(house, said, log.commitment.signature));
    if (list) of('the closed list in the log', await isListSigned(house, said, list));
    if (share) {
      const taken = { is: 'share', ...said, place: share.place, hash: share.hash };
      await signed('the acknowledgement in the log', taken, share.signature);
    }
  }
  return `signed with the house's key ${house}`;
}

/**
 * Makes a check. Throws `NotMade` if it cannot be made.
 * @param {string} check @param {() => Promise<string>} find @returns {Promise<Check>}
 */
async function made(check, find) {
  try {
    return { check, holds: true, message: await find() };
  } catch (error) {
    if (error instanceof NotMade) throw error;
    const message = error instanceof Wrong ? error.message : `this is not the opening of a shoe: ${error}`;
    return { check, holds: false, message };
  }
}

/**
 * Verifies an opening by itself and against what was recorded.
 * @param {Opening} opening @param {Against} [against] @returns {Promise<Verdict>}
 */
export async function verify(opening, { log, commitment: noted, nonce: own } = {}) {
  /** @type {(readonly [string, () => Promise<string>])[]} */
  const all = [
    ['composition', () => composition(opening, log)],
    ['commitment', () => commitment(opening, log, noted)],
    ['cut', () => cut(opening, log)],
    ['shares', () => shares(opening, log)],
    ['nonce', () => nonce(opening, log, own)],
    ['mix', () => mix(opening)],
    ['drawn', () => drawn(opening, log)],
    ['seen', () => seen(opening, log)],
    ['signature', () => signature(opening, log)],
  ];
  /** @type {Check[]} */
  const checks = [];
  /** @type {Unchecked[]} */
  const unchecked = [];
  for (const [check, find] of all) {
    try {
      checks.push(await made(check, find));
    } catch (error) {
      unchecked.push({ check, message: /** @type {NotMade} */ (error).message });
    }
  }
  return { holds: checks.every(({ holds }) => holds), checks, unchecked };
}
