import type { Find } from '../../dialogue/pasted.ts'
import { screenOf } from './handlers.ts'

/** A top-up by its number, or by the transaction that paid it. */
export const findTopUp: Find = async (ctx, actor, text) => {
  const { topUps } = ctx.core
  const wanted = /^[\da-f]{64}$/i.test(text) ? { txid: text.toLowerCase() } : { orderNo: text }
  if (text.length > 64) return undefined
  const [found] = (await topUps.list(actor, { ...wanted, pageSize: 1 })).items
  return found && screenOf(ctx, await topUps.look(actor, found.orderNo))
}
