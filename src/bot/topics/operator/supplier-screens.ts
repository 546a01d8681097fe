import type { Page } from '../../../core/page.ts'
import type { CallOverview } from '../../../core/supply/list-calls.ts'
import type { ConnectionOverview } from '../../../core/supply/list-connections.ts'
import { BY_OPERATOR, type OfferOverview } from '../../../core/supply/list-offers.ts'
import { FOUND_ABSENT } from '../../../core/supply/resolve-call.ts'
import { expiryOf } from '../../../core/operator/supplier-balance-expiry.ts'
import { CATALOG } from '../../actions/catalog.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { amount, balanceText, figure, periodName, periodPrice, placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import type { SupplierDifference } from '../../../core/facts/supplier-difference.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

export const ITEMS_PER_PAGE = 8

/** All suppliers with balance and forecast. */
export function suppliersScreen(
  view: View,
  connections: readonly ConnectionOverview[],
  wanted: number,
): Screen {
  const { texts } = view
  const { suppliers: words } = texts.operator
  const add: Button[] = [{ text: texts.operator.buttons.addSupplier, data: OPERATOR.addSupplier.data() }]
  if (connections.length === 0) return { text: words.none, buttons: [add, [operatorButton(texts)]] }
  const { items, page, pages } = pageOf(connections, wanted, ITEMS_PER_PAGE)
  return {
    text: lines(
      words.title,
      '',
      ...items.map((connection) =>
        words.line(
          iconOf(connection, view.now),
          connection.name,
          balanceOf(view, connection),
          connection.daysLeft ?? undefined,
        ),
      ),
    ),
    buttons: [
      ...items.map(({ name }) => [{ text: name, data: OPERATOR.supplier.data({ name }) }]),
      ...pager(texts, page, pages, (to) => OPERATOR.suppliers.data({ page: to })),
      add,
      [operatorButton(texts)],
    ],
  }
}

function iconOf({ status, pausedUntil, doubtfulCalls, faults }: ConnectionOverview, now: Date): string {
  if (status === 'paused') return '⏸'
  if (pausedUntil !== null && Date.parse(pausedUntil) > now.getTime()) return '🔴'
  return doubtfulCalls > 0 || faults > 0 ? '⚠️' : '🟢'
}

function balanceOf({ texts, currency }: View, { balance }: ConnectionOverview): string {
  return balance === null ? texts.operator.suppliers.unknownBalance : balanceText(balance, currency)
}

/** @param note outcome of a test, a sync or a change */
export function supplierScreen(view: View, connection: ConnectionOverview, note?: Html): Screen {
  const { texts } = view
  const { buttons } = texts.operator
  const { name, status, doubtfulCalls } = connection
  return {
    text: lines(...(note ? [note, '' as const] : []), supplierText(view, connection)),
    buttons: [
      doubtfulCalls > 0
        ? [{ text: buttons.doubtful(doubtfulCalls), data: OPERATOR.doubtful.data({ name }) }]
        : [],
      [
        { text: buttons.offers, data: OPERATOR.offers.data({ name }) },
        { text: buttons.test, data: OPERATOR.testSupplier.data({ name }) },
      ],
      [
        { text: buttons.sync, data: OPERATOR.syncSupplier.data({ name }) },
        status === 'active'
          ? { text: buttons.pause, data: OPERATOR.pauseSupplier.data({ name }), style: 'danger' }
          : { text: buttons.resume, data: OPERATOR.resumeSupplier.data({ name }), style: 'success' },
      ],
      [
        { text: buttons.reconcile, data: OPERATOR.reconcileSupplier.data({ name }) },
        { text: buttons.callback, data: OPERATOR.supplierCallback.data({ name }) },
      ],
      [
        { text: buttons.editSupplier, data: OPERATOR.editSupplier.data({ name }) },
        { text: buttons.removeSupplier, data: OPERATOR.askRemoveSupplier.data({ name }), style: 'danger' },
      ],
      [{ text: texts.buttons.back, data: OPERATOR.suppliers.data() }, operatorButton(texts)],
    ],
  }
}

function supplierText({ texts, currency, now }: View, connection: ConnectionOverview): Html {
  const { suppliers: words } = texts.operator
  const { balance, balanceAt, daysLeft, faults, pausedUntil, lastError, syncedAt, reconciledAt } = connection
  const { balanceExpiresOn: expiresOn } = connection
  const time = (iso: string) => texts.dateTime(new Date(iso))
  const pausedNow = pausedUntil !== null && Date.parse(pausedUntil) > now.getTime()
  return lines(
    words.name(connection.name, connection.driver),
    words.states[connection.status],
    faults > 0 ? words.failing(faults, pausedNow ? time(pausedUntil) : undefined) : undefined,
    lastError === null ? undefined : words.lastError(lastError),
    '',
    balance === null || balanceAt === null
      ? words.noBalance
      : words.balance(balanceText(balance, currency), time(balanceAt)),
    daysLeft === null ? undefined : words.forecast(daysLeft),
    expiresOn === null ? undefined : words.expires(expiresOn, expiryOf(connection, now) === 'over'),
    syncedAt === null ? words.noMirror : words.mirror(connection.offers, time(syncedAt)),
    words.products(connection.products),
    words.calls(connection.openCalls, connection.doubtfulCalls),
    reconciledAt === null ? undefined : words.reconciled(time(reconciledAt)),
  )
}

/** One difference between our books and the supplier's. */
export function differenceText(
  { operator }: Texts,
  { subject, orderNo, ours, theirs }: SupplierDifference,
): Html {
  const { example, states } = operator.suppliers.differences
  const word = (text: string) => (Object.hasOwn(states, text) ? states[text as keyof typeof states] : text)
  const what = orderNo === null || orderNo === subject ? subject : `${subject} (${orderNo})`
  return example(what, word(ours), word(theirs))
}

/** Shown while the supplier is asked. */
export function askingScreen(texts: Texts): Screen {
  return { text: texts.operator.suppliers.working, buttons: [[operatorButton(texts)]] }
}

export function offersScreen(
  view: View,
  supplier: string,
  { items, total, page, pageSize }: Page<OfferOverview>,
): Screen {
  const { texts, currency } = view
  const { suppliers: words } = texts.operator
  const back = { text: texts.buttons.back, data: OPERATOR.supplier.data({ name: supplier }) }
  if (total === 0) return { text: words.noOffers(supplier), buttons: [[back, operatorButton(texts)]] }
  return {
    text: lines(
      words.offers(supplier, total),
      '',
      ...items.map((offer) =>
        words.offerLine(
          offerIcon(offer),
          placeName(offer, view.language),
          offer.proxyType,
          periodPrice(offer.cost, offer, currency, texts),
          offer.stock,
        ),
      ),
    ),
    buttons: [
      ...offerButtons(texts, items, page),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        OPERATOR.offers.data({ name: supplier, page: to }),
      ),
      [back, operatorButton(texts)],
    ],
  }
}

/** Labels offers such as `USLAX 103 · 2.00/month`; those with equal labels have their offer number in place of the place. */
function offerButtons(texts: Texts, offers: readonly OfferOverview[], page: number): Button[][] {
  const label = (name: string, offer: OfferOverview) =>
    `${name} · ${figure(offer.cost)}/${periodName(offer, texts)}`
  const places = offers.map((offer) => `${offer.cityCode || offer.countryCode} ${offer.proxyType}`)
  const labels = offers.map((offer, at) => label(places[at] ?? '', offer))
  return offers.map((offer, at) => {
    const isAlone = labels.filter((other) => other === labels[at]).length === 1
    const name = (isAlone ? places[at] : undefined) ?? offer.offerNo
    const text = `${offer.paused ? '⏸ ' : ''}${label(name, offer)}`
    return [{ text, name, data: OPERATOR.offer.data({ id: offer.id, page }) }]
  })
}

function offerIcon({ paused, products }: OfferOverview): string {
  return paused ? '⏸' : products.length > 0 ? '🟢' : '▫️'
}

/** @param page of the list that Back leads to */
export function offerScreen(view: View, offer: OfferOverview, page: number): Screen {
  const { texts, currency } = view
  const { suppliers: words, buttons } = texts.operator
  const { id, supplier, products, paused, pauseReason } = offer
  return {
    text: lines(
      words.offer(offer.name, offer.offerNo),
      words.place(placeName(offer, view.language)),
      words.cost(periodPrice(offer.cost, offer, currency, texts)),
      words.stock(offer.stock, offer.maxCount),
      words.seen(texts.dateTime(new Date(offer.seenAt))),
      products.length > 0 ? words.soldAs(texts.list(products)) : words.notSold,
      paused ? words.offerPaused(reasonText(texts, pauseReason ?? '-')) : undefined,
    ),
    buttons: [
      [
        paused
          ? { text: buttons.resumeOffer, data: OPERATOR.resumeOffer.data({ id, page }), style: 'success' }
          : { text: buttons.pauseOffer, data: OPERATOR.pauseOffer.data({ id, page }), style: 'danger' },
      ],
      [{ text: texts.catalog.buttons.sellOffer, data: CATALOG.createOfOffer.data({ id }) }],
      [
        { text: texts.buttons.back, data: OPERATOR.offers.data({ name: supplier, page }) },
        operatorButton(texts),
      ],
    ],
  }
}

/** Calls whose outcome the operator has to find out. */
export function doubtfulScreen(
  texts: Texts,
  supplier: string | undefined,
  { items, total, page, pageSize }: Page<CallOverview>,
): Screen {
  const { suppliers: words } = texts.operator
  const back = supplier === undefined ? OPERATOR.suppliers.data() : OPERATOR.supplier.data({ name: supplier })
  return {
    text: total === 0 ? words.noneDoubtful : words.doubtfulTitle(total),
    buttons: [
      ...items.map(({ callNo }) => [{ text: callNo, data: OPERATOR.call.data({ callNo }) }]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        OPERATOR.doubtful.data({ name: supplier, page: to }),
      ),
      [{ text: texts.buttons.back, data: back }, operatorButton(texts)],
    ],
  }
}

/** @param note what was decided */
export function callScreen(view: View, call: CallOverview, note?: Html): Screen {
  const { texts } = view
  const { buttons } = texts.operator
  const { callNo, state, supplier } = call
  const decide: Button[] = [
    { text: buttons.found, data: OPERATOR.callFound.data({ callNo }), style: 'success' },
    { text: buttons.absent, data: OPERATOR.callAbsent.data({ callNo }), style: 'danger' },
  ]
  return {
    text: lines(...(note ? [note, '' as const] : []), callText(view, call)),
    buttons: [
      state === 'in_doubt' ? decide : [],
      [{ text: texts.buttons.back, data: OPERATOR.doubtful.data({ name: supplier }) }, operatorButton(texts)],
    ],
  }
}

function callText({ texts, currency }: View, call: CallOverview): Html {
  const { suppliers: words } = texts.operator
  const { cost, providerOrderNo, reason } = call
  return lines(
    words.call(words.kinds[call.kind], call.callNo),
    words.callStates[call.state],
    '',
    words.callFor(call.supplier, call.orderNo, call.username),
    words.callCount(call.count, amount(call.expectedCost, currency)),
    cost === null ? undefined : words.callCost(amount(cost, currency)),
    words.callSince(texts.dateTime(new Date(call.createdAt)), call.attempts),
    providerOrderNo === null ? undefined : words.providerNumber(providerOrderNo),
    reason === null ? undefined : words.reason(reasonText(texts, reason)),
  )
}

/** A reason as the supplier gave it; those of the service in the language of the chat. */
function reasonText({ operator: { suppliers } }: Texts, reason: string): string {
  if (reason === BY_OPERATOR) return suppliers.byOperator
  return reason === FOUND_ABSENT ? suppliers.foundAbsent : reason
}

export function foundPrompt(view: View, call: CallOverview): Screen {
  const { texts } = view
  return promptScreen(
    texts,
    lines(callText(view, call), '', texts.operator.suppliers.typeNumber),
    OPERATOR.call.data({ callNo: call.callNo }),
  )
}

export function absentScreen(view: View, call: CallOverview): Screen {
  const { texts } = view
  const { buttons, suppliers: words } = texts.operator
  const { callNo } = call
  return {
    text: lines(callText(view, call), '', words.confirmAbsent),
    buttons: [
      [{ text: buttons.absentNow, data: OPERATOR.callAbsentNow.data({ callNo }), style: 'danger' }],
      [{ text: texts.buttons.cancel, data: OPERATOR.call.data({ callNo }) }],
    ],
  }
}
