import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson, type Tx } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announce } from '../notices/announce.ts'
import type { Bytes } from './bytes.ts'

interface TrafficOfProduct {
  readonly id: number
  readonly userId: number
  readonly productNo: string
  readonly nameEn: string
  readonly nameZh: string
  readonly used: Bytes
  readonly total: Bytes
}

/**
 * Tells users that 80 % of what they bought of a product is used, and that all of it is; once, until they buy more.
 *
 * @param trafficIds the traffic accounts of which some was used just now, in the open transaction
 */
export async function tellOfUse(deps: CoreDeps, tx: Tx, trafficIds: readonly number[]): Promise<void> {
  const accounts = await selectJson<TrafficOfProduct>(
    tx,
    Prisma.sql`
      SELECT json_object('id', t.id, 'userId', t.user_id, 'productNo', p.product_no, 'nameEn', p.name_en, 'nameZh', p.name_zh,
        'total', t.total_bytes, 'used', t.used_bytes +
          (SELECT coalesce(sum(s.used_bytes), 0) FROM sub_accounts s WHERE s.traffic_id = t.id)) AS json
      FROM traffic t JOIN products p ON p.id = t.product_id
      WHERE t.id IN (SELECT value FROM json_each(${JSON.stringify(trafficIds)}))`,
  )
  await announce(
    deps,
    tx,
    accounts.flatMap(({ id, userId, ...facts }) => {
      if (facts.used < 0.8 * facts.total) return []
      const kind = facts.used < facts.total ? 'traffic_80' : 'traffic_100'
      return { accountIds: [userId], kind, subject: `${id} ${facts.total}`, data: facts }
    }),
  )
}
