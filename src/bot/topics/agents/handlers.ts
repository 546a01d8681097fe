import type { AgentOverview } from '../../../core/accounts/list-agents.ts'
import { NewAgent } from '../../../core/accounts/create-account.ts'
import { adjusted } from '../../../core/accounts/plan-adjustment.ts'
import { InvalidInput, parseInput, ServiceError } from '../../../core/errors.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { decimalIn } from '../../../core/typed-number.ts'
import { randomText } from '../../../core/ids.ts'
import { fromNumber, toNumber } from '../../../core/money.ts'
import { AGENTS } from '../../actions/agents.ts'
import { ask, nextQuestion, type OperatorQuestion, type Outcome } from '../../dialogue/ask.ts'
import type { Action } from '../../kit/action.ts'
import { errorText, issueText } from '../../kit/errors.ts'
import { fieldProblem, readForm, wrongValue } from '../../kit/form.ts'
import { balanceText, grouped } from '../../kit/format.ts'
import { invitation } from '../../kit/invite-link.ts'
import type { Screen } from '../../kit/screen.ts'
import { amountAndRest, countIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { linkFor } from '../../session/link-for.ts'
import { askedIn, by, isOperatorChat } from '../../session/operator-chat.ts'
import { givenIn } from '../../session/given-in.ts'
import { viewOf } from '../../session/view-of.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { LOCALES, type Texts } from '../../texts/index.ts'
import {
  agentScreen,
  agentsScreen,
  askAdjustScreen,
  askDisableScreen,
  askFundingScreen,
  askLevelScreen,
  askNewScreen,
  confirmAdjustPrompt,
  confirmNewPrompt,
  priceTermsPrompt,
} from './screens.ts'

/** Agents, as the operator creates and changes them (rules 10.2, 10.3). */
export function agentsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.command('agents', async (ctx) => ctx.show(await listScreen(ctx)))
  feature.on(AGENTS.list, async (ctx, { page }) => ctx.show(await listScreen(ctx, page)))
  feature.on(AGENTS.create, (ctx) => ask(ctx, newAgent, null))
  feature.on(AGENTS.priceTerms, (ctx) => ask(ctx, priceTerms, null))
  const onAgent = (
    action: Action<typeof AGENTS.agent.shape>,
    handle: (ctx: BotContext, agent: AgentOverview) => Promise<unknown>,
  ) =>
    feature.on(action, async (ctx, { id }) => {
      const agent = await findAgent(ctx, id)
      if (agent) return handle(ctx, agent)
      await ctx.notify(ctx.texts.agents.gone, true)
      return ctx.show(await listScreen(ctx))
    })
  onAgent(AGENTS.agent, async (ctx, agent) => ctx.show(agentScreen(viewOf(ctx), agent)))
  onAgent(AGENTS.level, (ctx, { id }) => ask(ctx, level, { id }))
  onAgent(AGENTS.adjust, (ctx, { id }) => ask(ctx, adjustment, { id }))
  onAgent(AGENTS.link, async (ctx, { id, username }) => {
    try {
      return await ctx.show(await agentScreenFor(ctx, id, await linkNote(ctx, username)))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return ctx.notify(errorText(ctx.texts, error.code), true)
    }
  })
  onAgent(AGENTS.askFunding, async (ctx, agent) => ctx.show(await fundingScreen(ctx, agent)))
  feature.on(AGENTS.setFunding, async (ctx, { id, mint }) => {
    const agent = await findAgent(ctx, id)
    if (!agent) return ctx.show(await listScreen(ctx))
    try {
      await ctx.core.operator.editAgent(by(ctx), agent.username, { funding: mint ? 'mint' : 'transfer' })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      return ctx.show(await fundingScreen(ctx, agent))
    }
    return ctx.show(await agentScreenFor(ctx, id))
  })
  onAgent(AGENTS.askDisable, async (ctx, agent) => ctx.show(askDisableScreen(ctx.texts, agent)))
  feature.on(AGENTS.enable, async (ctx, { id, on }) => {
    const agent = await findAgent(ctx, id)
    if (agent) await ctx.core.operator.editAgent(by(ctx), agent.username, { enabled: on })
    return ctx.show(await agentScreenFor(ctx, id))
  })
  return feature
}

async function findAgent({ core }: BotContext, id: number | undefined): Promise<AgentOverview | undefined> {
  return (await core.operator.listAgents()).find((agent) => agent.id === id)
}

/** Asks for the other funding. Money of deleted sub-users blocks only the change from `mint` to `transfer`. */
async function fundingScreen(ctx: BotContext, agent: AgentOverview): Promise<Screen> {
  const left = agent.funding === 'mint' ? await ctx.core.operator.leftWithDeleted(agent.username) : []
  return askFundingScreen(ctx.texts, agent, left.length > 0)
}

async function listScreen(ctx: BotContext, page = 1): Promise<Screen> {
  const { operator, bots } = ctx.core
  const terms = await operator.agentPriceTerms()
  return agentsScreen(viewOf(ctx), await operator.listAgents(), { terms, haveBots: bots.enabled }, page)
}

/** The agent as it stands now; the list when it is gone. */
async function agentScreenFor(ctx: BotContext, id: number | undefined, note?: Html): Promise<Screen> {
  const agent = await findAgent(ctx, id)
  return agent ? agentScreen(viewOf(ctx), agent, note) : listScreen(ctx)
}

/** Makes a new link, which invalidates the earlier ones. */
async function linkNote(ctx: BotContext, username: string): Promise<Html> {
  const { core, texts } = ctx
  const { token, expiresAt } = await core.operator.inviteAgent(by(ctx), username)
  return texts.agents.link(await linkFor(ctx, invitation(token)), texts.zonedTime(expiresAt))
}

const FIELDS = { username: 'text', level: 'wholeNumber', balance: 'amount', funding: 'text' } as const
type Typed = { readonly input: Readonly<Record<string, unknown>>; readonly typed: string }

/** A new agent in one message; it sets its password by a link. */
const newAgent: OperatorQuestion<null> = {
  name: 'agents.new',
  forOperator: true,
  prompt: (ctx) => askedIn(ctx, askNewScreen(ctx.texts)),
  answer: (ctx, _actor, _state, text) => {
    const { agents } = ctx.texts
    // A username alone is enough.
    const form = /[:：\n]/.test(text)
      ? readForm(text, FIELDS, labels(), givenIn(ctx))
      : { values: { username: text } }
    if ('unknown' in form) return { problem: agents.unknownLine(form.unknown) }
    if ('wrong' in form) return { problem: wrongValue(ctx.texts, agents.labels, form) }
    const input = form.values
    try {
      parseInput(NewAgent, input)
    } catch (error) {
      return { problem: problemOf(ctx.texts, error) }
    }
    return nextQuestion(confirmNew, { input, typed: text })
  },
}

const confirmNew: OperatorQuestion<Typed> = {
  name: 'agents.confirm',
  forOperator: true,
  prompt: (ctx, _actor, { typed }) => confirmNewPrompt(ctx.texts, typed),
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, { input }) => {
    const { id, username } = await ctx.core.operator.createAgent(by(ctx), input as never)
    const note = lines(ctx.texts.agents.created, '', await linkNote(ctx, username))
    return { screen: await agentScreenFor(ctx, id, note) }
  },
}

function labels() {
  return Object.values(LOCALES).map(({ agents }) => agents.labels)
}

function problemOf(texts: Texts, error: unknown): string {
  const issue = error instanceof InvalidInput ? error.issues[0] : undefined
  if (!issue) throw error
  return fieldProblem(texts, texts.agents.labels, String(issue.path[0] ?? ''), issueText(texts, issue))
}

/** The bounds for prices set by agents: the limit (`2.5`), or limit and rounding step of markups (`2.5 0.05`); each also has buttons. */
const priceTerms: OperatorQuestion<null> = {
  name: 'agents.prices',
  forOperator: true,
  prompt: async (ctx) =>
    askedIn(ctx, priceTermsPrompt(viewOf(ctx), await ctx.core.operator.agentPriceTerms())),
  answer: takeTerms,
  choose: (ctx, _actor, _state, choice) => takeTerms(ctx, undefined, null, choice),
}

async function takeTerms(ctx: BotContext, _actor: undefined, _state: null, text: string): Promise<Outcome> {
  const [, limit, step] =
    /^(?:[×x]?\s*(\d[\d.,]*))?\s*(?:[+\s]\s*(\d[\d.,]*))?$/i.exec(halfWidth(text).trim()) ?? []
  if (limit === undefined && step === undefined) return { problem: ctx.texts.agents.notTerms }
  try {
    await ctx.core.operator.setAgentPriceTerms(by(ctx), {
      limit: limit === undefined ? undefined : numberIn(limit),
      step: step === undefined ? undefined : numberIn(step),
    })
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return { problem: ctx.texts.agents.notTerms }
  }
  return { screen: await listScreen(ctx) }
}

/** @returns what the core refuses for what is no number */
function numberIn(text: string): number {
  return Number(decimalIn(text) ?? Number.NaN)
}

const MAX_LEVEL = 9_999

/** The price level of an agent. */
const level: OperatorQuestion<{ id: number }> = {
  name: 'agents.level',
  forOperator: true,
  prompt: async (ctx, _actor, { id }) => {
    const agent = await findAgent(ctx, id)
    return agent ? askedIn(ctx, askLevelScreen(ctx.texts, agent)) : listScreen(ctx)
  },
  answer: async (ctx, _actor, { id }, text) => {
    const agent = await findAgent(ctx, id)
    const typed = countIn(text)
    if (typed === undefined || typed > MAX_LEVEL)
      return { problem: ctx.texts.input.wholeNumber(0, grouped(String(MAX_LEVEL))) }
    if (agent) await ctx.core.operator.editAgent(by(ctx), agent.username, { level: typed })
    return { screen: await agentScreenFor(ctx, id, html`${ctx.texts.agents.changed}`) }
  },
}

/** What is added to a balance, and why. */
const adjustment: OperatorQuestion<{ id: number }> = {
  name: 'agents.adjust',
  forOperator: true,
  prompt: async (ctx, _actor, { id }) => {
    const agent = await findAgent(ctx, id)
    return agent ? askedIn(ctx, askAdjustScreen(viewOf(ctx), agent)) : listScreen(ctx)
  },
  answer: async (ctx, _actor, { id }, text) => {
    const { micros: change = 0, rest = '' } = amountAndRest(text, ctx.core.currency) ?? {}
    if (change === 0 || rest === '') return { problem: ctx.texts.agents.notAnAdjustment }
    const agent = await findAgent(ctx, id)
    if (agent) adjusted(agent.balance, change)
    return nextQuestion(confirmAdjustment, {
      id,
      amount: toNumber(change),
      remark: rest,
      key: randomText(12),
    })
  },
}

const confirmAdjustment: OperatorQuestion<{
  id: number
  amount: number
  remark: string
  /** Idempotency key: a repeated press books once. */
  key: string
}> = {
  name: 'agents.adjust.confirm',
  forOperator: true,
  prompt: async (ctx, _actor, { id, amount: change, remark }) => {
    const agent = await findAgent(ctx, id)
    return agent ? confirmAdjustPrompt(viewOf(ctx), agent, fromNumber(change) ?? 0, remark) : listScreen(ctx)
  },
  answer: ({ texts }) => ({ problem: texts.useButtons }),
  choose: async (ctx, _actor, { id, amount: change, remark, key }, choice) => {
    const agent = await findAgent(ctx, id)
    if (!agent) return { screen: await listScreen(ctx) }
    const { operator, currency } = ctx.core
    const { newBalance } = await operator.adjustBalance(by(ctx), {
      username: agent.username,
      amount: change,
      remark,
      paid: choice === 'paid',
      requestKey: key,
    })
    return {
      screen: await agentScreenFor(ctx, id, ctx.texts.agents.adjusted(balanceText(newBalance, currency))),
    }
  },
}

export const agentQuestions = [priceTerms, newAgent, confirmNew, level, adjustment, confirmAdjustment]
