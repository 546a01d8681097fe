import { type Language, LANGUAGES } from '../../../core/languages.ts'
import { AGENTS } from '../../actions/agents.ts'
import { CATALOG } from '../../actions/catalog.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { MACHINE } from '../../actions/machine.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { PEOPLE, TRAIL } from '../../actions/people.ts'
import { SHOP_PROMO } from '../../actions/promotions.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { STOCK } from '../../actions/stock.ts'
import { DESK } from '../../actions/support.ts'
import { homeButton } from '../../kit/buttons.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'

/** Numbers of what waits for the operator. */
interface Waiting {
  /** Unmatched payments. */
  readonly payments: number
  /** Orders at suppliers whose outcome the operator has to find out. */
  readonly doubtful: number
  /** Replacements that wait for a decision. */
  readonly replacements: number
  /** Payouts that wait to be paid. */
  readonly payouts: number
  /** Tickets that wait for an answer; undefined where none are written. */
  readonly tickets: number | undefined
  /** Jobs that keep failing. */
  readonly failing: number
}

/**
 * @param otherLanguages languages to switch to; in groups only, which have no main menu
 */
function operatorScreen(
  texts: Texts,
  { payments, doubtful, replacements, payouts, tickets, failing }: Waiting,
  otherLanguages?: readonly Language[],
): Screen {
  const { operator } = texts
  const { buttons } = operator
  return {
    text: lines(operator.home, ...(doubtful > 0 ? ['' as const, operator.suppliers.doubtful(doubtful)] : [])),
    buttons: [
      [{ text: texts.customers.buttons.find, data: CUSTOMERS.find.data() }],
      [{ text: buttons.payments(payments), data: OPERATOR.payments.data({ page: 1 }) }],
      [{ text: buttons.replacements(replacements), data: OPERATOR.replacements.data({ page: 1 }) }],
      [{ text: buttons.payouts(payouts), data: OPERATOR.payouts.data({ page: 1 }) }],
      tickets === undefined
        ? []
        : [{ text: texts.support.buttons.tickets(tickets), data: DESK.list.data({ page: 1 }) }],
      failing > 0 ? [{ text: texts.machine.buttons.jobs(failing), data: MACHINE.jobs.data() }] : [],
      [
        { text: buttons.suppliers, data: OPERATOR.suppliers.data() },
        { text: buttons.profit, data: OPERATOR.profit.data({ period: 'today' }) },
      ],
      [
        { text: buttons.broadcast, data: OPERATOR.broadcast.data() },
        { text: buttons.figures, data: OPERATOR.figures.data() },
      ],
      [
        { text: texts.catalog.buttons.products, data: CATALOG.products.data() },
        { text: texts.stock.buttons.stock, data: STOCK.home.data() },
      ],
      [
        { text: texts.agents.buttons.agents, data: AGENTS.list.data() },
        { text: texts.machine.buttons.health, data: MACHINE.health.data() },
      ],
      [{ text: buttons.setUp, data: OPERATOR.setUp.data() }, ...(otherLanguages ? [] : [homeButton(texts)])],
      otherLanguages
        ? otherLanguages.map((language) => ({
            text: LOCALES[language].settings.buttons.language(LOCALES[language].languageName),
            data: OPERATOR.language.data({ language }),
          }))
        : [],
    ],
  }
}

/**
 * What is seldom changed: who runs the shop, what it stands on, and how this chat is told.
 *
 * @param isGroup whether all who are in the chat see it
 */
export function setUpScreen(texts: Texts, isGroup: boolean): Screen {
  const { buttons, setUp } = texts.operator
  const { people } = texts
  return {
    text: setUp,
    buttons: [
      [
        { text: people.buttons.people, data: PEOPLE.list.data() },
        { text: people.buttons.trail, data: TRAIL.all.data() },
      ],
      [
        { text: buttons.exits, data: OPERATOR.exits.data() },
        { text: buttons.backups, data: OPERATOR.backups.data() },
      ],
      [
        { text: texts.promo.buttons.short, data: SHOP_PROMO.list.data({}) },
        { text: texts.settings.buttons.zones, data: SETTINGS.zone.data({ zone: '' }) },
      ],
      isGroup ? [] : [{ text: people.buttons.notices, data: PEOPLE.notices.data() }],
      isGroup ? [] : [{ text: people.web.button, data: PEOPLE.web.data() }],
      [operatorButton(texts), ...(isGroup ? [] : [homeButton(texts)])],
    ],
  }
}

/** Shows the operator's menu, with the numbers of what waits for the operator. */
export async function operatorScreenFor({
  core,
  texts,
  chat,
  session,
  support,
}: BotContext): Promise<Screen> {
  const otherLanguages = LANGUAGES.filter((language) => language !== session.language)
  const { total: payments } = await core.operator.payments.page(1, 1)
  const { total: doubtful } = await core.operator.suppliers.calls({ which: 'in_doubt', pageSize: 1 })
  const { total: payouts } = await core.operator.payouts.list({ status: 'requested', pageSize: 1 })
  const open = await core.operator.replacements.list({ open: true })
  const tickets = support === 'tickets' ? (await core.operator.support.list()).open : undefined
  const { total: failing } = await core.operator.jobs.failing(1, 1)
  const replacements = open.filter(({ status }) => status === 'requested').length
  return operatorScreen(
    texts,
    { payments, doubtful, replacements, payouts, tickets, failing },
    chat?.type === 'private' ? undefined : otherLanguages,
  )
}
