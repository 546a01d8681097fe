import type { AdjustmentsPlan } from '../../../core/accounts/adjust-sub-users.ts'
import type { SubUser } from '../../../core/accounts/sub-user.ts'
import type { Micros } from '../../../core/money.ts'
import type { RenewalOfUser, RenewalsOfUsers } from '../../../core/orders/renew-for-users.ts'
import type { Page } from '../../../core/page.ts'
import { AS_LEFT, USERS } from '../../actions/users.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { errorText } from '../../kit/errors.ts'
import { amount, balanceText, signed } from '../../kit/format.ts'
import { pager } from '../../kit/pager.ts'
import { grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import { CHOICE } from './adjust-prompts.ts'

export const PICKED_PER_PAGE = 8
/** Orders and names that are shown one by one. */
const SHOWN = 15
/** Choices of days: proxies that expire within so many are renewed. */
export const RENEWAL_DAYS = [1, 3, 7, 30]

/** Sub-users with a mark on those that are picked, and what can be done with them. */
export function pickScreen(
  { texts, currency }: View,
  { items, total, page, pageSize }: Page<SubUser>,
  ids: readonly number[],
  search: string | undefined,
  note?: Html,
): Screen {
  const { users } = texts
  const { buttons } = users.picked
  const chosen = new Set(ids)
  return {
    text: lines(
      ...(note ? [note, '' as const] : []),
      users.picked.title(ids.length, total),
      search === undefined ? undefined : users.searched(search),
    ),
    buttons: [
      ...items.map(({ id, username, balance }) => [
        {
          text: users.button(chosen.has(id) ? '☑️' : '⬜️', username, balanceText(balance, currency)),
          name: username,
          data: USERS.pick.data({ id, on: !chosen.has(id), page }),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => USERS.select.data({ page: to })),
      [
        { text: buttons.all, data: USERS.pickAll.data({ on: true, page }) },
        { text: buttons.none, data: USERS.pickAll.data({ on: false, page }) },
        { text: buttons.names, data: USERS.pickNames.data() },
      ],
      ...(ids.length === 0
        ? []
        : grid(
            [
              { text: buttons.adjust, data: USERS.adjustPicked.data() },
              { text: buttons.renew, data: USERS.renewPicked.data({ days: 7 }) },
              { text: users.buttons.enable, data: USERS.statusOfPicked.data({ status: 'active' }) },
              { text: users.buttons.disable, data: USERS.statusOfPicked.data({ status: 'disabled' }) },
              { text: users.buttons.message, data: USERS.message.data({ picked: true }) },
            ],
            2,
          )),
      [backButton(texts, USERS.list.data({ position: AS_LEFT })), homeButton(texts)],
    ],
  }
}

const backToPicked = USERS.select.data()

/** Asks how much each picked sub-user gets, or gives back. */
export function amountsPrompt({ texts, currency }: View, count: number, own: Micros): Prompt {
  const { picked } = texts.users
  return promptScreen(
    texts,
    lines(picked.adjustTitle(count), '', picked.askAmount(balanceText(own, currency))),
    backToPicked,
  )
}

export function remarksPrompt({ texts, currency }: View, count: number, change: Micros): Prompt {
  const { picked, adjust, create } = texts.users
  const { text, buttons } = promptScreen(
    texts,
    lines(picked.adjustTitle(count), '', adjust.change(signed(change, currency)), '', adjust.askRemark),
    backToPicked,
  )
  return { text, buttons: [[{ text: create.buttons.skip, answer: CHOICE.skip }], ...buttons] }
}

/** Asks to confirm the changes; shows each balance before and after. */
export function confirmAmountsPrompt(
  { texts, currency }: View,
  { users, total, agentBalance, agentBalanceAfter }: AdjustmentsPlan,
  change: Micros,
  remark: string | null,
): Prompt {
  const { picked, adjust, remark: remarkLine, ownBalance, createMany } = texts.users
  const show = (micros: Micros) => amount(micros, currency)
  const held = (micros: Micros) => balanceText(micros, currency)
  const { text, buttons } = promptScreen(
    texts,
    lines(
      picked.adjustTitle(users.length),
      '',
      adjust.change(signed(change, currency)),
      remarkLine(remark ?? texts.records.remarks.adjusted_by_agent),
      '',
      ...users
        .slice(0, SHOWN)
        .map(({ username, balance }) => adjust.theirs(username, held(balance), held(balance + change))),
      users.length > SHOWN ? createMany.more(users.length - SHOWN) : undefined,
      '',
      picked.total(signed(total, currency)),
      ownBalance(held(agentBalance), held(agentBalanceAfter)),
    ),
    backToPicked,
  )
  const book = {
    text: change > 0 ? adjust.add(show(total)) : adjust.deduct(show(-total)),
    answer: CHOICE.book,
    style: change > 0 ? ('success' as const) : ('danger' as const),
  }
  return { text, buttons: [[book], ...buttons] }
}

export function confirmStatusPrompt({ texts }: View, count: number, status: 'active' | 'disabled'): Prompt {
  const { picked, buttons: labels } = texts.users
  const { text, buttons } = promptScreen(texts, picked.askStatus(count, status), backToPicked)
  return {
    text,
    buttons: [
      [
        {
          text: status === 'active' ? labels.enable : labels.disable,
          answer: CHOICE.book,
          style: status === 'active' ? 'success' : 'danger',
        },
      ],
      ...buttons,
    ],
  }
}

const PAY = 'pay-'
/** The answer that pays for renewals what was shown, and no more. */
const payAnswer = (total: Micros) => `${PAY}${total}`
/** Returns the total in a {@link payAnswer}; undefined for another answer. */
export function paid(answer: string): Micros | undefined {
  return /^pay-\d{1,15}$/.test(answer) ? Number(answer.slice(PAY.length)) : undefined
}

/** Asks to confirm the renewals; shows whose proxies are renewed at what price. */
export function renewalsPrompt(view: View, days: number, quote: RenewalsOfUsers): Prompt {
  const { texts, currency } = view
  const { picked } = texts.users
  const possible = quote.renewals.filter(({ error }) => error === undefined)
  const { text, buttons } = promptScreen(
    texts,
    lines(picked.renewTitle(days), '', ...renewalLines(view, quote), '', picked.renewTerms),
    backToPicked,
  )
  return {
    text,
    buttons: [
      possible.length === 0
        ? []
        : [
            {
              text: picked.renewNow(amount(quote.totalAmount, currency)),
              answer: payAnswer(quote.totalAmount),
              style: 'success',
            },
          ],
      RENEWAL_DAYS.map((each) => ({
        text: `${each === days ? '✓ ' : ''}${picked.days(each)}`,
        answer: String(each),
      })),
      ...buttons,
    ],
  }
}

/** What came of the renewals. */
export function renewedText(view: View, result: RenewalsOfUsers): Html {
  return lines(
    view.texts.users.picked.renewed(amount(result.totalAmount, view.currency)),
    ...renewalLines(view, result),
  )
}

function renewalLines({ texts, currency }: View, { renewals, more }: RenewalsOfUsers): Html[] {
  const { picked, createMany } = texts.users
  if (renewals.length === 0) return [picked.nothingExpires]
  const line = ({ username, instances, amount: price, error }: RenewalOfUser) =>
    picked.renewal(
      username,
      instances.length,
      price === undefined ? undefined : amount(price, currency),
      error === undefined ? undefined : errorText(texts, error),
    )
  // What needs attention comes first.
  const shown = renewals.toSorted((a, b) => Number(a.error === undefined) - Number(b.error === undefined))
  return [
    ...shown.slice(0, SHOWN).map(line),
    ...(renewals.length > SHOWN ? [createMany.more(renewals.length - SHOWN)] : []),
    ...(more ? [picked.moreLater] : []),
  ]
}
