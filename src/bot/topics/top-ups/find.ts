import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import { type Transaction, transactionsIn } from '../../../core/top-ups/transfer-names.ts'
import type { Find } from '../../dialogue/pasted.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { screenOf } from './handlers.ts'
import { offerScreen, paymentScreen } from './payment-screens.ts'

/** What may hold a transaction ID: that alone, or the URL of an explorer. */
const ONE_WORD = /^[^\s@]+$/
const NUMBER_LENGTH = 64

/** Finds a top-up by its number, or a payment by its transaction ID. */
export const findTopUp: Find = async (ctx, actor, text) => {
  const transactions = ONE_WORD.test(text) ? transactionsIn(ctx.core.topUps.networks, text) : []
  if (transactions.length > 0) return findPayment(ctx, actor, transactions)
  if (text.length > NUMBER_LENGTH) return undefined
  const [found] = (await ctx.core.topUps.list(actor, { orderNo: text, pageSize: 1 })).items
  return found && topUpFound(ctx, actor, found.orderNo)
}

async function topUpFound(ctx: BotContext, actor: Actor, orderNo: string): Promise<Screen> {
  return screenOf(ctx, await ctx.core.topUps.look(actor, orderNo))
}

async function findPayment(
  ctx: BotContext,
  actor: Actor,
  transactions: readonly Transaction[],
): Promise<Screen | undefined> {
  const view = viewOf(ctx)
  const txid = transactions[0]?.txid ?? ''
  const networks = transactions.map(({ network }) => ctx.core.topUps.network(network).name)
  try {
    const found = await ctx.core.topUps.findPayment(actor, transactions)
    switch (found.kind) {
      case 'top_up':
        return await topUpFound(ctx, actor, found.orderNo)
      case 'offered':
        return offerScreen(view, await ctx.core.topUps.get(actor, found.orderNo), found.transfer)
      default:
        // While USDT top-ups are off, only earlier payments are known.
        return found.kind === 'unknown' && !ctx.core.topUps.terms
          ? undefined
          : paymentScreen(view, txid, found.kind, networks)
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'rate_limited') throw error
    return paymentScreen(view, txid, 'too_often', networks)
  }
}
