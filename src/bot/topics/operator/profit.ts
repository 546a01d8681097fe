import { dayOf } from '../../../core/calendar-day.ts'
import type { Profit } from '../../../core/records/profit.ts'
import { translationIn } from '../../../core/translations.ts'
import { OPERATOR, PROFIT_PERIODS, operatorButton } from '../../actions/operator.ts'
import { PEOPLE } from '../../actions/people.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { amount } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { type Html, lines } from '../../texts/html.ts'

type Period = (typeof PROFIT_PERIODS)[number]

const DAY_MS = 24 * 60 * 60_000
/** Most products that a message lists. */
const MOST_PRODUCTS = 15

/** Shows revenue, cost and margin by product: of today, of the last 7 days, and of this month. */
export function profitFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.profit, async (ctx, { period = 'today' }) => {
    const from = firstDay(ctx.core.now(), period)
    return ctx.show(profitScreen(viewOf(ctx), await ctx.core.operator.profit(by(ctx), { from }), period))
  })
  return feature
}

function firstDay(now: Date, period: Period): string {
  switch (period) {
    case 'today':
      return dayOf(now)
    case 'week':
      return dayOf(new Date(now.getTime() - 6 * DAY_MS))
    case 'month':
      return `${dayOf(now).slice(0, 7)}-01`
  }
}

function profitScreen(view: View, profit: Profit, shown: Period): Screen {
  const { texts } = view
  const { periods } = texts.operator.buttons
  return {
    text: profitText(view, profit),
    buttons: [
      PROFIT_PERIODS.map((period) =>
        choiceButton(periods[period], period === shown, OPERATOR.profit.data({ period })),
      ),
      [{ text: texts.people.buttons.sales, data: PEOPLE.sales.data({}) }, operatorButton(texts)],
    ],
  }
}

function profitText({ texts, language, currency }: View, { from, to, products, total }: Profit): Html {
  const { profit: words } = texts.operator
  const money = (micros: number) => amount(micros, currency)
  if (products.length === 0) return lines(words.title(texts.day(from), texts.day(to)), '', words.none)
  const listed = products.slice(0, MOST_PRODUCTS)
  return lines(
    words.title(texts.day(from), texts.day(to)),
    '',
    ...listed.flatMap((product) => [
      words.product(translationIn(product.names, language), money(product.revenue), money(product.refunds)),
      product.cost === null || product.margin === null
        ? words.unknownCost
        : words.margin(money(product.cost), money(product.margin)),
      product.agents === 0 ? undefined : words.agents(money(product.agents)),
      '' as const,
    ]),
    products.length > listed.length ? words.more(products.length - listed.length) : undefined,
    words.total(money(total.revenue), money(total.refunds)),
    total.agents === 0 ? undefined : words.agents(money(total.agents)),
    total.cost === null || total.margin === null
      ? undefined
      : words.totalMargin(money(total.cost), money(total.margin)),
    total.unknownCost > 0 ? words.unknownFor(total.unknownCost) : undefined,
    total.expectedCost > 0 ? words.expected(money(total.expectedCost)) : undefined,
  )
}
