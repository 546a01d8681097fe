import type { Core } from '../../core/core.ts'
import type { FollowingScreen, ScreenRefresher } from '../../core/screens/refresh-screens.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotsOfAgents } from '../transport/agent-bots.ts'
import { resultOf } from '../transport/delivery-result.ts'
import { memoryOf } from './screen-memory.ts'
import { show } from './show.ts'
import type { OfBrand } from './view-of.ts'

/** The screen that a chat follows, as it is now; undefined when nobody waits for it any more. */
export type FollowedScreen = (core: Core, following: BrandedScreen) => Promise<Screen | undefined>

/** A chat that follows something. */
export type BrandedScreen = OfBrand<FollowingScreen>

/** Redraws a live screen that follows something which has changed, unless the chat shows another one meanwhile. */
export function createScreenRefresher(
  agentBots: BotsOfAgents,
  core: Core,
  screenOf: FollowedScreen,
): ScreenRefresher {
  return async (following) => {
    const { chatId, messageId } = following
    try {
      if (!(await core.chats.isFollowing(chatId, following))) return { status: 'void' }
      const brand = await agentBots.brandOfChat(chatId)
      const screen = await screenOf(core, { ...following, brand })
      if (!screen) return { status: 'void' }
      const shown = await show(await agentBots.apiOf(chatId), chatId, screen, messageId, following.viewer.id)
      await core.chats.setScreen(chatId, shown, memoryOf(screen))
      return { status: 'sent' }
    } catch (error) {
      return resultOf(error)
    }
  }
}
