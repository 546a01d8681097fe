import { compiled } from '../database/compiled.ts'
import { rowsAsJson } from '../database/dialect.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { supplierOf } from './supplier.ts'

/** The columns of a `SupplyOrder` and the supplier's name, of `staticOrders` as `o` and `products` as `p`. */
const ORDER_COLUMNS = ['o.id as orderId', 'o.orderNo', 'p.productNo', 'o.ipCount', 'p.supplier'] as const

/** Job: tells the supplier of a renewal, whose number is the job's subject. Repeated until the supplier accepts it. */
export async function renewAtSupplier(
  deps: CoreDeps,
  job: ClaimedJob<'renew_at_supplier'>,
): Promise<undefined> {
  const [told] = await readRenewal(deps.db.read, { renewOrderNo: job.subject })
  if (told) {
    const { supplier, proxies, ...order } = told
    const prolonged = proxies.map(({ providerInstanceNo, expireTime }) => ({
      providerInstanceNo,
      expireTime,
    }))
    await supplierOf(deps, supplier).renew?.(order, job.subject, prolonged)
  }
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}

const readRenewal = compiled<{ renewOrderNo: string }>()((db, { renewOrderNo }) =>
  db
    .selectFrom('renewals as r')
    .innerJoin('staticOrders as o', 'o.id', 'r.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(ORDER_COLUMNS)
    .select(({ selectFrom }) => {
      const renewed = selectFrom('renewedInstances as n').innerJoin('instances as i', 'i.id', 'n.instanceId')
      const proxies = renewed
        .select(['n.id', 'i.providerInstanceNo', 'n.newExpireTime as expireTime'])
        .whereRef('n.renewalId', '=', 'r.id')
      return rowsAsJson(proxies, 'id').as('proxies')
    })
    .where('r.renewOrderNo', '=', renewOrderNo),
)

/** Job: tells the supplier of the proxies that a cancellation released; its number is the job's subject. Repeated likewise. */
export async function releaseAtSupplier(
  deps: CoreDeps,
  job: ClaimedJob<'release_at_supplier'>,
): Promise<undefined> {
  const [told] = await readCancellation(deps.db.read, { cancelNo: job.subject })
  if (told) {
    const { supplier, proxies, ...order } = told
    const released = proxies.map(({ providerInstanceNo }) => providerInstanceNo)
    await supplierOf(deps, supplier).release?.(order, job.subject, released)
  }
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}

const readCancellation = compiled<{ cancelNo: string }>()((db, { cancelNo }) =>
  db
    .selectFrom('cancellations as c')
    .innerJoin('staticOrders as o', 'o.id', 'c.orderId')
    .innerJoin('products as p', 'p.id', 'o.productId')
    .select(ORDER_COLUMNS)
    .select(({ selectFrom }) => {
      const proxies = selectFrom('instances as i')
        .select(['i.id', 'i.providerInstanceNo'])
        .whereRef('i.cancellationId', '=', 'c.id')
      return rowsAsJson(proxies, 'id').as('proxies')
    })
    .where('c.cancelNo', '=', cancelNo),
)
