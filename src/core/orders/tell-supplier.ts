import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { type ProlongedProxy, supplierOf, type SupplyOrder } from './supplier.ts'

interface Told<Proxy> extends SupplyOrder {
  readonly supplier: string
  readonly proxies: Proxy[]
}

const orderFields = Prisma.raw(
  `'orderId', o.id, 'orderNo', o.order_no, 'productNo', p.product_no, 'ipCount', o.ip_count, 'supplier', p.supplier`,
)

/** Tells the supplier of a renewal (its number is the job's key) until it knows. */
export async function renewAtSupplier(deps: CoreDeps, job: ClaimedJob): Promise<undefined> {
  const [told] = await selectJson<Told<ProlongedProxy>>(
    deps.db.read,
    Prisma.sql`SELECT json_object(${orderFields}, 'proxies', (
                 SELECT json_group_array(json_object('providerInstanceNo', i.provider_instance_no, 'expireTime', n.new_expire_time) ORDER BY n.id)
                 FROM renewed_instances n JOIN instances i ON i.id = n.instance_id WHERE n.renewal_id = r.id)) AS json
               FROM renewals r JOIN static_orders o ON o.id = r.order_id JOIN products p ON p.id = o.product_id
               WHERE r.renew_order_no = ${job.key}`,
  )
  if (told) {
    const { supplier, proxies, ...order } = told
    await supplierOf(deps, supplier).renew?.(order, job.key, proxies)
  }
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}

/** Tells the supplier which proxies a cancellation (its number is the job's key) released, until it knows. */
export async function releaseAtSupplier(deps: CoreDeps, job: ClaimedJob): Promise<undefined> {
  const [told] = await selectJson<Told<string>>(
    deps.db.read,
    Prisma.sql`SELECT json_object(${orderFields}, 'proxies', (
                 SELECT json_group_array(i.provider_instance_no ORDER BY i.id) FROM instances i WHERE i.cancellation_id = c.id)) AS json
               FROM cancellations c JOIN static_orders o ON o.id = c.order_id JOIN products p ON p.id = o.product_id
               WHERE c.cancel_no = ${job.key}`,
  )
  if (told) {
    const { supplier, proxies, ...order } = told
    await supplierOf(deps, supplier).release?.(order, job.key, proxies)
  }
  await deps.db.write((tx) => deps.jobs.finish(tx, job))
  return undefined
}
