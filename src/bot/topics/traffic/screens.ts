import type { Habit } from '../../../core/accounts/habits.ts'
import type { SubUser } from '../../../core/accounts/sub-user.ts'
import type { DynamicOrder } from '../../../core/orders/list-dynamic-orders.ts'
import type { Page } from '../../../core/page.ts'
import { translationIn } from '../../../core/translations.ts'
import { RECEIPTS } from '../../actions/receipts.ts'
import { supportButtons } from '../../actions/support.ts'
import { ALLOWED, BUY_TRAFFIC, EXTRACT, SUB_ACCOUNT, TRAFFIC, USAGE } from '../../actions/traffic.ts'
import { USERS } from '../../actions/users.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { gigabytes, usageBar } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { discountLines } from '../orders/promo.ts'
import { rememberedForm } from './extraction-form.ts'
import { formLabel } from './extraction-screens.ts'
import type { TrafficProduct } from './products.ts'

const PRODUCTS_PER_PAGE = 6
export const TRAFFIC_ORDERS_PER_PAGE = 8

/**
 * All dynamic products, with what the person has of each.
 *
 * @param habits the last extractions: each is one press away
 */
export function trafficScreen(
  view: View,
  products: readonly TrafficProduct[],
  wanted: number,
  habits: readonly Habit[],
): Screen {
  const { texts, language } = view
  const { traffic } = texts
  if (products.length === 0) return { text: traffic.nothing, buttons: [[homeButton(texts)]] }
  const { items, page, pages } = pageOf(products, wanted, PRODUCTS_PER_PAGE)
  const buttons = items.map((product): Button => {
    const name = translationIn(product.names, language)
    const { flow } = product
    return {
      text: flow ? traffic.productButton(name, gigabytes(flow.remaining, texts)) : name,
      name,
      data: TRAFFIC.product.data({ product: product.productId }),
    }
  })
  return {
    text: lines(
      traffic.title,
      ...items.flatMap((product) => [
        '' as const,
        traffic.name(translationIn(product.names, language)),
        ...flowLines(view, product),
        ...priceLine(view, product),
      ]),
    ),
    buttons: [
      ...items.map((product): Button[] => {
        const form =
          (product.flow?.remaining ?? 0) > 0
            ? rememberedForm(product.productId, product.productNo, habits)
            : undefined
        return form ? [{ text: formLabel(view, form), data: EXTRACT.show.data(form), style: 'success' }] : []
      }),
      ...grid(buttons, 1),
      ...pager(texts, page, pages, (to) => TRAFFIC.list.data({ page: to })),
      [{ text: traffic.buttons.orders, data: TRAFFIC.orders.data() }],
      [homeButton(texts)],
    ],
  }
}

/** One dynamic product: what is left of it, and what can be done with it. */
export function trafficProductScreen(view: View, product: TrafficProduct): Screen {
  const { texts, language } = view
  const { traffic } = texts
  const { productId, offer, flow } = product
  const usable = flow !== undefined && flow.remaining > 0
  return {
    text: lines(
      traffic.title,
      '',
      traffic.name(translationIn(product.names, language)),
      ...flowLines(view, product),
      flow && traffic.used(gigabytes(flow.used, texts)),
      flow && flow.allocated > 0 ? traffic.allocated(gigabytes(flow.allocated, texts)) : undefined,
      ...priceLine(view, product),
      ...(usable ? [] : ['' as const, flow ? traffic.exhausted : traffic.start]),
      ...(offer ? [] : ['' as const, traffic.notSold]),
    ),
    buttons: [
      usable
        ? [{ text: traffic.buttons.extract, data: EXTRACT.form.data({ productId }), style: 'primary' }]
        : [],
      offer
        ? [
            {
              text: traffic.buttons.buy,
              data: BUY_TRAFFIC.amounts.data({ productId }),
              ...(usable ? {} : ({ style: 'primary' } as const)),
            },
          ]
        : [],
      ...(flow
        ? [
            [
              { text: texts.usage.buttons.open, data: USAGE.days.data({ product: productId }) },
              { text: texts.buttons.refresh, data: TRAFFIC.product.data({ product: productId }) },
            ],
            [
              {
                text: traffic.buttons.subAccounts,
                data: SUB_ACCOUNT.list.data({ product: productId, page: 1 }),
              },
              {
                text: texts.extraction.buttons.links,
                data: EXTRACT.links.data({ page: 1, product: productId }),
              },
            ],
            [{ text: texts.allowed.buttons.open, data: ALLOWED.list.data({ product: productId }) }],
          ]
        : []),
      [backButton(texts, TRAFFIC.list.data()), homeButton(texts)],
    ],
  }
}

/** How much is left. */
function flowLines({ texts }: View, { flow }: TrafficProduct): Html[] {
  const { traffic } = texts
  if (!flow) return [traffic.notBought]
  return [
    traffic.bar(usageBar(flow.total - flow.remaining, flow.total)),
    traffic.left(gigabytes(flow.remaining, texts), gigabytes(flow.total, texts)),
  ]
}

function priceLine({ texts, currency }: View, { offer }: TrafficProduct): Html[] {
  return offer ? [texts.traffic.price(amount(offer.price, currency))] : []
}

/**
 * Traffic bought, newest first.
 *
 * @param owner the sub-user who bought it; undefined for the person itself
 */
export function trafficOrdersScreen(
  { texts, language, now }: View,
  { items, total, page, pageSize }: Page<DynamicOrder>,
  owner: SubUser | undefined,
): Screen {
  const { orders } = texts.traffic
  const back = owner === undefined ? TRAFFIC.list.data() : USERS.view.data({ id: owner.id })
  const buttons = items.map((order): Button => {
    const icon = orders.status[order.status].split(' ')[0] ?? ''
    const name = translationIn(order.productNames, language)
    const day = texts.shortDate(new Date(order.createdAt), now)
    return {
      text: `${icon} ${gigabytes(order.trafficBytes, texts)} · ${name} · ${day}`,
      name,
      data: TRAFFIC.order.data({ id: order.id, page, user: owner?.id }),
    }
  })
  return {
    text: lines(
      ...(owner === undefined ? [] : [texts.orders.user(owner.username), '' as const]),
      total > 0 ? orders.title(total) : orders.empty,
    ),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) =>
        TRAFFIC.orders.data({ page: to, user: owner?.id }),
      ),
      owner && owner.status !== 'deleted'
        ? [{ text: texts.usage.buttons.open, data: USAGE.products.data({ user: owner.id }) }]
        : [],
      total === 0 && owner?.status === 'active'
        ? [
            {
              text: texts.buy.forUser(owner.username),
              data: BUY_TRAFFIC.forUser.data({ user: owner.id }),
              style: 'primary',
            },
          ]
        : [],
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}

/** @param back callback data of the list it was opened from */
export function trafficOrderScreen(view: View, order: DynamicOrder, back: string): Screen {
  const { texts, language, currency } = view
  const { traffic } = texts
  return {
    text: lines(
      traffic.name(traffic.orders.status[order.status]),
      '',
      traffic.orders.number(order.orderNo),
      texts.orders.user(order.username),
      texts.buy.chosen.product(translationIn(order.productNames, language)),
      traffic.orders.date(texts.dateTime(new Date(order.createdAt))),
      '',
      traffic.orders.bar(usageBar(order.usedBytes, order.trafficBytes)),
      traffic.left(gigabytes(order.remainingBytes, texts), gigabytes(order.trafficBytes, texts)),
      '',
      traffic.price(amount(order.unitPrice, currency)),
      ...discountLines(texts, order, currency),
      texts.buy.total(amount(order.totalAmount, currency)),
    ),
    buttons: [
      [{ text: texts.receipts.button, data: RECEIPTS.traffic.data({ id: order.id }) }],
      supportButtons(view, { subject: 'traffic', reference: order.orderNo }),
      [backButton(texts, back), homeButton(texts)],
    ],
  }
}
