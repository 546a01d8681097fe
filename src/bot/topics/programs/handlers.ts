import { Feature } from '../../session/feature.ts'
import { PROGRAMS } from './actions.ts'
import { programsScreen } from './screens.ts'

/** The way to what an account has for programs. */
export function programsFeature(): Feature {
  const feature = new Feature()
  feature.onMember(PROGRAMS.home, async ({ core, texts, publicUrl }, actor) => {
    const { total } = await core.apiKeys.list(actor, { pageSize: 1 })
    return programsScreen(texts, publicUrl, total)
  })
  return feature
}
