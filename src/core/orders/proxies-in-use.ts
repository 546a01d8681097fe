import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { rowsOf } from '../database/dialect.ts'
import { happened } from '../facts/happened.ts'

interface DeliveredProxy {
  readonly providerInstanceNo: string
  readonly ip: string
  readonly port: number
  readonly username: string
}

interface Delivered<Proxy extends DeliveredProxy> {
  readonly callNo: string
  readonly orderNo: string
  /** Name of the connection. */
  readonly supplier: string
  readonly ordered: number
  readonly proxies: readonly Proxy[]
}

/**
 * Leaves out of what a call has brought the proxies that are in use already, or that this supplier has delivered before: a proxy that
 * the supplier hands out twice must not be delivered for two orders (rules 11.11). The operator is told of them.
 */
export async function withoutUsed<Proxy extends DeliveredProxy>(
  tx: Tx,
  { callNo, orderNo, supplier, ordered, proxies }: Delivered<Proxy>,
): Promise<{ readonly free: readonly Proxy[]; readonly used: number }> {
  const used = new Set(
    (await proxiesInUse(tx, { proxies, supplier })).map(({ providerInstanceNo }) => providerInstanceNo),
  )
  if (used.size === 0) return { free: proxies, used: 0 }
  happened(tx, {
    kind: 'supplier_extra',
    subject: `${callNo} in use`,
    data: { connection: supplier, callNo, orderNo, ordered, extra: used.size },
  })
  const free = proxies.filter(({ providerInstanceNo }) => !used.has(providerInstanceNo))
  return { free, used: used.size }
}

/** Selects the proxies that an active instance has, or that this supplier has delivered before. */
const proxiesInUse = compiled<{ proxies: readonly DeliveredProxy[]; supplier: string }>()(
  (db, { proxies, supplier }) =>
    db
      .selectFrom(rowsOf(proxies, USED, 'n'))
      .select('n.providerInstanceNo')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('instances as i')
            .innerJoin('staticOrders as o', 'o.id', 'i.orderId')
            .innerJoin('products as p', 'p.id', 'o.productId')
            .select('i.id')
            .whereRef('i.ip', '=', 'n.ip')
            .whereRef('i.port', '=', 'n.port')
            .where(({ or, and, eb }) =>
              or([
                and([eb('i.username', '=', eb.ref('n.username')), eb('i.status', '=', 'active')]),
                and([
                  eb('i.providerInstanceNo', '=', eb.ref('n.providerInstanceNo')),
                  eb('p.supplier', '=', supplier),
                ]),
              ]),
            ),
        ),
      ),
)

const USED = { providerInstanceNo: 'text', ip: 'text', port: 'integer', username: 'text' } as const
