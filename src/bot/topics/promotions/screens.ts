import type { Page } from '../../../core/page.ts'
import type { PromoCode } from '../../../core/promotions/promo-code.ts'
import { backButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { type Html, lines } from '../../kit/html.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { someOf } from '../../kit/some-of.ts'
import type { View } from '../../kit/view.ts'
import type { PromoActions } from './actions.ts'

export const CODES_PER_PAGE = 8

/** Whose codes the screens show. */
export interface Side {
  readonly actions: PromoActions
  /** Where the list leads back to. */
  readonly exits: (view: View) => Button[]
  /** Whether somebody may make and stop codes here. */
  readonly mayChange: boolean
  /** Who pays for a new code. */
  readonly about: (view: View) => Html
}

export function promoCodesScreen(
  view: View,
  { actions, exits, mayChange, about }: Side,
  { items, total, page, pageSize }: Page<PromoCode>,
): Screen {
  const { texts } = view
  const { promo } = texts
  const button = (code: PromoCode): Button => ({
    text: promo.button(promo.icons[code.state], code.code, discountOf(view, code)),
    data: actions.code.data({ code: code.code }),
  })
  return {
    text: lines(promo.title(total), '', about(view)),
    buttons: [
      ...grid(items.map(button), 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => actions.list.data({ page: to })),
      mayChange ? [{ text: promo.buttons.create, data: actions.create.data(), style: 'primary' }] : [],
      exits(view),
    ],
  }
}

/** @param isNew it was just made */
export function promoCodeScreen(
  view: View,
  { actions, exits, mayChange }: Side,
  promoCode: PromoCode,
  isNew = false,
): Screen {
  const { promo } = view.texts
  const { code, state } = promoCode
  const isOpen = state === 'open'
  return {
    text: lines(...(isNew ? [promo.made, '' as const] : []), ...codeLines(view, promoCode)),
    buttons: [
      isOpen ? [{ text: promo.buttons.copy, copy: promo.share(code, discountOf(view, promoCode)) }] : [],
      mayChange && state !== 'stopped'
        ? [{ text: promo.buttons.stop, data: actions.askStop.data({ code }), style: 'danger' }]
        : [],
      [backButton(view.texts, actions.list.data({})), ...exits(view).slice(-1)],
    ],
  }
}

export function askStopScreen(view: View, { actions, exits }: Side, promoCode: PromoCode): Screen {
  const { promo } = view.texts
  const { code } = promoCode
  return {
    text: lines(...codeLines(view, promoCode), '', promo.askStop),
    buttons: [
      [{ text: promo.buttons.stop, data: actions.stop.data({ code }), style: 'danger' }],
      [backButton(view.texts, actions.code.data({ code })), ...exits(view).slice(-1)],
    ],
  }
}

/** `10 %`, or an amount. */
export function discountOf(
  { currency }: Pick<View, 'currency'>,
  { percent, amount: micros }: Pick<PromoCode, 'percent' | 'amount'>,
): string {
  return percent === null ? amount(micros ?? 0, currency) : `${percent}%`
}

function codeLines(view: View, promoCode: PromoCode): Html[] {
  const { texts, currency } = view
  const { promo } = texts
  const { code, state, agent, products, uses, maxUses, maxUsesPerUser, given, validUntil } = promoCode
  return [
    promo.name(code, `${promo.icons[state]} ${promo.states[state]}`),
    promo.discount(discountOf(view, promoCode)),
    promo.products(products.length === 0 ? undefined : someOf(products, texts)),
    promo.uses(uses, maxUses),
    ...(maxUsesPerUser === null ? [] : [promo.perUser(maxUsesPerUser)]),
    promo.until(validUntil === null ? undefined : texts.dateTime(new Date(validUntil))),
    promo.given(amount(given, currency), agent ?? undefined),
  ]
}
