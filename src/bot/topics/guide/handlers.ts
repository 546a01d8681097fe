import { GUIDE } from '../../actions/guide.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { exampleFor } from './example.ts'
import { applicationScreen, guideScreen, wordsScreen } from './screens.ts'

/** Explains how proxies are used, also to people who are not logged in: they see a made-up proxy. */
export function guideFeature(): Feature {
  const feature = new Feature()
  feature.command('guide', (ctx: BotContext) => ctx.show(guideScreen(viewOf(ctx), {})))
  feature.on(GUIDE.home, (ctx, place) => ctx.show(guideScreen(viewOf(ctx), place)))
  feature.on(GUIDE.words, (ctx, place) => ctx.show(wordsScreen(viewOf(ctx), place)))
  feature.on(GUIDE.application, async (ctx, { application = 'browser', ...place }) =>
    ctx.show(applicationScreen(viewOf(ctx), application, place, await exampleFor(ctx, place))),
  )
  return feature
}
