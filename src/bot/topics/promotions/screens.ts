import type { Page } from '../../../core/page.ts'
import type { PromoCode } from '../../../core/promotions/promo-code.ts'
import type { PromoEffect, PromoEffects } from '../../../core/promotions/promo-effects.ts'
import { translationIn } from '../../../core/translations.ts'
import type { PromoActions } from '../../actions/promotions.ts'
import { backButton } from '../../kit/buttons.ts'
import { amount, figure } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { listed, someOf } from '../../kit/some-of.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

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
  /** Where what a code takes off is at most what the maker earns. */
  readonly paysByEarning: boolean
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
    name: code.code,
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

/**
 * @param effects what it takes off at the present prices
 * @param isNew it was just made
 */
export function promoCodeScreen(
  view: View,
  side: Side,
  promoCode: PromoCode,
  effects: PromoEffects,
  isNew = false,
): Screen {
  const { promo } = view.texts
  const { actions, exits, mayChange } = side
  const { code, state } = promoCode
  const isOpen = state === 'open'
  const announcement = isOpen ? announcementOf(view, promoCode, effects) : undefined
  return {
    text: lines(
      ...(isNew ? [promo.made, '' as const] : []),
      ...codeLines(view, promoCode),
      ...(isOpen ? (['', ...effectLines(view, side, effects)] as const) : []),
    ),
    buttons: [
      announcement === undefined ? [] : [{ text: promo.buttons.copy, copy: announcement }],
      mayChange && state !== 'stopped'
        ? [{ text: promo.buttons.stop, data: actions.askStop.data({ code }), style: 'danger' }]
        : [],
      [backButton(view.texts, actions.list.data({})), ...exits(view).slice(-1)],
    ],
  }
}

/** What a code takes off each product at the present prices. */
export function effectLines(
  view: View,
  { paysByEarning }: Pick<Side, 'paysByEarning'>,
  { products, othersPay, cover }: PromoEffects,
): Html[] {
  const { texts, language, currency } = view
  const { effects: words } = texts.promo
  if (products.every((each) => !isGiven(each)))
    return [paysByEarning ? words.nothingEarned : words.nothingSold]
  const each = products.map((effect) => {
    const { price, discount, leastPercent, mostPercent } = effect
    const name = translationIn(effect.names, language)
    if (!isGiven(effect)) return words.nothing(name, figure(price))
    const percent = leastPercent === mostPercent ? `${mostPercent}` : `${leastPercent}–${mostPercent}`
    return words.line(name, figure(price), figure(price - discount), percent)
  })
  return [
    words.title,
    ...listed(texts, each),
    ...(cover === null
      ? paysByEarning && products.some(({ isWhole }) => !isWhole)
        ? [words.atMostEarned]
        : []
      : [words.covered(amount(cover, currency))]),
    ...(othersPay ? [words.others] : []),
  ]
}

function isGiven({ discount, mostPercent }: PromoEffect): boolean {
  return discount > 0 || mostPercent > 0
}

/** Most characters of a text that a button copies (Bot API). */
const LONGEST_COPY = 256

/**
 * The text that tells customers of a code: no more than what it takes off at the present prices.
 *
 * @returns undefined while it takes nothing off
 */
function announcementOf(view: View, promoCode: PromoCode, effects: PromoEffects): string | undefined {
  const { share } = view.texts.promo
  const { code, percent, agentId } = promoCode
  const { products, othersPay, cover } = effects
  const text = (off: string) =>
    share.text(code, cover === null || cover === 0 ? off : share.whileItLasts(off))
  const given = products.filter((effect) =>
    percent === null || agentId === null ? isGiven(effect) : effect.mostPercent >= 1,
  )
  if (given.length === 0) return undefined
  const named = (some: readonly PromoEffect[]) =>
    some.length === products.length && promoCode.products.length === 0
      ? undefined
      : view.texts.list(some.map((effect) => translationIn(effect.names, view.language)))
  const isWhole = !othersPay && given.every((effect) => effect.isWhole)
  const full = discountOf(view, promoCode)
  if (percent === null || agentId === null || isWhole) {
    const discount = isWhole ? full : share.upTo(full)
    const off = percent !== null && agentId === null ? share.offShops : share.off
    return fitting(text(off(discount, named(given))), text(off(discount, share.someProducts)))
  }
  // What a percentage of an agent comes to, product by product.
  const offOf = ({ leastPercent, mostPercent }: PromoEffect) => {
    const [least, most] = [Math.floor(leastPercent), Math.floor(mostPercent)]
    return least === most && !othersPay ? `${most}%` : share.upTo(`${most}%`)
  }
  const most = Math.floor(Math.max(...given.map(({ mostPercent }) => mostPercent)))
  const [one, ...others] = [...new Set(given.map(offOf))]
  const each =
    one !== undefined && others.length === 0
      ? share.off(one, named(given))
      : view.texts.list(
          given.map((effect) => share.off(offOf(effect), translationIn(effect.names, view.language))),
        )
  return fitting(text(each), text(share.off(share.upTo(`${most}%`), share.someProducts)))
}

function fitting(text: string, shorter: string): string {
  return text.length <= LONGEST_COPY ? text : shorter
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
  const { balanceLimit, balanceUsed } = promoCode
  return [
    promo.name(code, `${promo.icons[state]} ${promo.states[state]}`),
    promo.discount(discountOf(view, promoCode)),
    promo.products(products.length === 0 ? undefined : someOf(products, texts)),
    promo.uses(uses, maxUses),
    ...(maxUsesPerUser === null ? [] : [promo.perUser(maxUsesPerUser)]),
    promo.until(validUntil === null ? undefined : texts.dateTime(new Date(validUntil))),
    promo.given(amount(given, currency), agent ?? undefined),
    ...(balanceLimit === null
      ? []
      : [promo.ofBalance(amount(balanceUsed, currency), amount(balanceLimit, currency))]),
  ]
}
