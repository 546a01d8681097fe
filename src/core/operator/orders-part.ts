import type { OperatorDeps } from './deps.ts'
import { showOrder, showProxy } from '../customers/show-order.ts'
import { endUnasked } from '../orders/end-unasked.ts'
import { giveCredentials } from '../orders/give-credentials.ts'
import { quoteRefund, refundOrder } from '../orders/refund-order.ts'
import { replaceUnasked } from '../orders/replace-unasked.ts'
import { about } from '../people/about.ts'
import type { Guards } from '../people/guarded.ts'

/** Orders of customers and their proxies, as those who run the shop look after them (rules 4.10, 16.4, 16.5). */
export function ordersPart({ keep, look }: Guards<OperatorDeps>) {
  return {
    show: look(showOrder),
    proxy: look(showProxy),
    quoteRefund: look(quoteRefund),
    refund: keep(
      'order.refund',
      refundOrder,
      ({ username, replayed }, [{ orderNo, requestKey: _key, ...input }]) =>
        replayed ? undefined : about(orderNo, input, username),
    ),
    replace: keep(
      'proxy.replace',
      replaceUnasked,
      ({ username, replacementNo, status, replayed }, [{ instanceNo, requestKey: _key, ...input }]) =>
        replayed ? undefined : about(instanceNo, { ...input, replacementNo, status }, username),
      ([{ refund }]) => (refund ? 'money' : undefined),
    ),
    end: keep('proxy.end', endUnasked, ({ username, ended }, [{ orderNo, ...input }]) =>
      ended.length === 0 ? undefined : about(orderNo, input, username),
    ),
    giveCredentials: keep('proxy.credentials', giveCredentials, (_given, [{ instanceNo, ...input }]) =>
      about(instanceNo, input),
    ),
  }
}
