import { compiled } from '../database/compiled.ts'
import { type Database, openForReading } from '../database/database.ts'

/** What a database knows and an older copy of it does not. */
export interface LostSince {
  readonly staticOrders: readonly LostOrder[]
  readonly dynamicOrders: readonly LostOrder[]
  /** Addresses of proxies that were delivered since. */
  readonly proxies: readonly string[]
  readonly accounts: readonly string[]
}

interface LostOrder {
  readonly orderNo: string
  readonly username: string
  readonly totalAmount: number
  readonly createdAt: string
}

interface Newest {
  readonly staticOrder: number
  readonly dynamicOrder: number
  readonly instance: number
  readonly account: number
}

/** Compares two files of this version: what of the first is not in the second. */
export async function lostSince(file: string, copy: string): Promise<LostSince> {
  const [newest] = await reading(copy, ({ read }) => findNewest(read, {}))
  return reading(file, async ({ read }) => ({
    staticOrders: await findStatic(read, { after: newest?.staticOrder ?? 0 }),
    dynamicOrders: await findDynamic(read, { after: newest?.dynamicOrder ?? 0 }),
    proxies: (await findProxies(read, { after: newest?.instance ?? 0 })).map(({ ip }) => ip),
    accounts: (await findAccounts(read, { after: newest?.account ?? 0 })).map(({ username }) => username),
  }))
}

async function reading<Result>(
  file: string,
  work: (db: Pick<Database, 'read'>) => Promise<Result>,
): Promise<Result> {
  const db = openForReading(file)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const findNewest = compiled<object>()((db) =>
  db
    .selectNoFrom(({ selectFrom, fn, lit }) => [
      fn
        .coalesce(
          selectFrom('staticOrders')
            .select(({ fn }) => fn.max('id').as('id'))
            .$asScalar(),
          lit(0),
        )
        .as('staticOrder'),
      fn
        .coalesce(
          selectFrom('dynamicOrders')
            .select(({ fn }) => fn.max('id').as('id'))
            .$asScalar(),
          lit(0),
        )
        .as('dynamicOrder'),
      fn
        .coalesce(
          selectFrom('instances')
            .select(({ fn }) => fn.max('id').as('id'))
            .$asScalar(),
          lit(0),
        )
        .as('instance'),
      fn
        .coalesce(
          selectFrom('accounts')
            .select(({ fn }) => fn.max('id').as('id'))
            .$asScalar(),
          lit(0),
        )
        .as('account'),
    ])
    .$narrowType<Newest>(),
)

const findStatic = compiled<{ after: number }>()((db, { after }) =>
  db
    .selectFrom('staticOrders as o')
    .innerJoin('accounts as a', 'a.id', 'o.userId')
    .select(['o.orderNo', 'a.username', 'o.totalAmount', 'o.createdAt'])
    .where('o.id', '>', after)
    .orderBy('o.id'),
)

const findDynamic = compiled<{ after: number }>()((db, { after }) =>
  db
    .selectFrom('dynamicOrders as o')
    .innerJoin('accounts as a', 'a.id', 'o.userId')
    .select(['o.orderNo', 'a.username', 'o.totalAmount', 'o.createdAt'])
    .where('o.id', '>', after)
    .orderBy('o.id'),
)

const findProxies = compiled<{ after: number }>()((db, { after }) =>
  db.selectFrom('instances').select('ip').distinct().where('id', '>', after).orderBy('ip'),
)

const findAccounts = compiled<{ after: number }>()((db, { after }) =>
  db.selectFrom('accounts').select('username').where('id', '>', after).orderBy('id'),
)
