import { PROGRAMS } from '../../actions/programs.ts'
import { Feature } from '../../session/feature.ts'
import { programsScreen } from './screens.ts'

/** The screen that leads to an account's API keys and webhooks. */
export function programsFeature(): Feature {
  const feature = new Feature()
  feature.onMember(PROGRAMS.home, async ({ core, texts, publicUrl }, actor) => {
    const keys = await core.apiKeys.list(actor, { pageSize: 1 })
    const webhooks = await core.webhooks.list(actor, { pageSize: 1 })
    return programsScreen(texts, publicUrl, { keys: keys.total, webhooks: webhooks.total })
  })
  return feature
}
