import type { Api } from 'grammy'
import type { Core } from '../../core/core.ts'
import type { ScreenRefresher } from '../../core/top-ups/refresh-screens.ts'
import { LOCALES } from '../locales/index.ts'
import { resultOf } from '../notices/messenger.ts'
import { memoryOf } from '../screen.ts'
import { topUpScreen } from '../screens/top-ups.ts'
import { show } from '../show.ts'
import { topUpPicture } from './pictures.ts'

/** Shows a top-up anew in the chats whose live screen it is, without anybody having pressed a button. */
export function createScreenRefresher(api: Api, core: Core): ScreenRefresher {
  return async ({ chatId, language, messageId, orderNo, viewer }) => {
    try {
      const topUp = await core.topUps.look(viewer, orderNo)
      const view = { texts: LOCALES[language], language, currency: core.currency, now: core.now() }
      const screen = topUpScreen(view, topUp, await topUpPicture(topUp.status, topUp.wallet))
      const shown = await show(api, chatId, screen, messageId)
      await core.chats.setScreen(chatId, shown, memoryOf(screen))
      return { status: 'sent' }
    } catch (error) {
      return resultOf(error)
    }
  }
}
