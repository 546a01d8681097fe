import { z } from 'zod'
import { AccountStatus } from '../../generated/prisma/enums.ts'
import type { Readable } from '../database/database.ts'
import { beginsWith } from '../database/dialect.ts'
import { type HeldOf, record } from '../record.ts'

/** A separate gateway login for a part of a user's traffic (rules 6.9). */
export const FoundSubAccountRecord = record({
  kind: z.literal('sub_account'),
  /** Username at the gateway. */
  name: z.string(),
  userId: z.int(),
  username: z.string(),
  productNo: z.string(),
  status: z.enum(AccountStatus),
})
export type FoundSubAccount = HeldOf<typeof FoundSubAccountRecord>

const MOST = 10

/** Finds the sub-account of this username; parameters that follow it (rules 6.7) are ignored. */
export function subAccountsNamed(db: Readable, text: string): Promise<FoundSubAccount[]> {
  const [name = ''] = text.split(/[-:]/)
  return listed(selectSubAccounts(db).where('s.username', '=', name))
}

/** Finds sub-accounts whose username begins with the text. */
export function subAccountsLike(db: Readable, text: string): Promise<FoundSubAccount[]> {
  return listed(selectSubAccounts(db).where(({ ref }) => beginsWith(ref('s.username'), text)))
}

function selectSubAccounts({ $kysely }: Readable) {
  return $kysely
    .selectFrom('subAccounts as s')
    .innerJoin('traffic as t', 't.id', 's.trafficId')
    .innerJoin('accounts as u', 'u.id', 't.userId')
    .innerJoin('products as p', 'p.id', 't.productId')
    .select(['s.username as name', 't.userId', 'u.username', 'p.productNo', 's.status'])
    .orderBy('s.id', 'desc')
    .limit(MOST)
}

async function listed(query: ReturnType<typeof selectSubAccounts>): Promise<FoundSubAccount[]> {
  return (await query.execute()).map((account) => ({ kind: 'sub_account', ...account }))
}
