import { priceAt, type PriceTiers } from '../../../core/catalog/tiers.ts'
import type { AgentPrice } from '../../../core/earnings/agent-prices.ts'
import type { PlannedPrice } from '../../../core/earnings/replace-agent-prices.ts'
import { plannedPrices, type SubUserPrice } from '../../../core/earnings/sub-user-prices.ts'
import { fromNumber } from '../../../core/money.ts'
import { translationIn } from '../../../core/translations.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { figure, pricedUnit } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { listed } from '../../kit/some-of.ts'
import { tiersText } from '../../kit/tiers.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { type PriceBook, type PriceScope, type PriceTarget, setFor } from './price-book.ts'

const PRODUCTS_PER_PAGE = 6
const USERS_PER_PAGE = 8
/** Prices by quantity of one product; more would not fit into a line. */
const TIERS_SHOWN = 4
/** Markups to choose from, in percent. */
const QUICK = [10, 20, 30]

/**
 * What an agent pays for each product, and what all of its sub-users, or one of them, pay.
 *
 * @param note what has just been done
 */
export function pricesScreen(view: View, book: PriceBook, wanted: number, note?: Html): Screen {
  const { texts, language } = view
  const { prices: words, buttons } = texts.earnings
  const { user, products, set, pricedUsers } = book
  const { items, page, pages } = pageOf(products, wanted, PRODUCTS_PER_PAGE)
  const userId = user?.id
  const [everything] = setFor(book, null)
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      user ? words.titleOf(user.username) : words.title,
      '',
      everything ? words.forEverything(priceText(view, [everything])) : undefined,
      set.length > 0 ? undefined : user ? words.nothingSetFor(user.username) : words.nothingSet,
      ...(products.length === 0
        ? [words.noProducts]
        : ['' as const, user ? words.aboutUser(user.username) : words.about]),
      ...items.map((product) =>
        soldLine(view, product, product.sold, setFor(book, product.productNo).length > 0),
      ),
      items.some(({ productNo }) => setFor(book, productNo).length > 0) ? words.setHere : undefined,
      items.some(({ isOfUser }) => isOfUser) ? words.ofUser : undefined,
    ),
    buttons: [
      QUICK.map((percent) => ({
        text: buttons.markup(percent),
        data: EARNINGS.markUp.data({ percent, userId }),
      })),
      [{ text: buttons.everything, data: EARNINGS.setPrice.data({ userId }), style: 'primary' }],
      ...items.map((product): Button[] => [
        {
          text: `${product.onSale ? '' : '⏸ '}${translationIn(product.names, language)}`,
          data: EARNINGS.setPrice.data({ productId: product.productId, userId }),
        },
      ]),
      ...pager(texts, page, pages, (to) => EARNINGS.prices.data({ page: to, userId })),
      user
        ? [{ text: buttons.user(user.username), data: USERS.view.data({ id: user.id, position: AS_LEFT }) }]
        : pricedUsers.length > 0
          ? [{ text: buttons.pricedUsers(pricedUsers.length), data: EARNINGS.pricedUsers.data() }]
          : [],
      [backButton(texts, user ? EARNINGS.prices.data() : EARNINGS.home.data()), homeButton(texts)],
    ],
  }
}

/** Sub-users with prices of their own. */
export function pricedUsersScreen({ texts }: View, users: PriceBook['pricedUsers'], wanted: number): Screen {
  const { prices: words, buttons } = texts.earnings
  const { items, page, pages } = pageOf(users, wanted, USERS_PER_PAGE)
  return {
    text: words.pricedUsers(users.length),
    buttons: [
      ...items.map(({ id, username }): Button[] => [
        { text: buttons.user(username), data: EARNINGS.prices.data({ page: 1, userId: id }) },
      ]),
      ...pager(texts, page, pages, (to) => EARNINGS.pricedUsers.data({ page: to })),
      [backButton(texts, EARNINGS.prices.data()), homeButton(texts)],
    ],
  }
}

/** Asks for a price or a markup. */
export function pricePrompt(view: View, target: PriceTarget, { productId, userId }: PriceScope): Prompt {
  const { texts } = view
  const { prices: words, buttons: labels } = texts.earnings
  const { product, current } = target
  const unit = product && unitOf(view, product)
  const { text, buttons } = promptScreen(
    texts,
    lines(
      title(view, target),
      '',
      ...(product && unit !== undefined
        ? [
            (product.isOfUser ? words.shopGets : words.youPay)(tiersLine(view, product.own), unit),
            words.theyPay(tiersLine(view, product.sold), unit),
          ]
        : []),
      ...(current.length > 0
        ? [words.set(priceText(view, current)), '' as const]
        : product
          ? ['' as const]
          : []),
      product ? words.askPrice : words.askMarkup,
      words.limit(target.terms.limit),
    ),
    EARNINGS.prices.data({ page: 1, userId }),
  )
  const quick = QUICK.map((percent): AnswerButton => ({
    text: labels.markup(percent),
    answer: `${percent}%`,
  }))
  const remove: Button = {
    text: labels.remove,
    data: EARNINGS.removePrice.data({ productId, userId }),
    style: 'danger',
  }
  return { text, buttons: [quick, current.length > 0 ? [remove] : [], ...buttons] }
}

/** Shows what sub-users would pay for confirmation, with one button. */
export function confirmPricePrompt(
  view: View,
  target: PriceTarget,
  planned: readonly PlannedPrice[],
): Prompt {
  const { texts } = view
  const { prices: words, buttons: labels } = texts.earnings
  const preview = pricePreview(target, planned)
  const { text, buttons } = promptScreen(
    texts,
    lines(
      title(view, target),
      '',
      words.confirm,
      ...listed(
        texts,
        preview.map(({ product, tiers }) => soldLine(view, product, tiers, false)),
      ),
      ...(target.product && target.user ? [] : ['' as const, words.others]),
      target.product && isBelow(target.product, planned) ? words.below : undefined,
    ),
    EARNINGS.prices.data({ page: 1, userId: target.user?.id }),
  )
  return { text, buttons: [[{ text: labels.setNow, answer: 'price', style: 'success' }], ...buttons] }
}

/** The products whose price changes, and what sub-users would pay. Products with a price of their own keep it. */
function pricePreview(target: PriceTarget, planned: readonly PlannedPrice[]) {
  const changed = target.product
    ? [target.product]
    : target.products.filter(({ productNo }) => setFor(target, productNo).length === 0)
  return changed.map((product) => ({ product, tiers: plannedPrices(product, planned, target.terms) }))
}

function isBelow({ own }: SubUserPrice, planned: readonly PlannedPrice[]): boolean {
  return planned.some(
    ({ minQuantity = 1, price }) =>
      typeof price === 'number' && (fromNumber(price) ?? 0) < (priceAt(own, minQuantity) ?? 0),
  )
}

function title({ texts, language }: View, { product, user }: PriceTarget): Html {
  const { prices: words } = texts.earnings
  return words.whose(product ? translationIn(product.names, language) : words.everything, user?.username)
}

function soldLine(view: View, product: SubUserPrice, sold: PriceTiers, isSet: boolean): Html {
  const { texts, language } = view
  const [own, theirs] = [tiersLine(view, product.own), tiersLine(view, sold)]
  const { line, offSale } = texts.earnings.prices
  const name = translationIn(product.names, language)
  return line(
    product.onSale ? name : offSale(name),
    product.isOfUser ? `🏪 ${own}` : own,
    theirs,
    unitOf(view, product),
    isSet,
  )
}

/** `USD / month`, `USD / GB` */
function unitOf({ texts, currency }: View, product: SubUserPrice): string {
  return product.pool === null
    ? pricedUnit(product, currency, texts)
    : `${currency} / ${texts.units.gigabytes}`
}

/** `4.50 (10+: 4.00)` */
function tiersLine({ texts }: View, tiers: PriceTiers): string {
  const { from, tiered } = texts.earnings.prices
  const shown = tiers.slice(0, TIERS_SHOWN)
  const single = shown.find(([quantity]) => quantity === 1)?.[1]
  const others = shown
    .filter(([quantity]) => quantity > 1)
    .map(([quantity, price]) => from(quantity, figure(price)))
  const rest = texts.list([...others, ...(tiers.length > shown.length ? ['…'] : [])])
  return tiered(single === undefined ? undefined : figure(single), rest)
}

/** `+20 %`, or fixed prices as they are typed */
function priceText({ texts }: View, prices: readonly AgentPrice[]): string {
  const { markup } = texts.earnings.prices
  return texts.list(
    prices.map(({ minQuantity, markupPercent, price }) =>
      markupPercent === null ? tiersText(texts, [{ minQuantity, price: price ?? 0 }]) : markup(markupPercent),
    ),
  )
}
