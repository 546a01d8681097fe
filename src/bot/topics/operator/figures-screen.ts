import type { DayFigures } from '../../../core/facts/operator-facts.ts'
import { translationIn } from '../../../core/translations.ts'
import { MACHINE } from '../../actions/machine.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { LINE, shortened } from '../../kit/columns.ts'
import { amount } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { gigabytes, used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { jobName } from '../machine/job-screens.ts'

/** Most products that a message lists. */
const MOST_PRODUCTS = 30

/** Most columns of the reason why a job fails: three lines of a phone. The job's own page shows more of it. */
const MOST_REASON = 3 * LINE

export function figuresScreen(view: View, figures: DayFigures): Screen {
  const { texts } = view
  return {
    text: figuresText(view, figures),
    buttons: [
      ...failingButton(texts, figures),
      [{ text: texts.operator.buttons.profit, data: OPERATOR.profit.data({ period: 'today' }) }],
      [{ text: texts.buttons.refresh, data: OPERATOR.figures.data() }, operatorButton(texts)],
    ],
  }
}

/** Returns the button to the jobs that keep failing, if there are any. */
export function failingButton(
  { machine }: Texts,
  { failedJobs }: Pick<DayFigures, 'failedJobs'>,
): Button[][] {
  return failedJobs > 0 ? [[{ text: machine.buttons.jobs(failedJobs), data: MACHINE.jobs.data() }]] : []
}

export function figuresText({ texts, language, currency }: Omit<View, 'now'>, figures: DayFigures): Html {
  const { figures: words } = texts.operator
  const {
    revenue,
    refunds,
    agents,
    cost,
    margin,
    topUps,
    toppedUp,
    newUsers,
    trafficBytes = 0,
    failedJobs,
    failing = [],
    gateway,
    stock,
  } = figures
  const shown = stock.slice(0, MOST_PRODUCTS)
  return lines(
    words.ofDay(texts.day(figures.day)),
    '',
    words.orders(figures),
    words.money(amount(revenue, currency), amount(refunds, currency)),
    agents === undefined ? undefined : words.agents(amount(agents, currency)),
    cost === undefined || margin === undefined
      ? undefined
      : words.margin(amount(cost, currency), amount(margin, currency)),
    words.topUps(topUps, amount(toppedUp, currency)),
    trafficBytes > 0 ? words.traffic(gigabytes(trafficBytes, texts)) : undefined,
    gateway && words.gateway(gateway.atWork, gateway.healthy, gateway.exits),
    ...(gateway?.used ?? []).map(({ id, bytes, errors }) => words.exit(id, used(bytes, texts), errors)),
    words.users(newUsers),
    ...(failedJobs > 0 ? [words.jobs(failedJobs)] : []),
    ...failing.map(({ id, kind, reason }) =>
      words.job(id, jobName(texts, kind), shortened(reason ?? '', MOST_REASON)),
    ),
    ...(shown.length > 0 ? ['' as const, words.stock] : []),
    ...shown.map((product) =>
      words.product(translationIn(product.names, language), product.free, product.resting ?? 0),
    ),
    stock.length > shown.length ? words.more(stock.length - shown.length) : undefined,
  )
}
