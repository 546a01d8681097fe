import { type Database, openForReading } from '../database/database.ts'

/** What a database has and an older copy of it lacks. */
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

/** Compares two database files of this version: returns what the first has and the second, an older copy, lacks. */
export async function lostSince(file: string, copy: string): Promise<LostSince> {
  const newest = await reading(copy, ({ read }) =>
    read.$kysely
      .selectNoFrom(({ selectFrom }) => [
        selectFrom('staticOrders')
          .select(({ fn }) => fn.max('id').as('id'))
          .as('staticOrder'),
        selectFrom('dynamicOrders')
          .select(({ fn }) => fn.max('id').as('id'))
          .as('dynamicOrder'),
        selectFrom('instances')
          .select(({ fn }) => fn.max('id').as('id'))
          .as('instance'),
        selectFrom('accounts')
          .select(({ fn }) => fn.max('id').as('id'))
          .as('account'),
      ])
      .executeTakeFirstOrThrow(),
  )
  return reading(file, async ({ read: { $kysely } }) => {
    const proxies = await $kysely
      .selectFrom('instances')
      .select('ip')
      .distinct()
      .where('id', '>', newest.instance ?? 0)
      .orderBy('ip')
      .execute()
    const accounts = await $kysely
      .selectFrom('accounts')
      .select('username')
      .where('id', '>', newest.account ?? 0)
      .orderBy('id')
      .execute()
    return {
      staticOrders: await $kysely
        .selectFrom('staticOrders as o')
        .innerJoin('accounts as a', 'a.id', 'o.userId')
        .select(['o.orderNo', 'a.username', 'o.totalAmount', 'o.createdAt'])
        .where('o.id', '>', newest.staticOrder ?? 0)
        .orderBy('o.id')
        .execute(),
      dynamicOrders: await $kysely
        .selectFrom('dynamicOrders as o')
        .innerJoin('accounts as a', 'a.id', 'o.userId')
        .select(['o.orderNo', 'a.username', 'o.totalAmount', 'o.createdAt'])
        .where('o.id', '>', newest.dynamicOrder ?? 0)
        .orderBy('o.id')
        .execute(),
      proxies: proxies.map(({ ip }) => ip),
      accounts: accounts.map(({ username }) => username),
    }
  })
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
