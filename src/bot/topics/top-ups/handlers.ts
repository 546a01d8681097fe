import type { Actor } from '../../../core/access/actor.ts'
import { InvalidInput, ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import type { Micros } from '../../../core/money.ts'
import type { CheckedTopUp } from '../../../core/top-ups/check-top-up.ts'
import { usdtFrom } from '../../../core/usdt.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import type { Question } from '../../dialogue/ask.ts'
import type { Action, Read, Shape } from '../../kit/action.ts'
import { errorText } from '../../kit/errors.ts'
import type { Screen } from '../../kit/screen.ts'
import { usdtIn } from '../../kit/typed-number.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { listAsLeft } from '../../session/list-as-left.ts'
import { showLogInFirst } from '../../session/show-home.ts'
import { viewOf } from '../../session/view-of.ts'
import { topUpPicture } from './pictures.ts'
import {
  amountsScreen,
  askedScreen,
  cancelTopUpScreen,
  TOPPING_UP,
  type ToppingUp,
  noTopUpsScreen,
  shortText,
  TOP_UPS_PER_PAGE,
  topUpScreen,
  topUpsScreen,
} from './screens.ts'

/** Topping up with USDT: amount → payment screen, which follows the payment by itself. */
export function topUpsFeature(): Feature {
  const feature = new Feature()
  const onMember = <Of extends Shape>(
    action: Action<Of>,
    handle: (ctx: BotContext, actor: Actor, parameters: Read<Of>) => Promise<unknown>,
  ) => feature.on(action, (ctx, parameters) => forMember(ctx, (actor) => handle(ctx, actor, parameters)))

  feature.command('topup', (ctx) => forMember(ctx, (actor) => showAmounts(ctx, actor)))
  onMember(TOP_UP.home, (ctx, actor) => showAmounts(ctx, actor))
  onMember(TOP_UP.short, (ctx, actor, { missing }) => showAmounts(ctx, actor, missing))
  onMember(TOP_UP.shortOfRenewal, async (ctx, actor, { missing }) => {
    await forgetPurchase(ctx)
    return showAmounts(ctx, actor, missing)
  })
  onMember(TOP_UP.ask, askSomebody)
  // A button of earlier versions.
  onMember(TOP_UP.type, (ctx, actor, { missing }) => showAmounts(ctx, actor, missing))
  onMember(TOP_UP.open, openTopUp)
  onMember(TOP_UP.view, showTopUp)
  onMember(TOP_UP.check, checkNow)
  onMember(TOP_UP.cancel, askToCancel)
  onMember(TOP_UP.cancelNow, cancel)
  onMember(TOP_UP.claim, claim)
  onMember(TOP_UP.history, (ctx, actor, { page }) => showHistory(ctx, actor, page))
  return feature
}

/** Unlike `showToMember`, refusals are left to the handler: it says them in its own words. */
async function forMember(ctx: BotContext, handle: (actor: Actor) => Promise<unknown>): Promise<unknown> {
  const { actor } = ctx.session
  return actor ? handle(actor) : showLogInFirst(ctx)
}

/** The top-up that a button is about. */
type Numbered = Read<typeof TOP_UP.view.shape>

/** Forgets the waiting purchase, so that a payment for something else does not resume it. */
function forgetPurchase({ core, session }: BotContext): Promise<void> {
  return core.chats.changeDraft(session.chatId, { resume: null, resumeFor: null, resumeNeeds: null })
}

/** @param missing what a purchase or a renewal lacks */
async function showAmounts(ctx: BotContext, actor: Actor, missing?: Micros): Promise<unknown> {
  if (!missing) await forgetPurchase(ctx)
  return ctx.show(await amounts(ctx, actor, { confirmationKey: randomText(8), missing }))
}

async function amounts(
  ctx: BotContext,
  actor: Actor,
  { confirmationKey, missing }: ToppingUp,
): Promise<Screen> {
  const {
    terms,
    open: [network],
  } = ctx.core.topUps
  if (!missing)
    return terms && network
      ? amountsScreen(viewOf(ctx), network, terms, confirmationKey)
      : noTopUpsScreen(viewOf(ctx))
  const { resume: back } = await ctx.core.chats.readDraft(ctx.session.chatId)
  const screen =
    terms && network
      ? amountsScreen(viewOf(ctx), network, terms, confirmationKey, { missing, back })
      : noTopUpsScreen(viewOf(ctx), missing, back)
  return back === undefined ? screen : { ...screen, follows: { kind: 'balance', accountId: actor.id } }
}

async function askSomebody(
  ctx: BotContext,
  actor: Actor,
  { missing }: Read<typeof TOP_UP.ask.shape>,
): Promise<unknown> {
  if (!missing) return showAmounts(ctx, actor)
  const asked = await ctx.core.accounts.askForMoney(actor, missing)
  const { resume } = await ctx.core.chats.readDraft(ctx.session.chatId)
  const screen = askedScreen(viewOf(ctx), asked, missing, resume)
  return ctx.show({ ...screen, follows: { kind: 'balance', accountId: actor.id } })
}

/** The conversation of a top-up: any amount that is typed, and the buttons, which offer the usual ones. */
export const toppingUp: Question<ToppingUp> = {
  name: TOPPING_UP,
  presses: [TOP_UP.home, TOP_UP.short, TOP_UP.open, TOP_UP.type],
  prompt: amounts,
  answer: async (ctx, actor, { confirmationKey }, text) => {
    const { topUps } = ctx.texts
    const amount = usdtIn(text)
    if (amount === undefined || usdtFrom(amount) === undefined)
      return { problem: topUps.notAnAmount(text.slice(0, 40)) }
    try {
      return { screen: await opened(ctx, actor, amount, confirmationKey) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { problem: topUpRefusal(ctx, error) }
    }
  },
}

async function openTopUp(
  ctx: BotContext,
  actor: Actor,
  { amount = '', confirmationKey = '' }: Read<typeof TOP_UP.open.shape>,
): Promise<unknown> {
  try {
    return await ctx.show(await opened(ctx, actor, amount, confirmationKey))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(topUpRefusal(ctx, error), true)
    return showHistory(ctx, actor)
  }
}

/** Opens the top-up, once however often the button is pressed; the purchase that it is for can be resumed after the payment. */
async function opened(
  ctx: BotContext,
  actor: Actor,
  amount: string,
  confirmationKey: string,
): Promise<Screen> {
  const { resume } = await ctx.core.chats.readDraft(ctx.session.chatId)
  const { topUp } = await ctx.core.topUps.create(actor, {
    amount,
    clientOrderNo: `chat-${confirmationKey}`,
    ...(resume === undefined ? {} : { reference: resume }),
  })
  return screenOf(ctx, await ctx.core.topUps.look(actor, topUp.orderNo))
}

async function showTopUp(ctx: BotContext, actor: Actor, { orderNo = '' }: Numbered): Promise<unknown> {
  return showFound(ctx, actor, () => ctx.core.topUps.look(actor, orderNo))
}

async function checkNow(ctx: BotContext, actor: Actor, { orderNo = '' }: Numbered): Promise<unknown> {
  return showFound(ctx, actor, async () => {
    const topUp = await ctx.core.topUps.check(actor, orderNo)
    if (topUp.status === 'pending' && !topUp.offered) await ctx.notify(ctx.texts.topUps.checked)
    return topUp
  })
}

async function showFound(ctx: BotContext, actor: Actor, find: () => Promise<CheckedTopUp>): Promise<unknown> {
  try {
    return await ctx.show(await screenOf(ctx, await find()))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    await ctx.notify(topUpRefusal(ctx, error), true)
    return showHistory(ctx, actor)
  }
}

async function askToCancel(ctx: BotContext, actor: Actor, { orderNo = '' }: Numbered): Promise<unknown> {
  const topUp = await ctx.core.topUps.get(actor, orderNo).catch(undefinedIfRefused)
  return topUp?.status === 'pending'
    ? ctx.show(cancelTopUpScreen(viewOf(ctx), topUp))
    : showTopUp(ctx, actor, { orderNo })
}

async function cancel(ctx: BotContext, actor: Actor, { orderNo = '' }: Numbered): Promise<unknown> {
  return showFound(ctx, actor, async () => {
    try {
      await ctx.core.topUps.cancel(actor, orderNo)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'order_not_found') throw error
      await ctx.notify(topUpRefusal(ctx, error), true)
    }
    return ctx.core.topUps.look(actor, orderNo)
  })
}

/** Claims an offered transfer for a top-up, without a confirmation; the screen shows the outcome. */
async function claim(
  ctx: BotContext,
  actor: Actor,
  { orderNo = '', transfer: id = 0 }: Read<typeof TOP_UP.claim.shape>,
): Promise<unknown> {
  return showFound(ctx, actor, async () => {
    try {
      return await ctx.core.topUps.claim(actor, orderNo, { id })
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      await ctx.notify(ctx.texts.topUps.offer.gone, true)
      return ctx.core.topUps.look(actor, orderNo)
    }
  })
}

const historyAsLeft = listAsLeft('topUpsPage')

async function showHistory(ctx: BotContext, actor: Actor, page?: number): Promise<unknown> {
  const list = (number: number) =>
    ctx.core.topUps.list(actor, { userId: actor.id, page: number, pageSize: TOP_UPS_PER_PAGE })
  return ctx.show(topUpsScreen(viewOf(ctx), await historyAsLeft(ctx, page, list)))
}

/** A top-up as it stands. */
export async function screenOf(ctx: BotContext, topUp: CheckedTopUp): Promise<Screen> {
  const network = ctx.core.topUps.network(topUp.network)
  return topUpScreen(viewOf(ctx), network, topUp, await topUpPicture(network, topUp))
}

function topUpRefusal({ texts, core }: BotContext, { code, data, retryAfter = 60 }: ServiceError): string {
  const { terms } = core.topUps
  switch (code) {
    case 'amount_out_of_range':
      return texts.topUps.outOfRange(shortText(terms?.min ?? 0), shortText(terms?.max ?? 0))
    case 'too_many_pending_orders':
      return data?.['max_unpaid_orders_of_agent'] === undefined
        ? texts.topUps.tooMany(Math.ceil(retryAfter / 60))
        : texts.topUps.noAmountLeft
    case 'payment_in_progress':
      return texts.topUps.inProgress
    case 'invalid_state':
      return texts.topUps.notOpen
    case 'unavailable':
      return data?.['reason'] === 'amount_taken' ? texts.topUps.noAmountLeft : errorText(texts, code)
    default:
      return errorText(texts, code)
  }
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined
  throw error
}
