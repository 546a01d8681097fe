import type { AskedForMoney } from '../../../core/accounts/ask-for-money.ts'
import type { Micros } from '../../../core/money.ts'
import type { Page } from '../../../core/page.ts'
import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
import type { CheckedTopUp } from '../../../core/top-ups/check-top-up.ts'
import { creditedUntil, type TopUpTerms } from '../../../core/top-ups/top-up-terms.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import { creditFor, type Usdt, usdtFor, usdtText } from '../../../core/usdt.ts'
import { RECEIPTS } from '../../actions/receipts.ts'
import { supportButtons } from '../../actions/support.ts'
import { TOP_UP, resumeButton } from '../../actions/top-ups.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount, balanceText, usdt } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { claimButton, explorerButton, offerText } from './payment-screens.ts'

/** Name of the conversation of a top-up. */
export const TOPPING_UP = 'top-up'

/** State of the conversation: the key that makes the top-up's number, and what a purchase lacks. */
export interface ToppingUp {
  readonly confirmationKey: string
  readonly missing?: Micros | undefined
}

export const TOP_UPS_PER_PAGE = 6
const QUICK = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
const MINUTE_MS = 60_000

/**
 * @param missing what a purchase, or a renewal to come, lacks
 * @param back callback data of the purchase
 */
export function noTopUpsScreen(view: View, missing?: Micros, back?: string): Screen {
  const { texts, askWhom } = view
  const ask: Button[] =
    missing === undefined || askWhom === undefined
      ? []
      : [{ text: texts.buy.ask[askWhom], data: TOP_UP.ask.data({ missing }), style: 'primary' }]
  return {
    text: texts.topUps.off,
    buttons: [ask, help(view, missing), [...backTo(texts, back), homeButton(texts)]],
  }
}

/** Says who was asked for money, or whom to write to personally where no chat received the request. */
export function askedScreen(
  { texts, currency }: View,
  { agent, told, declined }: AskedForMoney,
  missing: Micros,
  back?: string,
): Screen {
  const { requested, askYourself, askedInVain } = texts.topUps
  const sum = amount(missing, currency)
  return {
    text: declined ? askedInVain(agent) : told ? requested(agent, sum) : askYourself(agent, sum),
    buttons: [[...backTo(texts, back), homeButton(texts)]],
  }
}

/**
 * Replaces a screen that waited for money once some has arrived.
 *
 * @param username account that received it; undefined for the person's own
 * @param missing what is still missing; 0 or less when nothing is
 * @param resume callback data of the purchase
 */
export function moneyArrivedScreen(
  { texts, currency }: Pick<View, 'texts' | 'currency'>,
  {
    username,
    balance,
    missing,
    resume,
  }: {
    username: string | undefined
    balance: Micros
    missing: Micros
    resume: string
  },
): Screen {
  const { buy, topUps } = texts
  return {
    text: lines(
      topUps.arrived,
      '',
      username === undefined
        ? buy.balance(balanceText(balance, currency))
        : buy.balanceOf(username, balanceText(balance, currency)),
      missing > 0 ? topUps.stillShort(amount(missing, currency)) : topUps.enough,
    ),
    buttons: [...grid(resumeButton({ texts }, { reference: resume }), 1), [homeButton(texts)]],
  }
}

/**
 * Asks how much to top up.
 *
 * @param confirmationKey makes the number of the top-up that a button opens
 * @param purchase the one that is short of money: what it lacks, and callback data that leads back to it
 */
export function amountsScreen(
  view: View,
  network: NetworkTraits,
  terms: TopUpTerms,
  confirmationKey: string,
  purchase: {
    readonly missing?: Micros
    readonly back?: string | undefined
  } = {},
): Screen {
  const { texts, currency } = view
  const { missing, back } = purchase
  const open = (units: Usdt) => TOP_UP.open.data({ amount: usdtText(units), confirmationKey })
  const enough =
    missing === undefined ? undefined : Math.min(Math.max(usdtFor(missing, terms.rate), terms.min), terms.max)
  const quick = QUICK.map((whole) => whole * 1_000_000)
    // Less would not complete the purchase.
    .filter((units) => units >= terms.min && units <= terms.max && units > (enough ?? 0))
    .map((units): Button => ({ text: texts.topUps.buttons.amount(shortText(units)), data: open(units) }))
  return {
    takes: { question: TOPPING_UP, state: { confirmationKey, missing } satisfies ToppingUp },
    text: lines(
      texts.topUps.title,
      '',
      ...(missing === undefined ? [] : [texts.topUps.missing(amount(missing, currency)), '' as const]),
      texts.topUps.choose(
        network.name.full,
        amount(terms.rate, currency),
        shortText(terms.min),
        shortText(terms.max),
      ),
    ),
    buttons: [
      enough === undefined
        ? []
        : [{ text: texts.topUps.buttons.topUp(usdt(enough)), data: open(enough), style: 'success' }],
      ...grid(quick, 3),
      [{ text: texts.topUps.buttons.history, data: TOP_UP.history.data({ page: 1 }) }],
      missing === undefined || !view.hasAgent
        ? []
        : [{ text: texts.buy.ask.agent, data: TOP_UP.ask.data({ missing }) }],
      missing === undefined ? [] : help(view, missing),
      [...backTo(texts, back), homeButton(texts)],
    ],
  }
}

/** @param missing amount that the request to support is about */
function help(view: View, missing?: Micros): Button[] {
  return supportButtons(
    view,
    missing === undefined ? undefined : { subject: 'money', reference: String(missing) },
  )
}

function backTo(texts: View['texts'], back: string | undefined): Button[] {
  return back === undefined ? [] : [backButton(texts, back)]
}

/**
 * A top-up as it stands: how to pay it, how far the payment is, or how it ended.
 *
 * @param picture the QR code, or a sign; see `topUpPicture`
 */
export function topUpScreen(
  view: View,
  network: NetworkTraits,
  topUp: CheckedTopUp,
  picture: string,
): Screen {
  const { texts } = view
  const { status, orderNo, offered } = topUp
  const open = status === 'pending'
  const awaited = open || status === 'confirming'
  const failed = status === 'expired' || status === 'cancelled'
  return {
    photo: picture,
    ...(status === 'paid' ? {} : { follows: { kind: 'top_up', orderNo } }),
    text: lines(texts.topUps.status[status], '', ...arrivals(view, topUp), ...facts(view, network, topUp)),
    buttons: [
      offered ? claimButton(view, topUp, offered) : [],
      open
        ? [
            { text: texts.topUps.buttons.copyAmount, copy: usdtText(topUp.payAmount) },
            { text: texts.topUps.buttons.copyAddress, copy: topUp.wallet },
          ]
        : [],
      awaited
        ? [
            { text: texts.topUps.buttons.check, data: TOP_UP.check.data({ orderNo }) },
            ...(open
              ? [
                  {
                    text: texts.topUps.buttons.cancel,
                    data: TOP_UP.cancel.data({ orderNo }),
                    style: 'danger' as const,
                  },
                ]
              : []),
          ]
        : [],
      explorerButton(view, network, topUp.txid),
      status === 'paid' || (failed && view.now <= creditedUntil(topUp)) ? resumeButton(view, topUp) : [],
      status === 'paid' ? [] : supportButtons(view, { subject: 'top_up', reference: orderNo }),
      status === 'paid' ? [{ text: texts.receipts.button, data: RECEIPTS.topUp.data({ orderNo }) }] : [],
      failed ? [{ text: texts.topUps.buttons.again, data: TOP_UP.home.data() }] : [],
      [backButton(texts, TOP_UP.history.data()), homeButton(texts)],
    ],
  }
}

export function cancelTopUpScreen({ texts }: View, { orderNo, payAmount }: TopUp): Screen {
  return {
    text: texts.topUps.cancel(usdt(payAmount)),
    buttons: [
      [{ text: texts.topUps.buttons.cancelNow, data: TOP_UP.cancelNow.data({ orderNo }), style: 'danger' }],
      [{ text: texts.topUps.buttons.keep, data: TOP_UP.view.data({ orderNo }) }, homeButton(texts)],
    ],
  }
}

/** A page of the top-ups, newest first. */
export function topUpsScreen({ texts, now }: View, { items, total, page, pageSize }: Page<TopUp>): Screen {
  const buttons = items.map(({ orderNo, status, payAmount, createdAt }): Button => ({
    text: texts.topUps.entry(
      texts.topUps.icon[status],
      usdt(payAmount),
      texts.shortDate(new Date(createdAt), now),
    ),
    data: TOP_UP.view.data({ orderNo }),
  }))
  return {
    text: total === 0 ? texts.topUps.empty : texts.topUps.history(total),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => TOP_UP.history.data({ page: to })),
      [backButton(texts, TOP_UP.home.data()), homeButton(texts)],
    ],
  }
}

/** Returns the lines about a transfer that may be the payment; they come first. */
function arrivals(view: View, topUp: CheckedTopUp): (Html | '')[] {
  if (topUp.offered) return [offerText(view, topUp, topUp.offered), '']
  return topUp.claimRefused ? [view.texts.topUps.offer.refused, ''] : []
}

function facts({ texts, currency, now }: View, network: NetworkTraits, topUp: CheckedTopUp): (Html | '')[] {
  const { topUps } = texts
  const stale = topUp.chainStale && topUp.status !== 'paid' ? ['' as const, topUps.stale] : []
  const asked = topUps.asked(usdt(topUp.payAmount))
  switch (topUp.status) {
    case 'pending': {
      const credit = amount(creditFor(topUp.payAmount, topUp.rate), currency)
      const minutes = Math.max(Math.ceil((Date.parse(topUp.expiresAt) - now.getTime()) / MINUTE_MS), 0)
      return [
        topUps.pay({
          network: network.name,
          payAmount: usdtText(topUp.payAmount),
          address: topUp.wallet,
          credit,
        }),
        topUps.validUntil(texts.dateTime(new Date(topUp.expiresAt)), minutes),
        ...stale,
      ]
    }
    case 'confirming':
      return [
        asked,
        topUps.confirmations(topUp.confirmations, network.confirmations),
        ...(topUp.txid === null ? [] : [topUps.transaction(topUp.txid)]),
        ...stale,
      ]
    case 'paid':
      return [
        topUps.received(usdt(topUp.paidAmount ?? 0), amount(topUp.creditAmount, currency)),
        topUps.balance(balanceText(topUp.balance, currency)),
        ...(topUp.paidAt === null ? [] : [topUps.paidAt(texts.dateTime(new Date(topUp.paidAt)))]),
        ...(topUp.late ? [topUps.late] : []),
        '',
        topUps.number(topUp.orderNo),
        ...(topUp.txid === null ? [] : [topUps.transaction(topUp.txid)]),
      ]
    case 'expired':
    case 'cancelled':
      return [
        asked,
        topUps.number(topUp.orderNo),
        '',
        ...(now <= creditedUntil(topUp) ? [topUps.stillTaken(texts.dateTime(creditedUntil(topUp)))] : []),
      ]
  }
}

/** Formats USDT, whole amounts without decimals. */
export function shortText(units: Usdt): string {
  return usdt(units).replace(/\.00$/, '')
}
