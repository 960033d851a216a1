// Shows what the console is waiting for: the next step of the procedure, and the answers that the signed-in role may
// give.

import { decides, placeOf, upWords } from './deskwords.js';
import { sides } from './shoeside.js';
import { cardWords, complain, decimal, h, typed } from '../shared/ui.js';
import { t, term } from '../shared/words.js';

/**
 * @param {import('./console.js').Console} desk
 * @param {{ dealer: boolean, floor: boolean, supervisor: boolean }} who roles of the user at the console; a rehearsal
 * has more than one
 */
export function asked(desk, { dealer, floor, supervisor }) {
  const { button } = desk;
  const awaiting = desk.view.awaiting ?? {};
  /** @type {HTMLElement[]} */
  const acts = [];
  let text = t('console.idle');
  let wantsCard = false;
  switch (awaiting.what) {
    case 'procedure': {
      const step = awaiting.step;
      text = term('step', step);
      if (dealer) {
        const count = step === 'cut' || step === 'place-cutting-card';
        const most = desk.view.shoe.left;
        const input = /** @type {HTMLInputElement} */ (
          h('input', {
            type: 'number',
            min: 0,
            max: most,
            value: step === 'cut' ? Math.floor(most / 2) : Math.ceil(most / 4),
            'aria-label': step === 'cut' ? t('console.cut.before') : t('console.cut.behind'),
          })
        );
        if (count)
          acts.push(
            h(
              'label',
              { class: 'amount' },
              h('span', null, step === 'cut' ? t('console.cut.before') : t('console.cut.behind_short')),
              input,
            ),
          );
        acts.push(
          button(
            t('action.done'),
            () => ({ do: 'perform', step, ...(count ? { number: Number(input.value) } : {}) }),
            'primary',
            'perform',
          ),
        );
      }
      break;
    }
    case 'wagers':
      text = desk.view.boxes.length
        ? t('console.bets_in', { count: desk.view.boxes.length })
        : t('console.wait_for_bets');
      if (dealer && desk.view.boxes.length) acts.push(button(t('log.no_more_bets'), { do: 'close-wagers' }, 'primary'));
      else if (desk.rehearsed) acts.push(desk.players());
      break;
    case 'card': {
      const to = awaiting.to;
      text =
        to === 'dealer'
          ? upWords(desk.view.dealer.hole)
          : to === 'hole'
            ? t('console.deal.hole')
            : to === 'determinant'
              ? t('console.deal.determinant')
              : t('console.deal.to', placeOf(to));
      if (dealer && to === 'hole') acts.push(button(t('console.deal.face_down'), { do: 'face-down' }, 'primary'));
      if (desk.view.exposed && to !== 'hole')
        text = t('console.exposed.next', {
          card: cardWords(desk.view.exposed),
          instruction: text,
        });
      wantsCard = dealer;
      if (desk.rehearsed && to !== 'hole') acts.push(desk.draws());
      if (dealer && to === 'determinant') acts.push(sides(desk));
      break;
    }
    case 'reader':
      text = t('console.reader.label');
      if (dealer)
        acts.push(
          button(t('console.reader.no'), { do: 'reader', blackjack: false }, 'primary', 'reader-no'),
          button(t('felt.blackjack'), { do: 'reader', blackjack: true }, '', 'reader-yes'),
        );
      break;
    case 'offer':
      text = t('console.offer_wait', { offer: term('offer', awaiting.offer), count: awaiting.asked.length });
      break;
    case 'decision':
      text = decides(awaiting, desk.view.boxes);
      if (desk.view.exposed) text += `. ${t('felt.exposed.text', { card: cardWords(desk.view.exposed) })}`;
      break;
    case 'revocation':
      text = t('console.switch.keep', { box: awaiting.box });
      break;
    case 'switch':
      text = t('console.switch.label', { box: awaiting.box });
      break;
    case 'cut':
      text = t('console.cut.offer', { box: awaiting.box });
      break;
    case 'co-bettors':
      text = t('console.co_bettors', { action: awaiting.on });
      break;
    case 'award': {
      text = t('console.bonus.label', { box: awaiting.box });
      const input = /** @type {HTMLInputElement} */ (
        h('input', { inputmode: 'decimal', 'aria-label': t('console.bonus.amount') })
      );
      if (dealer)
        acts.push(
          h('label', { class: 'amount' }, h('span', null, t('console.bonus.amount')), input),
          button(
            t('action.enter'),
            async () => {
              const amount = typed(input.value);
              if (amount) return { do: 'award', box: awaiting.box, bettor: awaiting.bettor, amount: decimal(amount) };
              complain(new Error(t('cage.amount_missing')));
              return null;
            },
            'primary',
            'award',
          ),
        );
      break;
    }
    case 'approval':
      text = t('console.approval', {
        payout: term('payout', awaiting.of),
        box: awaiting.box,
        role: term('role', awaiting.by),
      });
      if (supervisor || (floor && awaiting.by === 'floorperson'))
        acts.push(
          button(
            t('action.approve'),
            { do: 'approve', what: awaiting.of, box: awaiting.box, bettor: awaiting.bettor },
            'primary',
          ),
        );
      break;
    default:
      break;
  }
  return { acts, text, wantsCard };
}
