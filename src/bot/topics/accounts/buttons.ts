import type { LoggedIn } from '../../../core/accounts/chat-log-ins.ts'
import { ACCOUNTS } from '../../actions/accounts.ts'
import type { Button } from '../../kit/screen.ts'
import type { Texts } from '../../texts/index.ts'

/** So many accounts have a button each; more have a screen. */
const MOST = 2

/** A row that leads to the other accounts of a chat. */
export function switchButtons({ accounts }: Texts, others: readonly LoggedIn[]): Button[] {
  return others.length > MOST
    ? [{ text: accounts.buttons.all, data: ACCOUNTS.list.data() }]
    : others.map(({ id, username }) => ({
        text: accounts.buttons.switch(username),
        data: ACCOUNTS.switch.data({ account: id }),
      }))
}
