import type { AccountSummary } from '../../../core/records/account-summary.ts'
import { pack } from '../../kit/callback-data.ts'
import { amount } from '../../kit/format.ts'
import { type Html, lines } from '../../kit/html.ts'
import type { Texts } from '../../texts/index.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import { withNote } from '../../kit/simple-screens.ts'
import { ACTION } from '../../kit/buttons.ts'

/** What a good clerk would say next. */
interface Advice {
  readonly text: Html
  /** The button that does it. */
  readonly action: string
  /** Where the button leads then, if not where it always does: callback data. */
  readonly to?: string
}

/** The main menu: how things stand, one thing worth doing, and the way to everything. */
export function homeScreen(texts: Texts, summary: AccountSummary, note?: string): Screen {
  const { home, buttons } = texts
  const advice = adviceFor(texts, summary)
  const button = (text: string, action: string): Button =>
    action === advice?.action ? { text, data: advice.to ?? action, style: 'primary' } : { text, data: action }
  const { activeProxies, expiringSoon, trafficBought, trafficLeft } = summary
  const isAgent = summary.role === 'agent'
  const text = lines(
    home.title,
    '',
    home.account(summary.username),
    home.balance(amount(summary.balance, summary.currency)),
    home.proxies(activeProxies),
    expiringSoon > 0 ? home.expiring(expiringSoon) : undefined,
    trafficBought > 0 ? home.traffic(gigabytes(trafficLeft)) : undefined,
    isAgent ? home.subUsers(summary.subUsers) : undefined,
    ...(advice ? ['' as const, advice.text] : []),
  )
  return {
    text: withNote(text, note),
    buttons: [
      [button(buttons.buy, ACTION.buy), button(home.buttons.traffic, ACTION.traffic)],
      [button(buttons.proxies, ACTION.proxies), button(home.buttons.topUp, ACTION.topUp)],
      isAgent
        ? [button(home.buttons.subUsers, ACTION.subUsers), button(home.buttons.dashboard, ACTION.dashboard)]
        : [],
      [button(home.buttons.records, ACTION.records), button(home.buttons.settings, ACTION.settings)],
      [button(buttons.help, ACTION.help)],
    ],
  }
}

/** The most pressing thing first: what is about to be lost, then what is missing, then what was never tried. */
function adviceFor({ home, date }: Texts, summary: AccountSummary): Advice | undefined {
  const { next } = home
  const { toRenew, nextExpiry, balance, role, subUsers, hasOrdered, trafficBought, trafficLeft } = summary
  if (toRenew > 0 && nextExpiry !== null)
    return {
      text: next.renew(toRenew, date(new Date(nextExpiry))),
      action: ACTION.proxies,
      to: pack(ACTION.proxies, 'expiring', 1),
    }
  if (balance === 0) return { text: next.topUp, action: ACTION.topUp }
  if (trafficBought > 0 && trafficLeft === 0) return { text: next.traffic, action: ACTION.traffic }
  if (role === 'agent' && subUsers === 0) return { text: next.firstSubUser, action: ACTION.subUsers }
  if (role === 'user' && !hasOrdered) return { text: next.firstOrder, action: ACTION.buy }
  return undefined
}
