import type { Core } from '../../../core/core.ts'
import type { Followed } from '../../../core/chats/followed.ts'
import type { BrandedScreen } from '../../session/screen-refresher.ts'
import type { Screen } from '../../kit/screen.ts'
import { followedView } from '../../session/view-of.ts'
import { textsOf } from '../../texts/index.ts'
import { topUpPicture } from './pictures.ts'
import { moneyArrivedScreen, topUpScreen } from './screens.ts'

/** The screen that waits for the payment of a top-up. */
export async function paidScreen(
  core: Core,
  { viewer, ...chat }: BrandedScreen,
  { orderNo }: { readonly orderNo: string },
): Promise<Screen> {
  const topUp = await core.topUps.look(viewer, orderNo)
  const view = await followedView(core, chat)
  const network = core.topUps.network(topUp.network)
  return topUpScreen(view, network, topUp, await topUpPicture(network, topUp))
}

/** The screen that waits for money; undefined when no purchase of this account waits any more. */
export async function moneyScreen(
  core: Core,
  { draft, viewer, ...chat }: BrandedScreen,
  followed: Extract<Followed, { readonly kind: 'balance' }>,
): Promise<Screen | undefined> {
  const { accountId } = followed
  const { resume, resumeFor, resumeNeeds = 0 } = draft
  if (resume === undefined || resumeFor !== accountId) return undefined
  const own = accountId === viewer.id
  const { balance, username } = own
    ? { ...(await core.accounts.balance(viewer)), username: undefined }
    : await core.accounts.getSubUser(viewer, accountId)
  const missing = resumeNeeds - balance
  const view = { texts: textsOf(chat), currency: core.currency }
  const screen = moneyArrivedScreen(view, { username, balance, missing, resume })
  return missing > 0 ? { ...screen, follows: followed } : screen
}
