import type { Core } from '../../../core/core.ts'
import {
  accountOfFollowed,
  type FollowingScreen,
  followedBalance,
} from '../../../core/chats/refresh-screens.ts'
import type { Screen } from '../../kit/screen.ts'
import type { FollowedScreen } from '../../session/screen-refresher.ts'
import { followedView } from '../../session/view-of.ts'
import { textsOf } from '../../texts/index.ts'
import { topUpPicture } from './pictures.ts'
import { moneyArrivedScreen, topUpScreen } from './screens.ts'

/** The screen that waits for a top-up or for money. */
export const followedTopUp: FollowedScreen = (core, following) => {
  const accountId = accountOfFollowed(following.follows)
  return accountId === undefined ? paidScreen(core, following) : arrivedScreen(core, following, accountId)
}

async function paidScreen(core: Core, { follows, viewer, ...chat }: FollowingScreen): Promise<Screen> {
  const topUp = await core.topUps.look(viewer, follows)
  const view = await followedView(core, chat)
  return topUpScreen(view, topUp, await topUpPicture(topUp.status, topUp.wallet))
}

/** Undefined when no purchase of this account waits any more. */
async function arrivedScreen(
  core: Core,
  { draft, viewer, ...chat }: FollowingScreen,
  accountId: number,
): Promise<Screen | undefined> {
  const { resume, resumeFor, resumeNeeds = 0 } = draft
  if (resume === undefined || resumeFor !== accountId) return undefined
  const own = accountId === viewer.id
  const { balance, username } = own
    ? { ...(await core.accounts.balance(viewer)), username: undefined }
    : await core.accounts.getSubUser(viewer, accountId)
  const missing = resumeNeeds - balance
  const view = { texts: textsOf(chat), currency: core.currency }
  const screen = moneyArrivedScreen(view, { username, balance, missing, resume })
  return missing > 0 ? { ...screen, follows: followedBalance(accountId) } : screen
}
