import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import type { ExitOverview } from '../../../core/gateway/exits.ts'
import { OPERATOR } from '../../actions/operator.ts'
import { ask, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { exitChangeFromLine, exitFromLine } from './exit-line.ts'
import {
  addExitScreen,
  askRemoveScreen,
  editExitScreen,
  exitScreen,
  exitsScreen,
  gatewayScreen,
  tryingScreen,
} from './exit-screens.ts'

/** Manages the exits of the gateway's traffic, and shows the state of the gateway. */
export function exitsFeature(): Feature {
  const feature = new Feature(isOperatorChat)

  feature.command('exits', (ctx) => showExits(ctx))
  feature.on(OPERATOR.exits, (ctx, { page }) => showExits(ctx, page))
  feature.on(OPERATOR.gateway, async (ctx) => {
    const { trafficBytes = 0 } = await ctx.core.operator.dayFigures()
    return ctx.show(gatewayScreen(viewOf(ctx), await ctx.core.operator.gateway(), trafficBytes))
  })
  const onExit = (
    action: Action<typeof OPERATOR.exit.shape>,
    handle: (ctx: BotContext, exit: ExitOverview) => Promise<Screen>,
  ) =>
    feature.on(action, async (ctx, { id }) => {
      try {
        const exit = await findExit(ctx, id)
        if (exit) return await ctx.show(await handle(ctx, exit))
      } catch (error) {
        // Somebody else has removed it meanwhile.
        if (!(error instanceof ServiceError)) throw error
      }
      await ctx.notify(ctx.texts.operator.exits.gone, true)
      return showExits(ctx)
    })
  onExit(OPERATOR.exit, async (ctx, exit) => exitScreen(viewOf(ctx), exit))
  onExit(OPERATOR.testExit, async (ctx, { id }) => {
    await ctx.show(tryingScreen(ctx.texts))
    return screenOf(ctx, id, await tried(ctx, id))
  })
  onExit(OPERATOR.pauseExit, async (ctx, { id }) => {
    await ctx.core.operator.exits.pause(by(ctx), id)
    return screenOf(ctx, id)
  })
  onExit(OPERATOR.resumeExit, async (ctx, { id }) => {
    await ctx.core.operator.exits.resume(by(ctx), id)
    return screenOf(ctx, id)
  })
  onExit(OPERATOR.askRemoveExit, async (ctx, exit) => askRemoveScreen(viewOf(ctx), exit))
  onExit(OPERATOR.removeExit, async (ctx, { id }) => {
    await ctx.core.operator.exits.remove(by(ctx), id)
    await ctx.notify(ctx.texts.operator.exits.removed(id))
    return exitsScreenFor(ctx)
  })
  feature.on(OPERATOR.editExit, async (ctx, { id = 0 }) =>
    (await findExit(ctx, id)) ? ask(ctx, exitChange, { id }) : showExits(ctx),
  )
  feature.on(OPERATOR.addExit, (ctx) => ask(ctx, exitLine, null))
  return feature
}

async function exitsScreenFor(ctx: BotContext, page = 1): Promise<Screen> {
  return exitsScreen(viewOf(ctx), await ctx.core.operator.gateway(), page)
}

async function showExits(ctx: BotContext, page?: number): Promise<unknown> {
  return ctx.show(await exitsScreenFor(ctx, page))
}

async function findExit({ core }: BotContext, id: number | undefined): Promise<ExitOverview | undefined> {
  return (await core.operator.exits.list()).find((exit) => exit.id === id)
}

/** The exit as it stands now; the list when it is gone. */
async function screenOf(ctx: BotContext, id: number, note?: Html): Promise<Screen> {
  const exit = await findExit(ctx, id)
  return exit ? exitScreen(viewOf(ctx), exit, note) : exitsScreenFor(ctx)
}

/** Tries an exit and words the result, or the refusal of the core. */
async function tried({ core, texts }: BotContext, id: number): Promise<Html> {
  const words = texts.operator.exits
  try {
    const { failure, connectMs, totalMs, exitAddress } = await core.operator.exits.test(id)
    if (failure) return words.fails(texts.orders.check.reasons[failure.reason], words.stages[failure.stage])
    return words.works(connectMs ?? 0, totalMs ?? 0, exitAddress ?? undefined)
  } catch (error) {
    const problem = ruleOf(texts, error)
    if (problem === undefined) throw error
    return html`🔴 ${problem}`
  }
}

/** Words the core's refusal of an exit; undefined for another error. */
function ruleOf({ operator: { exits } }: Texts, error: unknown): string | undefined {
  const rule = error instanceof InvalidInput ? (error.issues[0]?.message ?? '') : ''
  const { rules } = exits
  return rule in rules ? rules[rule as keyof typeof rules] : undefined
}

/** A new exit, in one line as the command line takes it. The message, which may hold credentials, is deleted. */
const exitLine: OperatorQuestion<null> = {
  name: 'exit.add',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, addExitScreen(ctx.texts)),
  answer: async (ctx, _actor, _state, line) => {
    const { exits: words } = ctx.texts.operator
    const exit = exitFromLine(line)
    if (!exit) return { problem: words.notALine }
    return orProblem(ctx, async () => {
      const { id } = await ctx.core.operator.exits.add(by(ctx), exit)
      return { screen: await screenOf(ctx, id, words.added) }
    })
  },
}

/** Changes of an exit, in one line with the options of a new one. */
const exitChange: OperatorQuestion<{ id: number }> = {
  name: 'exit.edit',
  forOperator: true,
  prompt: (ctx, _actor, { id }) => askedIn(ctx, editExitScreen(ctx.texts, id)),
  answer: async (ctx, _actor, { id }, line) => {
    const { exits: words } = ctx.texts.operator
    const change = exitChangeFromLine(line)
    if (!change) return { problem: words.notAChange }
    return orProblem(ctx, async () => {
      await ctx.core.operator.exits.edit(by(ctx), id, change)
      return { screen: await screenOf(ctx, id, words.changed) }
    })
  },
}

async function orProblem({ texts }: BotContext, change: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await change()
  } catch (error) {
    const problem = ruleOf(texts, error)
    if (problem === undefined) throw error
    return { problem }
  }
}

export const exitQuestions = [exitLine, exitChange]
