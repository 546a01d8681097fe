import { InvalidInput } from '../../../core/errors.ts'
import type { NamedJob } from '../../../core/operator/named-jobs.ts'
import { MACHINE } from '../../actions/machine.ts'
import type { Action } from '../../kit/action.ts'
import { existingPage } from '../../kit/existing-page.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { askDropScreen, jobScreen, jobsScreen, settledScreen } from './job-screens.ts'

/** Background jobs that keep failing: tried again at once, or given up (rules 10.18). */
export function jobsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(MACHINE.jobs, (ctx, { page }) => showJobs(ctx, page))
  const onJob = (
    action: Action<typeof MACHINE.job.shape>,
    handle: (ctx: BotContext, job: NamedJob) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { id = 0 }) => {
      const job = await ctx.core.operator.jobs.find(id)
      if (job) return handle(ctx, job)
      await ctx.notify(ctx.texts.machine.jobs.gone, true)
      return showJobs(ctx)
    })
  onJob(MACHINE.job, (ctx, job) => ctx.show(jobScreen(ctx.texts, job)))
  onJob(MACHINE.retry, (ctx, { id }) =>
    settle(ctx, async () => {
      await ctx.core.operator.jobs.retry(by(ctx), id)
      return settledScreen(ctx.texts, ctx.texts.machine.jobs.retried)
    }),
  )
  onJob(MACHINE.askDrop, (ctx, job) => ctx.show(askDropScreen(ctx.texts, job)))
  onJob(MACHINE.drop, (ctx, { id }) =>
    settle(ctx, async () => {
      await ctx.core.operator.jobs.drop(by(ctx), id)
      return settledScreen(ctx.texts, ctx.texts.machine.jobs.dropped)
    }),
  )
  return feature
}

/** Carries out a change; shows the list when the job is done or cannot be dropped in the meantime. */
async function settle(
  ctx: BotContext,
  change: () => Promise<ReturnType<typeof settledScreen>>,
): Promise<unknown> {
  try {
    return await ctx.show(await change())
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    await ctx.notify(ctx.texts.machine.jobs.gone, true)
    return showJobs(ctx)
  }
}

async function showJobs(ctx: BotContext, page = 1): Promise<unknown> {
  const list = (number: number) => ctx.core.operator.jobs.failing(number)
  return ctx.show(jobsScreen(ctx.texts, await existingPage(page, list)))
}
