import { cityName } from '../../../core/catalog/places.ts'
import type { DynamicOrder } from '../../../core/orders/list-dynamic-orders.ts'
import type { StaticOrder } from '../../../core/orders/static-order.ts'
import type { NetworkTraits } from '../../../core/top-ups/payment-network.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import { translationIn } from '../../../core/translations.ts'
import { shortened } from '../../kit/columns.ts'
import { amount, orderedTerm, plainPlaceName, usdt } from '../../kit/format.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import type { Receipt, ReceiptRow } from './receipt-picture.ts'

/** What was paid for an order of static proxies: with renewals, and less what was refunded. */
export function orderReceipt(view: View, order: StaticOrder): Receipt {
  const { texts, language, currency } = view
  const { rows } = texts.receipts
  const { countryCode, cityCode, totalAmount, renewedAmount, refundedAmount } = order
  const city = cityCode ? cityName(cityCode, language) : ''
  const place = countryCode ? plainPlaceName({ countryCode, cityCode }, language) : city
  return {
    number: order.orderNo,
    rows: [
      ...purchaseRows(view, order),
      ...(place === '' ? [] : [[rows.place, place] as const]),
      [rows.proxies, String(order.ipCount)],
      [rows.term, orderedTerm(order, texts)],
      ...priceRows(view, order),
      ...(renewedAmount > 0 ? [[rows.renewals, amount(renewedAmount, currency)] as const] : []),
      ...(refundedAmount > 0 ? [[rows.refunded, amount(-refundedAmount, currency)] as const] : []),
    ],
    total: [rows.total, amount(totalAmount + renewedAmount - refundedAmount, currency)],
  }
}

/** What was paid for traffic. */
export function trafficReceipt(view: View, order: DynamicOrder): Receipt {
  const { texts, currency } = view
  const { rows } = texts.receipts
  return {
    number: order.orderNo,
    rows: [
      ...purchaseRows(view, order),
      [rows.traffic, gigabytes(order.trafficBytes, texts)],
      ...priceRows(view, order),
    ],
    total: [rows.total, amount(order.totalAmount, currency)],
  }
}

/** What was received for a top-up that is paid. */
export function topUpReceipt({ texts, currency }: View, network: NetworkTraits, topUp: TopUp): Receipt {
  const { rows } = texts.receipts
  return {
    number: topUp.orderNo,
    rows: [
      [rows.topUp, topUp.orderNo],
      [rows.date, texts.dateTime(new Date(topUp.paidAt ?? topUp.updatedAt))],
      [rows.customer, topUp.username],
      [rows.network, network.name.full],
      [rows.received, `${usdt(topUp.paidAmount ?? topUp.payAmount)} USDT`],
      [rows.rate, `1 USDT = ${amount(topUp.rate, currency)}`],
      [rows.wallet, topUp.wallet],
      ...(topUp.txid === null ? [] : [[rows.transaction, topUp.txid] as const]),
    ],
    total: [rows.credited, amount(topUp.creditAmount, currency)],
  }
}

/** Returns the rows for number, date, customer and product of an order. */
function purchaseRows(
  { texts, language }: View,
  order: Pick<StaticOrder, 'orderNo' | 'createdAt' | 'username' | 'productNames'>,
): ReceiptRow[] {
  const { rows } = texts.receipts
  return [
    [rows.order, order.orderNo],
    [rows.date, texts.dateTime(new Date(order.createdAt))],
    [rows.customer, order.username],
    [rows.product, translationIn(order.productNames, language)],
  ]
}

/** What it cost, and what a promotion code took off. */
function priceRows(
  { texts, currency }: View,
  { totalAmount, discount, promoCode }: Pick<StaticOrder, 'totalAmount' | 'discount' | 'promoCode'>,
): ReceiptRow[] {
  const { rows } = texts.receipts
  return [
    [rows.price, amount(totalAmount + discount, currency)],
    ...(discount > 0
      ? [[rows.discount(shortened(promoCode ?? '', 16)), amount(-discount, currency)] as const]
      : []),
  ]
}
