import type { Language } from '../../../core/catalog/places.ts'
import type { DayFigures } from '../../../core/notices/kinds.ts'
import { amount, productName } from '../../kit/format.ts'
import { type Html, lines } from '../../kit/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { homeButton } from '../../kit/buttons.ts'
import { OPERATOR } from './actions.ts'

/** Of a message's lines; more products are left out. */
const MOST_PRODUCTS = 30

export const operatorButton = ({ operator }: Texts): Button => ({
  text: operator.buttons.operator,
  data: OPERATOR.home.data(),
})

/**
 * @param payments unmatched ones
 * @param otherLanguage offered in groups, which have no main menu
 */
export function operatorScreen(texts: Texts, payments: number, otherLanguage?: Language): Screen {
  const { operator } = texts
  const { buttons } = operator
  return {
    text: operator.home,
    buttons: [
      [{ text: buttons.payments(payments), data: OPERATOR.payments.data({ page: 1 }) }],
      [
        { text: buttons.broadcast, data: OPERATOR.broadcast.data() },
        { text: buttons.figures, data: OPERATOR.figures.data() },
      ],
      otherLanguage
        ? [
            {
              text: LOCALES[otherLanguage].settings.buttons.language(LOCALES[otherLanguage].languageName),
              data: OPERATOR.language.data({ language: otherLanguage }),
            },
          ]
        : [homeButton(texts)],
    ],
  }
}

export function figuresScreen(view: View, figures: DayFigures): Screen {
  const { texts } = view
  return {
    text: figuresText(view, figures),
    buttons: [[{ text: texts.buttons.refresh, data: OPERATOR.figures.data() }, operatorButton(texts)]],
  }
}

export function figuresText({ texts, language, currency }: Omit<View, 'now'>, figures: DayFigures): Html {
  const { figures: words } = texts.operator
  const { revenue, refunds, topUps, toppedUp, newUsers, failedJobs, failing = [], stock } = figures
  const shown = stock.slice(0, MOST_PRODUCTS)
  return lines(
    words.ofDay(figures.day),
    '',
    words.orders(figures),
    words.money(amount(revenue, currency), amount(refunds, currency)),
    words.topUps(topUps, amount(toppedUp, currency)),
    words.users(newUsers),
    ...(failedJobs > 0 ? [words.jobs(failedJobs)] : []),
    ...failing.map(({ id, kind, reason }) => words.job(id, kind, reason ?? '')),
    failedJobs > 0 ? words.jobsCommand : undefined,
    ...(shown.length > 0 ? ['' as const, words.stock] : []),
    ...shown.map((product) =>
      words.product(productName(product, language), product.free, product.resting ?? 0),
    ),
    stock.length > shown.length ? words.more(stock.length - shown.length) : undefined,
  )
}
