import { isDead } from '../../../core/checks/health.ts'
import { addressOf } from '../../../core/proxy-formats.ts'
import type { CancellationQuote } from '../../../core/orders/quote-cancellation.ts'
import type { RenewalQuote } from '../../../core/orders/quote-renewal.ts'
import type { Instance, StaticOrder } from '../../../core/orders/static-order.ts'
import { translationIn } from '../../../core/translations.ts'
import { CHANGE_STEPS, ORDERS, PROXIES, REPLACE } from '../../actions/orders.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { listed } from '../../kit/some-of.ts'
import { packTerm, termLabel, termsOf } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { balanceLine, balanceLines, payRows, payerOf, proxyQuoteLines, shortLines } from './quote.ts'
import { type OrderChange } from './order-change.ts'
import { proxyLabel } from './proxy-screens.ts'

const PER_PAGE = 8

/** A proxy of an order with its position there. */
export interface Numbered {
  readonly instance: Instance
  readonly position: number
}

/** An order, and those of its proxies that can be renewed, or released. */
export interface Subject {
  readonly order: StaticOrder
  readonly possible: readonly Numbered[]
  /** Those of the possible ones that are picked. */
  readonly picked: readonly Numbered[]
  /** Name of the sub-user whose order it is. */
  readonly ofUser: string | undefined
}

/** Asks which proxies, one by one. */
export function pickScreen(view: View, change: OrderChange, subject: Subject, wanted: number): Screen {
  const { texts } = view
  const { order, possible, picked } = subject
  const { choose } = texts.orders
  const { items, page, pages } = pageOf(possible, wanted, PER_PAGE)
  const chosen = new Set(picked.map(({ position }) => position))
  const buttons = items.map(({ instance, position }): Button[] => {
    const on = chosen.has(position)
    return [
      {
        // The check mark of an active proxy is left out: it would look as if the proxy were picked.
        text: `${on ? '☑️' : '⬜️'} ${instance.status === 'active' && !isDead(instance) ? addressOf(instance) : proxyLabel(view, instance)}`,
        data: CHANGE_STEPS.data(change, 'set', { position, on: !on, page }),
      },
    ]
  })
  return {
    text: lines(
      ...heading(view, change, subject),
      '',
      texts.orders[change.act].which(picked.length, possible.length),
    ),
    buttons: [
      ...buttons,
      ...pager(texts, page, pages, (to) => CHANGE_STEPS.data(change, 'pick', { page: to })),
      [
        { text: choose.all, data: CHANGE_STEPS.data(change, 'all', { on: true, page }) },
        { text: choose.none, data: CHANGE_STEPS.data(change, 'all', { on: false, page }) },
      ],
      picked.length > 0
        ? [{ text: choose.goOn(picked.length), data: CHANGE_STEPS.data(change, 'next'), style: 'primary' }]
        : [],
      [backButton(texts, ORDERS.view.data({ id: order.id })), homeButton(texts)],
    ],
  }
}

/** Asks whether dead proxies are to be renewed, too. */
export function renewDeadScreen(view: View, change: OrderChange, subject: Subject): Screen {
  const { texts } = view
  const { order, picked } = subject
  const dead = picked.filter(({ instance }) => isDead(instance))
  const { length } = picked
  const [first] = dead
  return {
    text: lines(
      ...heading(view, change, subject),
      '',
      html`<b>${texts.orders.dead(dead.length, length)}</b>`,
      ...listed(
        texts,
        dead.map(({ instance }) => html`<code>${addressOf(instance)}</code>`),
      ),
      '',
      texts.orders.renew.dead.why,
    ),
    buttons: [
      ...renewDeadRows(texts, { dead: dead.length, of: length }, (on) =>
        CHANGE_STEPS.data(change, 'dead', { on }),
      ),
      [
        first && dead.length === 1
          ? {
              text: texts.orders.replace.button,
              data: REPLACE.begin.data({ id: order.id, position: first.position }),
            }
          : {
              text: texts.orders.renew.dead.which,
              data: PROXIES.list.data({
                filter: 'dead',
                user: subject.ofUser === undefined ? undefined : order.userId,
              }),
            },
      ],
      [backToPick(texts, change, subject), homeButton(texts)],
    ],
  }
}

/** Buttons that renew without the dead proxies, or with them. */
export function renewDeadRows(
  { orders }: Texts,
  { dead, of }: { readonly dead: number; readonly of: number },
  data: (withDead: boolean) => string,
): Button[][] {
  const words = orders.renew.dead
  return [
    dead < of ? [{ text: words.without(of - dead), data: data(false), style: 'primary' }] : [],
    [{ text: words.anyway(of), data: data(true) }],
  ]
}

/** Asks for how long to renew. */
export function renewalTermsScreen(view: View, change: OrderChange, subject: Subject): Screen {
  const { texts } = view
  const buttons = termsOf(subject.order).map((term): Button => {
    const code = packTerm(term)
    return { text: termLabel(code, texts), data: CHANGE_STEPS.data(change, 'term', { term: code }) }
  })
  return {
    text: lines(
      ...heading(view, change, subject),
      texts.orders.order(subject.picked.length, subject.order.instances.length),
      '',
      texts.buy.steps.term,
    ),
    buttons: [...grid(buttons, 2), [backToPick(texts, change, subject), homeButton(texts)]],
  }
}

/** Shows what a renewal costs and does, for confirmation. */
export function renewalConfirmScreen(
  view: View,
  change: OrderChange,
  subject: Subject,
  quote: RenewalQuote,
): Screen {
  const { texts } = view
  const { order, ofUser } = subject
  const payer = payerOf(order.userId, ofUser)
  const ends = quote.instances.map(({ newExpireTime }) => newExpireTime)
  return {
    text: lines(
      ...heading(view, change, subject),
      texts.orders.order(subject.picked.length, order.instances.length),
      texts.buy.chosen.term(termLabel(change.term ?? '', texts)),
      newEnds(texts, ends),
      '',
      ...proxyQuoteLines(texts, payer, quote, {
        product: order,
        periods: quote.instances[0]?.periods ?? 1,
        most: subject.possible.length,
      }),
      ...shortLines(view, payer, quote),
    ),
    buttons: [
      ...payRows(view, payer, quote, {
        text: texts.orders.renew.confirm(amount(quote.totalAmount, quote.currency)),
        // The most that this press may cost; the server's own price is charged.
        data: CHANGE_STEPS.data(change, 'do', {
          confirmationKey: change.confirmationKey,
          limit: quote.totalAmount,
        }),
      }),
      [
        termsOf(order).length > 1
          ? backButton(texts, CHANGE_STEPS.data(change, 'terms'))
          : backToPick(texts, change, subject),
        homeButton(texts),
      ],
    ],
  }
}

/** Shows what a release takes and gives back, for confirmation. */
export function releaseConfirmScreen(
  view: View,
  change: OrderChange,
  subject: Subject,
  quote: CancellationQuote,
): Screen {
  const { texts } = view
  const { release } = texts.orders
  const { order, picked } = subject
  return {
    text: lines(
      ...heading(view, change, subject),
      texts.orders.order(picked.length, order.instances.length),
      ...listed(
        texts,
        picked.map(({ instance }) => texts.buy.listed(addressOf(instance))),
      ),
      '',
      ...refundLines(texts, subject, quote),
      '',
      release.final,
    ),
    buttons: [
      [
        {
          text: release.confirm(picked.length),
          // The least that must be refunded: the time for refunds may end before the press.
          data: CHANGE_STEPS.data(change, 'do', {
            confirmationKey: change.confirmationKey,
            limit: quote.refundAmount,
          }),
          style: 'danger',
        },
      ],
      [backToPick(texts, change, subject), homeButton(texts)],
    ],
  }
}

function refundLines(texts: Texts, { order, ofUser }: Subject, quote: CancellationQuote): Html[] {
  const { release } = texts.orders
  const until = texts.dateTime(new Date(quote.refundUntil))
  if (quote.refundAmount === 0 && quote.keptBack === 0)
    return [order.refundHours > 0 ? release.noRefund(until) : release.neverRefund]
  return [
    release.refund(amount(quote.refundAmount, quote.currency), until),
    ...(quote.keptBack > 0 ? [release.keptBack(amount(quote.keptBack, quote.currency), quote.staying)] : []),
    ...balanceLines(texts, ofUser, quote),
  ]
}

/** Shows the outcome of a renewal or release. */
export function changeDoneScreen(
  view: View,
  act: OrderChange['act'],
  done: NonNullable<OrderChange['done']>,
  { order, ofUser }: Pick<Subject, 'order' | 'ofUser'>,
): Screen {
  const { texts, currency } = view
  const moved = amount(done.amount, currency)
  return {
    text: lines(
      done.processing ? texts.orders.renew.accepted(done.count) : texts.orders[act].done(done.count),
      '',
      ...(ofUser === undefined ? [] : [texts.orders.user(ofUser)]),
      texts.orders.number(order.orderNo),
      ...(act === 'renew'
        ? [...(done.processing ? [] : [newEnds(texts, done.ends)]), texts.orders.renew.paid(moved)]
        : [texts.orders.refunded(moved)]),
      balanceLine(texts, ofUser, done.balance, currency),
      ...(done.processing ? ['' as const, texts.orders.renew.follows] : []),
    ),
    buttons: [
      [{ text: texts.buttons.openOrder, data: ORDERS.view.data({ id: order.id }) }, homeButton(texts)],
    ],
    ...(done.processing && { follows: { kind: 'order', orderNo: order.orderNo } }),
  }
}

function heading({ texts, language }: View, { act }: OrderChange, { order, ofUser }: Subject): (Html | '')[] {
  return [
    texts.orders[act].title,
    '',
    ...(ofUser === undefined ? [] : [texts.orders.user(ofUser)]),
    texts.orders.number(order.orderNo),
    texts.buy.chosen.product(translationIn(order.productNames, language)),
  ]
}

/** @param times ISO 8601 */
function newEnds(texts: Texts, times: readonly string[]): Html {
  const sorted = times.toSorted().map((time) => texts.dateTime(new Date(time)))
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)]
  return first === last ? texts.orders.renew.newEnd(first) : texts.orders.renew.newEnds(first, last)
}

/** Leads back to the proxy where it began, to the picking, or to the order when there was nothing to pick. */
function backToPick(texts: Texts, change: OrderChange, { order, possible }: Subject): Button {
  if (change.at !== undefined)
    return backButton(texts, ORDERS.proxy.data({ id: order.id, position: change.at }))
  return backButton(
    texts,
    possible.length > 1 ? CHANGE_STEPS.data(change, 'pick', { page: 1 }) : ORDERS.view.data({ id: order.id }),
  )
}
