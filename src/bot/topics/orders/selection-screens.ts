import { isDead } from '../../../core/checks/health.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { Micros } from '../../../core/money.ts'
import type { QuotedPart, TogetherQuote } from '../../../core/orders/renew-together.ts'
import type { RenewableProxy } from '../../../core/orders/renewable-proxies.ts'
import { translationIn } from '../../../core/translations.ts'
import { PROXIES, SELECTION_STEPS } from '../../actions/orders.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { errorText } from '../../kit/errors.ts'
import { amount, periodPrice, placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { progressLine } from '../../kit/progress.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { listed } from '../../kit/some-of.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { balanceLine, balanceLines, payRows, payerOf, shortLines } from './quote.ts'
import { renewDeadRows } from './change-screens.ts'
import { ALL_IN_USE } from './proxies-screens.ts'
import { commonTerms, endsSoon, type Selection } from './selection.ts'

const PER_PAGE = 6
/** Terms with a button; others can be typed. */
const MOST_TERMS = 5

/** Name of the conversation of a selection. */
export const SELECTING = 'proxies.selection'

/** The proxies that there are to choose from. */
export interface Choice {
  readonly proxies: readonly RenewableProxy[]
  /** Whether there are more of them. */
  readonly more: boolean
}

/**
 * Many proxies of a user, whatever orders they came with: which ones, for how long, and what that costs (rules 5.30).
 *
 * @param quote of those that are chosen; undefined when there are none
 */
export function selectionScreen(
  view: View,
  selection: Selection,
  choice: Choice,
  quote: TogetherQuote | undefined,
  wanted = 1,
): Screen {
  const { texts, now } = view
  const { buttons: labels, ...words } = texts.selection
  const { proxies } = choice
  const payer = payerOf(selection.userId, selection.ofUser)
  const chosen = new Set(selection.chosen)
  const { items, page, pages } = pageOf(proxies, wanted, PER_PAGE)
  const soon = proxies.filter(endsSoon(now)).length
  const count = quote?.parts.reduce((sum, part) => sum + part.items.length, 0) ?? 0
  const step = SELECTION_STEPS
  return {
    takes: { question: SELECTING, state: { id: selection.id } },
    text: lines(
      words.title,
      '',
      ...(selection.ofUser === undefined ? [] : [texts.orders.user(selection.ofUser)]),
      ...narrowedLines(view, selection, proxies),
      words.chosen(chosen.size, proxies.length),
      choice.more ? words.more(proxies.length) : undefined,
      '',
      ...(quote ? quoteLines(view, selection, proxies, quote) : [words.nothing]),
      ...(quote && count > 0 ? shortLines(view, payer, quote) : []),
      '',
      words.orType,
    ),
    buttons: [
      ...(quote && count > 0
        ? payRows(view, payer, quote, {
            text: words.confirm(count, amount(quote.totalAmount, quote.currency)),
            // The most that this press may cost; the server's own price is charged.
            data: step.data(selection, 'renew', {
              confirmationKey: selection.confirmationKey,
              limit: quote.totalAmount,
              dead: false,
            }),
          })
        : []),
      [
        ...(soon > 0
          ? [{ text: labels.soon(soon), data: step.data(selection, 'choose', { by: 'soon' }) }]
          : []),
        { text: labels.all, data: step.data(selection, 'choose', { by: 'all' }) },
        { text: labels.none, data: step.data(selection, 'choose', { by: 'none' }) },
      ],
      ...items.map((proxy) => {
        const alone = proxies.filter(({ ip }) => ip === proxy.ip).length === 1
        return [proxyButton(view, selection, proxy, { alone, on: chosen.has(proxy.id), page })]
      }),
      ...pager(texts, page, pages, (to) => step.data(selection, 'show', { page: to })),
      ...grid(termButtons(view, selection, proxies), 2),
      ...(chosen.size > 0
        ? [
            [
              { text: labels.autoOn, data: step.data(selection, 'auto', { on: true }) },
              { text: labels.autoOff, data: step.data(selection, 'auto', { on: false }) },
            ],
            [{ text: labels.note, data: step.data(selection, 'note') }],
          ]
        : []),
      [backButton(texts, listData(selection)), homeButton(texts)],
    ],
  }
}

function narrowedLines(
  { texts, language }: View,
  { product, country }: Selection,
  [first]: readonly RenewableProxy[],
): Html[] {
  const parts = [
    ...(product !== undefined && first ? [translationIn(first.productNames, language)] : []),
    ...(country === undefined ? [] : [placeName({ countryCode: country }, language)]),
  ]
  return parts.length > 0 ? [texts.proxies.chosen(parts.join(' · '))] : []
}

/** Says what the chosen proxies cost by product, when they end after that, and how many cannot be renewed. */
function quoteLines(
  view: View,
  { ofUser, term }: Selection,
  proxies: readonly RenewableProxy[],
  quote: TogetherQuote,
): Html[] {
  const { texts, language } = view
  const { buy, selection: words } = texts
  const products = new Map(proxies.map((proxy) => [proxy.productId, proxy]))
  const { parts, currency, refused } = quote
  const priced = pricedTogether(parts)
  const ends = parts.flatMap(({ items }) => items.map(({ newExpireTime }) => newExpireTime))
  return [
    words.term(term === undefined ? words.asBought : termLabel(term, texts)),
    ...priced.flatMap(({ count, periods, unitPrice, nextTier, order }) => {
      const product = products.get(order.productId)
      const per = (price: number) => periodPrice(price, order, currency, texts)
      const name = product ? translationIn(product.productNames, language) : order.productNo
      return [
        words.line(name, count, per(unitPrice), periods),
        ...(nextTier && nextTier.minQuantity <= proxies.length
          ? [buy.nextTier(nextTier.minQuantity, per(nextTier.price))]
          : []),
      ]
    }),
    ...[...countBy(refused)].map(([error, count]) => words.refused(count, errorText(texts, error))),
    ...(ends.length > 0
      ? [
          newEnds(view, ends),
          buy.total(amount(quote.totalAmount, currency)),
          ...balanceLines(texts, ofUser, quote),
        ]
      : []),
  ]
}

/** Proxies of one product with the same price and number of periods. */
interface Priced extends Pick<QuotedPart, 'order' | 'unitPrice' | 'nextTier'> {
  readonly count: number
  readonly periods: number
}

function pricedTogether(parts: readonly QuotedPart[]): Priced[] {
  const priced = new Map<string, Priced>()
  for (const { order, unitPrice, nextTier, items } of parts) {
    const periods = items[0]?.periods ?? 0
    const key = `${order.productId} ${unitPrice} ${periods}`
    const count = (priced.get(key)?.count ?? 0) + items.length
    priced.set(key, { order, unitPrice, nextTier, periods, count })
  }
  return [...priced.values()]
}

function countBy(refused: TogetherQuote['refused']) {
  const counts = new Map<TogetherQuote['refused'][number]['error'], number>()
  for (const { error, instances } of refused) counts.set(error, (counts.get(error) ?? 0) + instances.length)
  return counts
}

/** @param times ISO 8601 */
function newEnds({ texts }: View, times: readonly string[]): Html {
  const sorted = times.toSorted().map((time) => texts.dateTime(new Date(time)))
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)]
  return first === last ? texts.orders.renew.newEnd(first) : texts.orders.renew.newEnds(first, last)
}

/**
 * The button of a proxy: address, end, and whether it is dead or renews itself.
 *
 * @param shown.alone whether no other proxy is on its address: then it needs no port, which would make the label too long
 */
function proxyButton(
  { texts, now }: View,
  selection: Selection,
  proxy: RenewableProxy,
  { alone, on, page }: { readonly alone: boolean; readonly on: boolean; readonly page: number },
): Button {
  const { id, ip, autoRenew, expireTime } = proxy
  const sign = isDead(proxy) ? '🔴' : autoRenew ? '🔁' : '→'
  return {
    text: `${on ? '☑️' : '⬜️'} ${alone ? ip : addressOf(proxy)} ${sign} ${texts.shortDate(new Date(expireTime), now)}`,
    data: SELECTION_STEPS.data(selection, 'set', { proxy: id, on: !on, page }),
  }
}

function termButtons({ texts }: View, selection: Selection, proxies: readonly RenewableProxy[]): Button[] {
  const chosen = proxies.filter(({ id }) => selection.chosen.includes(id))
  if (chosen.length === 0) return []
  const codes = commonTerms(chosen)
  const { term } = selection
  const shown = codes.slice(0, MOST_TERMS)
  const all = term === undefined || shown.includes(term) ? shown : [...shown, term]
  return [
    choiceButton(
      texts.selection.asBought,
      term === undefined,
      SELECTION_STEPS.data(selection, 'term', { term: '' }),
    ),
    ...all.map((code) =>
      choiceButton(
        termLabel(code, texts),
        code === term,
        SELECTION_STEPS.data(selection, 'term', { term: code }),
      ),
    ),
  ]
}

/** Asks whether dead proxies are to be renewed, too. */
export function selectionDeadScreen(
  { texts, currency }: View,
  selection: Selection,
  dead: readonly RenewableProxy[],
  quote: Pick<TogetherQuote, 'totalAmount'>,
): Screen {
  const { chosen, confirmationKey } = selection
  const { totalAmount: limit } = quote
  const step = SELECTION_STEPS
  return {
    text: lines(
      texts.selection.title,
      '',
      html`<b>${texts.orders.dead(dead.length, chosen.length)}</b>`,
      ...listed(
        texts,
        dead.map((proxy) => html`<code>${addressOf(proxy)}</code>`),
      ),
      '',
      texts.orders.renew.dead.why,
      texts.buy.total(amount(limit, currency)),
    ),
    buttons: [
      ...renewDeadRows(texts, { dead: dead.length, of: chosen.length }, (on) =>
        on
          ? step.data(selection, 'renew', { confirmationKey, limit, dead: true })
          : step.data(selection, 'choose', { by: 'alive' }),
      ),
      [{ text: texts.orders.renew.dead.which, data: listData(selection, 'dead') }],
      [backButton(texts, step.data(selection, 'show', { page: 1 })), homeButton(texts)],
    ],
  }
}

/** What suppliers have answered to the renewals that had to wait for them. */
export interface Answers {
  /** Numbers of proxies: not answered yet, and not renewed. */
  readonly waiting: number
  readonly failed: number
  /** What was given back for those that were not renewed. */
  readonly refunded: Micros
}

/** Shows the outcome of a renewal; while suppliers are waited for, how many have answered. */
export function selectionDoneScreen(
  view: View,
  selection: Selection,
  { count, amount: paid, balance, ends, waiting: total, since }: NonNullable<Selection['done']>,
  { waiting, failed, refunded }: Answers,
): Screen {
  const { texts, currency, now } = view
  const progress = { done: total - waiting, total, since: new Date(since) }
  return {
    text: lines(
      texts.selection.done(count - failed),
      '',
      ...(selection.ofUser === undefined ? [] : [texts.orders.user(selection.ofUser)]),
      newEnds(view, ends),
      texts.orders.renew.paid(amount(paid, currency)),
      balanceLine(texts, selection.ofUser, balance, currency),
      ...(failed > 0 ? ['' as const, texts.selection.failed(failed, amount(refunded, currency))] : []),
      ...(waiting > 0
        ? ['' as const, texts.selection.waiting(waiting), progressLine(texts, progress, now)]
        : []),
    ),
    buttons: [[{ text: texts.buttons.proxies, data: listData(selection) }, homeButton(texts)]],
    ...(waiting > 0 && { follows: { kind: 'renewals', accountId: selection.userId } }),
  }
}

/** Asks for the note of all chosen proxies. */
export function noteOfManyScreen({ texts }: View, selection: Selection): Screen {
  return promptScreen(
    texts,
    texts.selection.noteQuestion(selection.chosen.length),
    SELECTION_STEPS.data(selection, 'show', { page: 1 }),
  )
}

/** Returns callback data of the list from which the selection began. */
function listData({ ofUser, userId, product, country }: Selection, filter = ALL_IN_USE.filter): string {
  const user = ofUser === undefined ? undefined : userId
  return PROXIES.list.data({ filter, user, product, country, page: 1 })
}
