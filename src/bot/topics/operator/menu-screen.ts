import { type Language, LANGUAGES } from '../../../core/languages.ts'
import type { Deed } from '../../../core/people/permissions.ts'
import { AGENTS } from '../../actions/agents.ts'
import { CATALOG } from '../../actions/catalog.ts'
import { CUSTOMERS } from '../../actions/customers.ts'
import { MACHINE } from '../../actions/machine.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { PEOPLE, TRAIL } from '../../actions/people.ts'
import { SHOP_PROMO } from '../../actions/promotions.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { DESK } from '../../actions/support.ts'
import { homeButton } from '../../kit/buttons.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { allows } from '../../session/operator-chat.ts'
import { html, lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'

/** One kind of things that wait for somebody who runs the shop. */
interface Queue {
  /** The button to the list of it, with the number of those that wait. */
  readonly button: Button
  readonly count: number
  /** Whether who looks may decide about it. */
  readonly mine: boolean
  /** Listed only while something waits. */
  readonly rare?: boolean
}

const waits = ({ count, mine }: Queue) => count > 0 && mine

/** @param queues the most urgent first */
function operatorScreen(texts: Texts, queues: readonly Queue[], isGroup: boolean): Screen {
  const { operator } = texts
  const { buttons } = operator
  const waiting = queues.filter(waits)
  const [first] = waiting
  return {
    text: lines(
      operator.home,
      ...(first ? ['' as const, operator.decide] : []),
      ...waiting.map(({ button }) => html`${button.text}`),
    ),
    buttons: [
      first ? [first.button] : [],
      [{ text: buttons.decide(sumOf(waiting)), data: OPERATOR.decide.data() }],
      [
        { text: texts.customers.buttons.find, data: CUSTOMERS.find.data() },
        { text: texts.agents.buttons.agents, data: AGENTS.list.data() },
      ],
      [
        { text: texts.catalog.buttons.products, data: CATALOG.products.data() },
        { text: buttons.suppliers, data: OPERATOR.suppliers.data() },
      ],
      [
        { text: buttons.broadcast, data: OPERATOR.broadcast.data() },
        { text: buttons.figures, data: OPERATOR.figures.data() },
      ],
      [{ text: buttons.setUp, data: OPERATOR.setUp.data() }, ...(isGroup ? [] : [homeButton(texts)])],
    ],
  }
}

const sumOf = (queues: readonly Queue[]) => queues.reduce((sum, { count }) => sum + count, 0)

/** All that can wait for a decision, with the lists of what was decided already. */
function decideScreen(texts: Texts, queues: readonly Queue[]): Screen {
  const { decide, nothingToDecide } = texts.operator
  return {
    text: queues.some(waits) ? decide : lines(decide, '', nothingToDecide),
    buttons: [
      ...queues.flatMap(({ button, count, rare }) => (rare && count === 0 ? [] : [[button]])),
      [operatorButton(texts)],
    ],
  }
}

/**
 * What is seldom changed: who runs the shop, what it stands on, and how this chat is told.
 *
 * @param otherLanguages languages to switch to; in groups only, which have no main menu and no settings
 */
function setUpScreen(texts: Texts, otherLanguages?: readonly Language[]): Screen {
  const isGroup = otherLanguages !== undefined
  const { buttons, setUp } = texts.operator
  const { people } = texts
  return {
    text: setUp,
    buttons: [
      [{ text: texts.machine.buttons.health, data: MACHINE.health.data() }],
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
      (otherLanguages ?? []).map((language) => ({
        text: LOCALES[language].settings.buttons.language(LOCALES[language].languageName),
        data: OPERATOR.language.data({ language }),
      })),
      [operatorButton(texts), ...(isGroup ? [] : [homeButton(texts)])],
    ],
  }
}

/** Shows the operator's menu: what waits for a decision, and the ways to all else. */
export async function operatorScreenFor(ctx: BotContext): Promise<Screen> {
  return operatorScreen(ctx.texts, await queuesFor(ctx), ctx.chat?.type !== 'private')
}

/** Shows what waits for a decision, of every kind. */
export async function decideScreenFor(ctx: BotContext): Promise<Screen> {
  return decideScreen(ctx.texts, await queuesFor(ctx))
}

/** Shows the set-up of the shop and of the chat. */
export function setUpScreenFor({ texts, chat, session }: BotContext): Screen {
  const otherLanguages = LANGUAGES.filter((language) => language !== session.language)
  return setUpScreen(texts, chat?.type === 'private' ? undefined : otherLanguages)
}

async function queuesFor(ctx: BotContext): Promise<Queue[]> {
  const { core, texts, support } = ctx
  const { buttons } = texts.operator
  const { total: doubtful } = await core.operator.suppliers.calls({ which: 'in_doubt', pageSize: 1 })
  const { total: payments } = await core.operator.payments.page(1, 1)
  const open = await core.operator.replacements.list({ open: true })
  const replacements = open.filter(({ status }) => status === 'requested').length
  const { total: payouts } = await core.operator.payouts.list({ status: 'requested', pageSize: 1 })
  const tickets = support === 'tickets' ? (await core.operator.support.list()).open : undefined
  const { total: failing } = await core.operator.jobs.failing(1, 1)
  const queue = (text: string, data: string, count: number, deed: Deed, rare = false): Queue => ({
    button: { text, data },
    count,
    mine: allows(ctx, deed),
    rare,
  })
  return [
    queue(buttons.doubtful(doubtful), OPERATOR.doubtful.data({ page: 1 }), doubtful, 'call.resolve', true),
    queue(buttons.payments(payments), OPERATOR.payments.data({ page: 1 }), payments, 'payment.assign'),
    queue(
      buttons.replacements(replacements),
      OPERATOR.replacements.data({ page: 1 }),
      replacements,
      'replacement.decide',
    ),
    queue(buttons.payouts(payouts), OPERATOR.payouts.data({ page: 1 }), payouts, 'payout.pay'),
    ...(tickets === undefined
      ? []
      : [
          queue(
            texts.support.buttons.tickets(tickets),
            DESK.list.data({ page: 1 }),
            tickets,
            'ticket.answer',
          ),
        ]),
    queue(texts.machine.buttons.jobs(failing), MACHINE.jobs.data(), failing, 'job.retry', true),
  ]
}
