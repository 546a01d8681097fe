import type { z } from 'zod'
import { type Actor, requireAgent } from '../../../core/access/actor.ts'
import type { NewJoinLink, StartingLink } from '../../../core/accounts/join-links.ts'
import { toNumber } from '../../../core/money.ts'
import { USERS } from '../../actions/users.ts'
import { ask, nextQuestion, type Outcome, type Question } from '../../dialogue/ask.ts'
import { existingPage } from '../../kit/existing-page.ts'
import { grouped } from '../../kit/format.ts'
import type { Screen } from '../../kit/screen.ts'
import { amountIn, countIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { linkFor } from '../../session/link-for.ts'
import { viewOf } from '../../session/view-of.ts'
import {
  DONE,
  joinLinkScreen,
  joinLinksScreen,
  LINK_PARTS,
  linkPartPrompt,
  type LinkPart,
  LINKS_PER_PAGE,
  newLinkScreen,
  NONE,
  revokeScreen,
} from './join-link-screens.ts'

/** An agent's registration links. */
export function joinLinksFeature(): Feature {
  const feature = new Feature()
  const list = async (ctx: BotContext, actor: Actor, page = 1) =>
    joinLinksScreen(
      viewOf(ctx),
      await existingPage(page, (number) =>
        ctx.core.accounts.listJoinLinks(actor, { page: number, pageSize: LINKS_PER_PAGE }),
      ),
    )
  const onLink = (
    action: typeof USERS.link,
    screen: (ctx: BotContext, link: StartingLink) => Screen | Promise<Screen>,
  ) =>
    feature.onMember(
      action,
      async (ctx, actor, { id }) => screen(ctx, await ctx.core.accounts.getJoinLink(actor, id)),
      (ctx, actor) => list(ctx, actor),
    )

  feature.onMember(USERS.links, (ctx, actor, { page }) => list(ctx, actor, page))
  feature.onMember(USERS.newLink, async (ctx, actor) => {
    requireAgent(actor)
    await ask(ctx, parts.trial, {})
    return undefined
  })
  feature.onMember(USERS.makeLink, (ctx, actor) => madeLink(ctx, actor, {}))
  onLink(USERS.link, linkScreen)
  onLink(USERS.askRevoke, (ctx, link) => revokeScreen(viewOf(ctx), link))
  feature.onMember(
    USERS.revokeLink,
    async (ctx, actor, { id }) => linkScreen(ctx, await ctx.core.accounts.revokeJoinLink(actor, id)),
    (ctx, actor) => list(ctx, actor),
  )
  return feature
}

async function linkScreen(ctx: BotContext, link: StartingLink): Promise<Screen> {
  const { start } = link
  return joinLinkScreen(viewOf(ctx), link, start && (await linkFor(ctx, start)))
}

/** What is known of a new link. */
type Draft = z.input<typeof NewJoinLink>

function part(name: LinkPart): Question<Draft> {
  const take = (ctx: BotContext, actor: Actor, draft: Draft, text: string): Outcome | Promise<Outcome> => {
    const value = numberIn(name, text, ctx.core.currency)
    if (value === undefined) {
      const { rules, wholeNumber } = ctx.texts.input
      return { problem: isMoney(name) ? rules.not_an_amount : wholeNumber(1, grouped(String(mostOf(name)))) }
    }
    if (name === 'budget' && value < (draft.trial ?? 0))
      return { problem: ctx.texts.input.rules.less_than_trial }
    return after(ctx, actor, name, { ...draft, [name]: value })
  }
  return {
    name: `users.link.${name}`,
    prompt: (ctx) => linkPartPrompt(viewOf(ctx), name),
    answer: take,
    choose: (ctx, actor, draft, choice) => {
      if (choice === DONE) return make(ctx, actor, draft)
      return choice === NONE ? after(ctx, actor, name, draft) : take(ctx, actor, draft, choice)
    },
  }
}

const isMoney = (name: LinkPart) => name === 'trial' || name === 'budget'
const mostOf = (name: LinkPart) => (name === 'days' ? 365 : 1_000_000)

/** Returns undefined for a text that is no amount, or no number that is allowed. */
function numberIn(name: LinkPart, text: string, currency: string): number | undefined {
  if (isMoney(name)) {
    const micros = amountIn(text, currency)
    return micros !== undefined && micros > 0 ? toNumber(micros) : undefined
  }
  const count = countIn(text, name === 'days' ? 'days' : 'uses') ?? 0
  return count >= 1 && count <= mostOf(name) ? count : undefined
}

const parts = {
  trial: part('trial'),
  budget: part('budget'),
  maxUses: part('maxUses'),
  days: part('days'),
} satisfies Record<LinkPart, Question<Draft>>

/** Without a start balance there is no budget to ask for. */
function after(ctx: BotContext, actor: Actor, name: LinkPart, draft: Draft): Outcome | Promise<Outcome> {
  const left = LINK_PARTS.slice(LINK_PARTS.indexOf(name) + 1)
  const next = left.find((each) => each !== 'budget' || draft.trial !== undefined)
  return next ? nextQuestion(parts[next], draft) : make(ctx, actor, draft)
}

async function make(ctx: BotContext, actor: Actor, draft: Draft): Promise<Outcome> {
  return { screen: await madeLink(ctx, actor, draft) }
}

async function madeLink(ctx: BotContext, actor: Actor, draft: Draft): Promise<Screen> {
  const link = await ctx.core.accounts.createJoinLink(actor, draft)
  return newLinkScreen(viewOf(ctx), link, await linkFor(ctx, link.start))
}

export const joinLinkQuestions = LINK_PARTS.map((name) => parts[name])
