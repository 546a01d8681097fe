import type { Brand } from '../../../core/bots/agent-bot.ts'
import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import { switchButtons } from '../../actions/accounts.ts'
import { GUIDE } from '../../actions/guide.ts'
import { GENERAL } from '../../actions/home.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { supportButtons } from '../../actions/support.ts'
import { homeButton } from '../../kit/buttons.ts'
import { amount, flag } from '../../kit/format.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { withNote } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { firstOf, type Sold } from './wares.ts'

/** Characters for the products, of the 1024 of a caption (Bot API). */
const MOST_CHARACTERS = 600
/** Flags beside a product. */
const MOST_FLAGS = 8

/** A registration link that works. */
export interface Offer {
  readonly token: string
  /** The agent that invites; undefined where the shop does. */
  readonly agent: string | undefined
  /** The start balance; 0 for none. */
  readonly trial: number
  /** The name under which one press registers. */
  readonly username: string
}

export interface Window {
  readonly note?: string | undefined
  /** Accounts that are still logged in at the chat after the acting one is not any more. */
  readonly others: readonly LoggedIn[]
  /** Accounts to which the chat logs in by a press. */
  readonly own: readonly Pick<LoggedIn, 'id' | 'username'>[]
  readonly sold: readonly Sold[]
  readonly offer: Offer | undefined
  /** The picture of what is sold. */
  readonly photo: string | undefined
  /** The agent whose bot it is; undefined for the shop's. */
  readonly brand: Pick<Brand, 'name' | 'welcome'> | undefined
  /** Whether somebody is logged in, who looks at a link. */
  readonly isMember: boolean
}

/** What is sold, for whoever is not logged in, and the ways in (rules 2.27). */
export function windowScreen(view: View, window: Window): Screen {
  const { texts, currency } = view
  const { sold, offer, note, photo, brand } = window
  const title = brand ? html`👋 <b>${brand.name}</b>` : texts.welcomeTitle
  const text = lines(
    sold.length === 0 && !brand ? texts.welcome : title,
    brand && brand.welcome !== '' ? html`${brand.welcome}` : undefined,
    '',
    offer?.agent === undefined ? undefined : texts.window.invites(offer.agent),
    '',
    ...productLines(view, sold),
    '',
    offer && offer.trial > 0 ? texts.window.trial(amount(offer.trial, currency)) : undefined,
    offer ? texts.window.register : brand ? texts.window.closed : texts.logInWith,
  )
  return {
    ...(photo !== undefined && { photo }),
    text: withNote(text, note),
    buttons: buttonsOf(view, window),
  }
}

function productLines({ texts }: View, sold: readonly Sold[]): Html[] {
  const told = sold.map(({ name, price, countries }) => {
    const where = countries.length === 0 ? '🌍' : firstOf(countries.map(flag), MOST_FLAGS, '')
    return price === undefined ? texts.window.product(name, where) : texts.window.priced(name, price, where)
  })
  let characters = 0
  const cut = told.findIndex((line) => (characters += line.length) > MOST_CHARACTERS)
  return cut === -1 ? told : [...told.slice(0, cut), texts.prices.more(told.length - cut)]
}

function buttonsOf(view: View, { others, own, offer, isMember }: Window): Button[][] {
  const { texts } = view
  const first = { style: 'primary' } as const
  const logIn = { text: texts.buttons.logIn, data: ACCESS.logIn.data() }
  const guide = { text: texts.guide.button, data: GUIDE.home.data() }
  const language = { text: texts.buttons.language, data: SETTINGS.language.data() }
  const help = { text: texts.buttons.help, data: GENERAL.help.data() }
  // Tickets need a log-in; a contact outside of the bot does not.
  const support = typeof view.support === 'object' ? supportButtons(view) : []
  const toOwn = own.map(({ id, username }) => [
    {
      text: texts.window.logInTo(username),
      name: username,
      data: ACCESS.logInTo.data({ account: id }),
      ...first,
    },
  ])
  const entry = [switchButtons(texts, others), ...toOwn]
  if (!offer)
    return [...entry, [toOwn.length > 0 ? logIn : { ...logIn, ...first }], [guide], [language, help], support]
  const { token, username } = offer
  return [
    ...entry,
    [
      {
        text: texts.window.registerAs(username),
        name: username,
        data: ACCESS.registerNow.data({ token }),
        ...(toOwn.length === 0 && first),
      },
    ],
    [logIn, { text: texts.window.otherName, data: ACCESS.otherName.data({ token }) }],
    [{ text: texts.prices.button, data: ACCESS.prices.data({ token }) }, language],
    ...(isMember ? [[homeButton(texts)]] : [[guide], [help, ...support]]),
  ]
}
