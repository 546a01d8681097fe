import type { CreatedSubUser, SubUserOfMany, SubUsersPlan } from '../../../core/accounts/create-sub-users.ts'
import { fromNumber, type Micros } from '../../../core/money.ts'
import { START } from '../../actions/list-position.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { amount, balanceText } from '../../kit/format.ts'
import { MAX_COPY, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

/** Parts of a new sub-user, in the order in which they are asked for. */
export const PARTS = ['username', 'password', 'email', 'phone', 'balance', 'remark'] as const
export type Part = (typeof PARTS)[number]

/** What a button of these questions answers. */
export const CHOICE = { skip: 'skip', skipAll: 'rest', make: 'make', create: 'yes' } as const

/** Initial balances to choose from, in units of the currency. */
const QUICK_BALANCES = [10, 50, 100]
/** How many of a list are shown before it is created. */
const SHOWN = 10

/**
 * Asks for one part.
 *
 * @param agentBalance what an initial balance can be taken from
 */
export function partPrompt(
  { texts, currency }: View,
  part: Part,
  user: Partial<SubUserOfMany>,
  agentBalance: Micros,
): Prompt {
  const { create } = texts.users
  const { text, buttons } = promptScreen(
    texts,
    lines(
      create.title,
      '',
      ...(user.username === undefined ? [] : [create.username(user.username), '' as const]),
      ...(part === 'balance' ? [create.left(balanceText(agentBalance, currency)), '' as const] : []),
      create.ask[part],
    ),
    USERS.list.data({ position: AS_LEFT }),
  )
  return { text, buttons: [...answersFor(part, create.buttons), ...buttons] }
}

function answersFor(
  part: Part,
  texts: { skip: string; skipAll: string; make: string },
): readonly (readonly AnswerButton[])[] {
  if (part === 'username') return []
  if (part === 'password') return [[{ text: texts.make, answer: CHOICE.make }]]
  const quick = QUICK_BALANCES.map((units) => ({ text: String(units), answer: String(units) }))
  const skip = { text: texts.skip, answer: CHOICE.skip }
  return [
    part === 'balance' ? quick : [],
    part === 'remark' ? [skip] : [skip, { text: texts.skipAll, answer: CHOICE.skipAll }],
  ]
}

/** Asks to confirm a new sub-user; shows everything that will happen. */
export function confirmUserPrompt(view: View, user: SubUserOfMany, plan: SubUsersPlan): Prompt {
  const { texts, currency } = view
  const { create } = texts.users
  const { email, phone, remark } = user
  return {
    text: lines(
      create.title,
      '',
      create.username(user.username),
      create.password(user.password !== undefined),
      email ? texts.users.email(email) : undefined,
      phone ? texts.users.phone(phone) : undefined,
      remark ? texts.users.remark(remark) : undefined,
      create.initial(amount(plan.total, currency)),
      '',
      ...balanceLines(view, plan),
    ),
    buttons: confirmButtons(view, create.buttons.create(1)),
  }
}

/** Asks for a list of sub-users. */
export function listPrompt({ texts }: View): Prompt {
  return promptScreen(texts, texts.users.createMany.ask, USERS.list.data({ position: AS_LEFT }))
}

export function confirmListPrompt(view: View, users: readonly SubUserOfMany[], plan: SubUsersPlan): Prompt {
  const { texts, currency } = view
  const { create, createMany } = texts.users
  const shown = users
    .slice(0, SHOWN)
    .map(({ username, password, balance }) =>
      createMany.line(username, password === undefined, amount(fromNumber(balance ?? 0) ?? 0, currency)),
    )
  return {
    text: lines(
      createMany.title(users.length),
      '',
      ...shown,
      users.length > SHOWN ? createMany.more(users.length - SHOWN) : undefined,
      '',
      createMany.total(amount(plan.total, currency)),
      ...balanceLines(view, plan),
      '',
      createMany.addMore,
    ),
    buttons: confirmButtons(view, create.buttons.create(users.length)),
  }
}

function balanceLines({ texts, currency }: View, { agentBalance, agentBalanceAfter }: SubUsersPlan): Html[] {
  const { ownBalance } = texts.users
  return [ownBalance(balanceText(agentBalance, currency), balanceText(agentBalanceAfter, currency))]
}

function confirmButtons({ texts }: View, label: string): Prompt['buttons'] {
  return [
    [{ text: label, answer: CHOICE.create, style: 'success' }],
    [{ text: texts.buttons.cancel, data: USERS.list.data({ position: AS_LEFT }) }],
  ]
}

/** Shows a sub-user that was just created, and this one time its password, if the service made it. */
export function createdScreen({ texts, currency }: View, user: CreatedSubUser, agentBalance: number): Screen {
  const { create, buttons } = texts.users
  const { id, username, password, activated, email } = user
  const credentials = password === undefined ? '' : `${username}\n${password}`
  return {
    text: lines(
      create.created(username, balanceText(user.balance, currency)),
      password === undefined ? undefined : create.made(password),
      activated ? undefined : create.mailed(email),
      '',
      create.left(balanceText(agentBalance, currency)),
    ),
    buttons: [
      credentials !== '' && credentials.length <= MAX_COPY
        ? [{ text: buttons.copyLogin, copy: credentials }]
        : [],
      [
        ...(activated ? [{ text: buttons.invite, data: USERS.invite.data({ id, position: START }) }] : []),
        { text: buttons.open, data: USERS.view.data({ id, position: START }) },
      ],
      [{ text: buttons.another, data: USERS.create.data() }],
      [backButton(texts, USERS.list.data()), homeButton(texts)],
    ],
  }
}

/** Whether the service made its password, which cannot be read again. */
export const hasNewPassword = ({ password }: CreatedSubUser): boolean => password !== undefined

/** Many sub-users were just created; the log-ins that were made here are in the file above. */
export function listCreatedScreen(
  { texts, currency }: View,
  users: readonly CreatedSubUser[],
  plan: SubUsersPlan,
): Screen {
  const { createMany, create } = texts.users
  const waiting = users.filter(({ activated }) => !activated).length
  return {
    text: lines(
      createMany.created(users.length, amount(plan.total, currency)),
      users.some(hasNewPassword) ? createMany.passwords : undefined,
      waiting > 0 ? createMany.mailed(waiting) : undefined,
      '',
      create.left(balanceText(plan.agentBalanceAfter, currency)),
    ),
    buttons: [[backButton(texts, USERS.list.data()), homeButton(texts)]],
  }
}
