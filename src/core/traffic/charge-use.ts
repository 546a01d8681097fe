import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { least, listOf, rowsOf } from '../database/dialect.ts'
import type { Bytes } from '../bytes.ts'
import { noteUse } from './note-use.ts'
import { bytesLeft } from './traffic-left.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** A name at the gateway, and the account on which its use counts. */
export interface Credential {
  readonly username: string
  /** The name of the account that is charged: for a deleted sub-account that of the main account, else `username`. */
  readonly ownName: string
  readonly trafficId: number
  /** Null when use counts on the main account. */
  readonly subAccountId: number | null
}

/** A main account or sub-account on which use counts. */
interface Charged extends Credential {
  readonly userId: number
  readonly productId: number
  readonly remaining: Bytes
}

interface Share extends Charged {
  counted: Bytes
  /** Part of it was used under another name: that of a deleted sub-account. */
  byOthers: boolean
}

interface Use {
  readonly credential: Credential
  /** Bytes taken from what was left: the used bytes, or all that was left when that was less. */
  readonly counted: Bytes
  /** Bytes that the credential may still use. */
  readonly remaining: Bytes
}

/**
 * Use that is charged in one transaction (rules 6.2, 6.11), with few statements for any number of credentials: `take` adds up in
 * memory, `write` stores the sums. There is one writer at a time, so what was read does not change meanwhile; the conditions of the
 * updates ensure it, too.
 */
export class Charges {
  readonly #accounts: ReadonlyMap<string, Charged>
  readonly #shares = new Map<string, Share>()

  private constructor(accounts: readonly Charged[]) {
    this.#accounts = new Map(accounts.map((account) => [account.username, account]))
  }

  /** @param usernames all names that will be charged; those that never existed are left out */
  static async of(tx: Tx, usernames: Iterable<string>): Promise<Charges> {
    return new Charges(await findCharged(tx, { usernames: [...new Set(usernames)] }))
  }

  /** Charges use of a credential, up to what is left; undefined when it never existed. */
  take(username: string, bytes: Bytes): Use | undefined {
    const account = this.#accounts.get(username)
    if (!account) return undefined
    const key = `${account.trafficId} ${account.subAccountId}`
    const share = this.#shares.get(key) ?? { ...account, counted: 0, byOthers: false }
    this.#shares.set(key, share)
    const counted = Math.min(bytes, share.remaining - share.counted)
    share.counted += counted
    share.byOthers ||= counted > 0 && username !== account.ownName
    return { credential: account, counted, remaining: share.remaining - share.counted }
  }

  /** Writes what was taken to accounts and orders, and notes which traffic runs low. */
  async write(deps: Essentials, tx: Tx): Promise<void> {
    const now = deps.clock.now()
    const used = [...this.#shares.values()].filter(({ counted }) => counted > 0)
    if (used.length === 0) return
    const mains = used.flatMap(({ subAccountId, trafficId, counted }) =>
      subAccountId === null ? [{ account: trafficId, bytes: counted }] : [],
    )
    const subs = used.flatMap(({ subAccountId, counted }) =>
      subAccountId === null ? [] : [{ account: subAccountId, bytes: counted }],
    )
    const taken = [
      ...(mains.length > 0 ? await takeFromMains(tx, { used: mains, now }) : []),
      ...(subs.length > 0 ? await takeFromSubAccounts(tx, { used: subs, now }) : []),
    ]
    if (taken.length !== used.length) throw new Error('a traffic account does not hold what is taken from it')

    const ofOrders = new Map<number, { userId: number; productId: number; bytes: Bytes }>()
    for (const { trafficId, userId, productId, counted } of used) {
      const { bytes } = ofOrders.get(trafficId) ?? { bytes: 0 }
      ofOrders.set(trafficId, { userId, productId, bytes: bytes + counted })
    }
    await takeFromOrders(tx, { used: [...ofOrders.values()], now })
    await noteUse(tx, [...ofOrders.keys()])
  }

  /**
   * Returns the names of the accounts that were charged.
   *
   * @param options.byOthers only accounts that were charged, at least in part, for use under another name
   */
  charged({ byOthers = false } = {}): string[] {
    const charged = [...this.#shares.values()].filter(({ counted }) => counted > 0)
    return charged.flatMap((share) => (share.byOthers || !byOthers ? share.ownName : []))
  }
}

/** Late use of a deleted sub-account counts on the main account, which got its unused traffic back. */
const findCharged = compiled<{ usernames: readonly string[] }>()((db, { usernames }) =>
  db
    .selectFrom('traffic as t')
    .select(['t.username', 't.username as ownName', 't.id as trafficId', 't.userId', 't.productId'])
    .select(({ val }) => val<number | null>(null).as('subAccountId'))
    .select(bytesLeft().as('remaining'))
    .where('t.username', 'in', listOf(usernames))
    .unionAll(
      db
        .selectFrom('subAccounts as s')
        .innerJoin('traffic as t', 't.id', 's.trafficId')
        .select(['s.username'])
        .select(({ eb, ref }) => [
          eb
            .case()
            .when('s.status', '<>', 'deleted')
            .then(ref('s.username'))
            .else(ref('t.username'))
            .end()
            .as('ownName'),
        ])
        .select(['t.id as trafficId', 't.userId', 't.productId'])
        .select(({ eb, ref }) => [
          eb.case().when('s.status', '<>', 'deleted').then(ref('s.id')).end().as('subAccountId'),
          eb
            .case()
            .when('s.status', '=', 'deleted')
            .then(bytesLeft())
            .else(eb('s.limitBytes', '-', ref('s.usedBytes')))
            .end()
            .as('remaining'),
        ])
        .where('s.username', 'in', listOf(usernames)),
    ),
)

interface Taken {
  readonly used: readonly { readonly account: number; readonly bytes: Bytes }[]
  readonly now: Date
}

const TAKEN = { account: 'integer', bytes: 'integer' } as const

const takeFromMains = compiled<Taken>()((db, { used, now }) =>
  db
    .updateTable('traffic as t')
    .from(rowsOf(used, TAKEN, 'u'))
    .set(({ eb, ref }) => ({ usedBytes: eb('t.usedBytes', '+', ref('u.bytes')), updatedAt: now }))
    .whereRef('t.id', '=', 'u.account')
    .where(({ eb, ref }) =>
      eb(eb(eb('t.usedBytes', '+', ref('t.allocatedBytes')), '+', ref('u.bytes')), '<=', ref('t.totalBytes')),
    )
    .returning('id'),
)

const takeFromSubAccounts = compiled<Taken>()((db, { used, now }) =>
  db
    .updateTable('subAccounts as s')
    .from(rowsOf(used, TAKEN, 'u'))
    .set(({ eb, ref }) => ({ usedBytes: eb('s.usedBytes', '+', ref('u.bytes')), updatedAt: now }))
    .whereRef('s.id', '=', 'u.account')
    .where(({ eb, ref }) => eb(eb('s.usedBytes', '+', ref('u.bytes')), '<=', ref('s.limitBytes')))
    .returning('id'),
)

interface TakenFromOrders {
  readonly used: readonly { readonly userId: number; readonly productId: number; readonly bytes: Bytes }[]
  readonly now: Date
}

/** Counts use on the active orders of each user and product, oldest first: an order is used up before the next one is changed. */
const takeFromOrders = compiled<TakenFromOrders>()((db, { used, now }) => {
  const active = db
    .selectFrom(rowsOf(used, { userId: 'integer', productId: 'integer', bytes: 'integer' }, 'u'))
    // A cross join fixes the join order in SQLite: the few rows of `used` come first.
    .crossJoin('dynamicOrders as o')
    .select(['o.id', 'u.bytes'])
    .select(({ eb, fn, ref }) => {
      const rest = eb('o.trafficBytes', '-', ref('o.usedBytes'))
      const upToThis = fn
        .sum<number>(rest)
        .over((orders) => orders.partitionBy(['o.userId', 'o.productId']).orderBy('o.id'))
      return [rest.as('rest'), eb(upToThis, '-', rest).as('older')]
    })
    .whereRef('o.userId', '=', 'u.userId')
    .whereRef('o.productId', '=', 'u.productId')
    .where('o.status', '=', 'active')
  const share = db
    .selectFrom(active.as('active'))
    .select('id')
    .select(({ eb, ref }) => least(ref('rest'), eb('bytes', '-', ref('older'))).as('taken'))
    .whereRef('older', '<', 'bytes')
  return db
    .updateTable('dynamicOrders as o')
    .from(share.as('share'))
    .set(({ eb, ref }) => {
      const usedBytes = eb('o.usedBytes', '+', ref('share.taken'))
      const status = eb
        .case()
        .when(usedBytes, '=', ref('o.trafficBytes'))
        .then(eb.val('exhausted' as const))
      return { usedBytes, status: status.else(ref('o.status')).end(), updatedAt: now }
    })
    .whereRef('o.id', '=', 'share.id')
})
