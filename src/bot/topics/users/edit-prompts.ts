import type { SubUser } from '../../../core/accounts/sub-user.ts'
import type { Micros } from '../../../core/money.ts'
import type { Bytes } from '../../../core/bytes.ts'
import type { CONTACT_FIELDS } from '../../actions/users.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { amount } from '../../kit/format.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

/** Answer of the button that has the service make a password. */
export const MAKE = 'make'
/** Answer of the button that empties a field. */
export const CLEAR = 'clear'

export function newUsernamePrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  return promptScreen(texts, texts.users.askUsername(username), cancel)
}

export function newPasswordPrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  const { text, buttons } = promptScreen(texts, texts.users.askPassword(username), cancel)
  return { text, buttons: [[{ text: texts.users.create.buttons.make, answer: MAKE }], ...buttons] }
}

/** Asks for an e-mail address, a phone number or a remark. */
export function contactPrompt(
  { texts }: View,
  user: SubUser,
  field: (typeof CONTACT_FIELDS)[number],
  cancel: string,
): Prompt {
  const { users } = texts
  const { text, buttons } = promptScreen(
    texts,
    lines(
      users.askContact(user.username, field),
      user[field] === '' ? undefined : users[field](user[field]),
      '',
      users.create.ask[field],
    ),
    cancel,
  )
  return {
    text,
    buttons: [...(user[field] === '' ? [] : [[{ text: users.buttons.clear, answer: CLEAR }]]), ...buttons],
  }
}

/**
 * @param returned what the agent gets back
 * @param trafficLeft what is lost with the account, sub-accounts included
 */
export function deletionPrompt(
  { texts, currency }: View,
  { username, balance }: SubUser,
  { activeProxies, returned, trafficLeft }: { activeProxies: number; returned: Micros; trafficLeft: Bytes },
  cancel: string,
): Prompt {
  const text: Html = texts.users.askDeletion({
    username,
    balance: balance > 0 ? amount(balance, currency) : undefined,
    returns: returned > 0,
    activeProxies,
    traffic: trafficLeft > 0 ? gigabytes(trafficLeft, texts) : undefined,
  })
  return promptScreen(texts, text, cancel)
}
