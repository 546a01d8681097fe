import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import type { Brand } from '../../../core/bots/agent-bot.ts'
import type { Micros } from '../../../core/money.ts'
import type { AccountSummary } from '../../../core/records/account-summary.ts'
import { switchButtons } from '../../actions/accounts.ts'
import { BUY } from '../../actions/buy.ts'
import { EARNINGS } from '../../actions/earnings.ts'
import { GENERAL } from '../../actions/home.ts'
import { ORDERS, PROXIES } from '../../actions/orders.ts'
import { OWN_BOTS } from '../../actions/own-bots.ts'
import { RECORDS } from '../../actions/records.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { SUPPORT, supportButtons } from '../../actions/support.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import { TRAFFIC } from '../../actions/traffic.ts'
import { USERS } from '../../actions/users.ts'
import type { HOME } from '../../kit/buttons.ts'
import { balanceText } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Fraction of the bought traffic below which the rest is called low, as in the notice about it. */
const TRAFFIC_LOW = 0.2

/** An action whose button needs no parameters. */
type Entry = Pick<typeof HOME, 'data'>

/** A suggestion of what to do next. */
interface Advice {
  readonly text: Html
  /** The button that does it. */
  readonly action: Entry
  /** Callback data that the button gets in place of its usual one. */
  readonly to?: string
}

/**
 * The main menu: a summary of the account, what waits for the person, one suggestion, and buttons to all topics.
 *
 * @param extra.note what the person should know first
 * @param extra.goOn callback data that resumes a purchase that waits for money
 * @param extra.earnings what an agent has earned
 * @param extra.bot the bots of an agent, or the bot of a customer's agent
 * @param extra.others the other accounts that are logged in at the chat
 */
export function homeScreen(
  view: Pick<View, 'texts' | 'support'>,
  summary: AccountSummary,
  {
    note,
    goOn,
    others = [],
    earnings,
    bot,
  }: {
    readonly note?: string | undefined
    readonly goOn?: string | undefined
    readonly others?: readonly LoggedIn[]
    readonly earnings?: EarningsAtHome | undefined
    readonly bot?: BotAtHome | undefined
  } = {},
): Screen {
  const { texts } = view
  const { home, buttons } = texts
  const advice = adviceFor(texts, summary)
  const button = (text: string, action: Entry): Button =>
    action === advice?.action
      ? { text, data: advice.to ?? action.data(), style: 'primary' }
      : { text, data: action.data() }
  const { activeProxies, expiringSoon, trafficBought, trafficLeft } = summary
  const isAgent = summary.role === 'agent'
  const text = lines(
    home.title,
    '',
    home.account(summary.username),
    home.balance(balanceText(summary.balance, summary.currency)),
    home.proxies(activeProxies),
    expiringSoon > 0 ? home.expiring(expiringSoon) : undefined,
    trafficBought > 0
      ? home.traffic(gigabytes(trafficLeft, texts), trafficLeft < TRAFFIC_LOW * trafficBought)
      : undefined,
    isAgent ? home.subUsers(summary.subUsers) : undefined,
    isAgent ? earningsLine(texts, summary, earnings) : undefined,
    ...(advice ? ['' as const, advice.text] : []),
  )
  return {
    text: withNote(text, note),
    buttons: [
      ...waitingButtons(texts, summary, goOn),
      [button(buttons.buy, BUY.begin), button(home.buttons.traffic, TRAFFIC.list)],
      [button(buttons.proxies, PROXIES.list), button(home.buttons.topUp, TOP_UP.home)],
      isAgent
        ? [button(home.buttons.subUsers, USERS.list), button(home.buttons.dashboard, RECORDS.dashboard)]
        : [],
      isAgent
        ? [button(home.buttons.earnings, EARNINGS.home), button(home.buttons.prices, EARNINGS.prices)]
        : [],
      [button(home.buttons.records, RECORDS.all), button(home.buttons.settings, SETTINGS.home)],
      botButtons(texts, bot),
      [button(buttons.help, GENERAL.help), ...supportButtons(view)],
      switchButtons(texts, others),
    ],
  }
}

/** The bots of an agent, or the bot of a customer's agent. */
export type BotAtHome = 'own' | Pick<Brand, 'name'>

function botButtons({ ownBots }: Texts, bot: BotAtHome | undefined): Button[] {
  if (!bot) return []
  return bot === 'own'
    ? [{ text: ownBots.button, data: OWN_BOTS.home.data() }]
    : [{ text: `🤖 ${bot.name}`, name: bot.name, data: OWN_BOTS.enter.data() }]
}

/** What an agent has earned and not taken yet, and whether it has set any prices. */
export interface EarningsAtHome {
  readonly earned: Micros
  readonly hasPrices: boolean
}

/** Says what an agent has earned, or that there are no prices from which it could earn. */
function earningsLine(
  { home }: Texts,
  { currency }: AccountSummary,
  earnings: EarningsAtHome | undefined,
): Html | undefined {
  if (!earnings) return undefined
  const { earned, hasPrices } = earnings
  return earned === 0 && !hasPrices ? home.noEarnings : home.earnings(balanceText(earned, currency))
}

/** What is under way and may need the person, one row each (rules 17.5). */
function waitingButtons(
  { home }: Texts,
  { openTopUp, ordersUnderWay, openTickets }: AccountSummary,
  goOn: string | undefined,
): Button[][] {
  return [
    openTopUp === null ? [] : [{ text: home.waiting.topUp, data: TOP_UP.view.data({ orderNo: openTopUp }) }],
    goOn === undefined ? [] : [{ text: home.waiting.purchase, data: goOn }],
    ordersUnderWay === 0
      ? []
      : [
          {
            text: home.waiting.orders(ordersUnderWay),
            data: ORDERS.list.data({ filter: 'processing', page: 1 }),
          },
        ],
    openTickets === 0 ? [] : [{ text: home.waiting.tickets(openTickets), data: SUPPORT.list.data() }],
  ]
}

/** Chooses the most pressing suggestion: what does not work, what is about to be lost, then what is missing, then what was never tried. */
function adviceFor({ home, orders, date }: Texts, summary: AccountSummary): Advice | undefined {
  const { next } = home
  const {
    activeProxies,
    deadProxies,
    toRenew,
    nextExpiry,
    balance,
    role,
    subUsers,
    hasOrdered,
    trafficBought,
    trafficLeft,
  } = summary
  if (deadProxies > 0)
    return {
      text: next.dead(orders.dead(deadProxies, activeProxies)),
      action: PROXIES.list,
      to: PROXIES.list.data({ filter: 'dead' }),
    }
  if (toRenew > 0 && nextExpiry !== null)
    return {
      text: next.renew(toRenew, date(new Date(nextExpiry))),
      action: PROXIES.list,
      to: PROXIES.list.data({ filter: 'expiring' }),
    }
  if (balance === 0) return { text: next.topUp, action: TOP_UP.home }
  if (trafficBought > 0 && trafficLeft === 0) return { text: next.traffic, action: TRAFFIC.list }
  if (role === 'agent' && subUsers === 0) return { text: next.firstSubUser, action: USERS.list }
  if (role === 'user' && !hasOrdered) return { text: next.firstOrder, action: BUY.begin }
  return undefined
}
