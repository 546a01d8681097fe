import type { SubUser } from '../../../core/accounts/sub-user.ts'
import type { Micros } from '../../../core/money.ts'
import type { Bytes } from '../../../core/traffic/bytes.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { amount } from '../../kit/format.ts'
import type { Html } from '../../kit/html.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'

/** What the button answers that has a password made. */
export const MAKE = 'make'

export function newUsernamePrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  return promptScreen(texts, texts.users.askUsername(username), cancel)
}

export function newPasswordPrompt({ texts }: View, { username }: SubUser, cancel: string): Prompt {
  const { text, buttons } = promptScreen(texts, texts.users.askPassword(username), cancel)
  return { text, buttons: [[{ text: texts.users.create.buttons.make, answer: MAKE }], ...buttons] }
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
    traffic: trafficLeft > 0 ? gigabytes(trafficLeft) : undefined,
  })
  return promptScreen(texts, text, cancel)
}
