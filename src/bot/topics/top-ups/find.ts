import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { Find } from '../../dialogue/pasted.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { screenOf } from './handlers.ts'
import { offerScreen, paymentScreen } from './payment-screens.ts'

/** A transaction ID, alone or in the URL of an explorer. */
const TRANSACTION = /^(?:https?:\/\/[^\s@]*\/)?(?:0x)?([\da-f]{64})(?:[?#&/]\S*)?$/i
const NUMBER_LENGTH = 64

/** Finds a top-up by its number, or a payment by its transaction ID. */
export const findTopUp: Find = async (ctx, actor, text) => {
  const [, txid] = TRANSACTION.exec(text) ?? []
  if (txid !== undefined) return findPayment(ctx, actor, txid.toLowerCase())
  if (text.length > NUMBER_LENGTH) return undefined
  const [found] = (await ctx.core.topUps.list(actor, { orderNo: text, pageSize: 1 })).items
  return found && topUpFound(ctx, actor, found.orderNo)
}

async function topUpFound(ctx: BotContext, actor: Actor, orderNo: string): Promise<Screen> {
  return screenOf(ctx, await ctx.core.topUps.look(actor, orderNo))
}

async function findPayment(ctx: BotContext, actor: Actor, txid: string): Promise<Screen | undefined> {
  const view = viewOf(ctx)
  try {
    const found = await ctx.core.topUps.findPayment(actor, txid)
    switch (found.kind) {
      case 'top_up':
        return await topUpFound(ctx, actor, found.orderNo)
      case 'offered':
        return offerScreen(view, await ctx.core.topUps.get(actor, found.orderNo), found.transfer)
      default:
        // While USDT top-ups are off, only earlier payments are known.
        return found.kind === 'unknown' && !ctx.core.topUps.terms
          ? undefined
          : paymentScreen(view, txid, found.kind)
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error
    return paymentScreen(view, txid, 'too_often')
  }
}
