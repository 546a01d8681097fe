import type { Actor } from '../../../core/access/actor.ts'
import type { ApiKey } from '../../../core/api-keys/api-key.ts'
import { KEYS } from '../../actions/programs.ts'
import { ask } from '../../dialogue/ask.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { apiKeyScreen, apiKeysScreen, KEYS_PER_PAGE, revokeScreen } from './api-key-screens.ts'
import { newApiKey, keyName } from './new-api-key.ts'

/** The API keys of an account (rules 1.15). */
export function apiKeysFeature(): Feature {
  const feature = new Feature()
  const onKey = (action: typeof KEYS.key, screen: (view: View, key: ApiKey) => Screen) =>
    feature.onMember(
      action,
      async (ctx, actor, { id }) => screen(viewOf(ctx), await ctx.core.apiKeys.get(actor, id)),
      (ctx, actor) => list(ctx, actor),
    )
  feature.onMember(KEYS.list, (ctx, actor, { page }) => list(ctx, actor, page))
  feature.onMember(KEYS.create, async (ctx) => {
    await ask(ctx, keyName, newApiKey())
    return undefined
  })
  onKey(KEYS.key, apiKeyScreen)
  onKey(KEYS.askRevoke, revokeScreen)
  feature.onMember(
    KEYS.revoke,
    async (ctx, actor, { id }) => apiKeyScreen(viewOf(ctx), await ctx.core.apiKeys.revoke(actor, id)),
    (ctx, actor) => list(ctx, actor),
  )
  return feature
}

async function list(ctx: BotContext, actor: Actor, wanted = 1): Promise<Screen> {
  const keys = await existingPage(wanted, (page) =>
    ctx.core.apiKeys.list(actor, { page, pageSize: KEYS_PER_PAGE }),
  )
  return apiKeysScreen(viewOf(ctx), keys)
}
