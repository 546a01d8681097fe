import { expect } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import type { CatalogueOffer, DriverKinds } from '../../src/core/supply/driver.ts'
import { sealing } from '../../src/core/sealed.ts'
import { connection } from './supplied-product.ts'
import { JWT_SECRET, movableClock, openService, type ServiceOptions } from './service.ts'
import { testSupplier, type TestSupplier } from './test-supplier.ts'

/** Seals credentials as the service of the tests does. */
export function sealed(name: string): string {
  return sealing(JWT_SECRET, 'credentials of suppliers').seal({ key: 'key', secret: 'secret' }, name)
}

interface ShopOptions {
  readonly supplier?: TestSupplier
  readonly offers?: readonly (Partial<CatalogueOffer> & { readonly offerNo: string })[]
  readonly operatorChats?: readonly number[]
  readonly checks?: ServiceOptions['checks']
}

/**
 * A shop that buys from a third party: connection `upstream`, product `static` at 4 a month of the offer `LA`, which costs 2, and an
 * agent with 1000.
 */
export async function suppliedShop({
  offers = [{ offerNo: 'LA', cityCode: 'USLAX', state: 'CA' }],
  supplier = testSupplier(offers),
  operatorChats = [],
  checks,
}: ShopOptions = {}) {
  const clock = movableClock()
  const drivers: Partial<DriverKinds> = { ipipv: supplier.kind }
  const service = await openService({ clock, drivers, operatorChats, checks })
  const { core, db } = service
  const connectionId = await connection(service, {
    driver: 'ipipv',
    credentials: sealed('upstream'),
    balance: null,
    concurrency: 4,
  })
  await core.supply.sync(connectionId)
  await core.operator.addSuppliedProduct(SHELL, {
    productNo: 'static',
    names: { en: 'Static', zh: '静态' },
    supplier: 'upstream',
    offers: supplier.offers.map(({ offerNo }) => offerNo),
    price: 4,
  })
  const buyer: Actor = await service.agent({ balance: 1000 })

  /** What the lane does once: each due call one step. */
  async function step(using = core, signal?: AbortSignal): Promise<string[]> {
    const due = await using.supply.due({ connectionId, limit: 100 })
    const steps = await Promise.all(due.map((call) => using.supply.advance(call, signal)))
    return steps.map(({ outcome }) => outcome)
  }

  /** The row of a call. */
  const call = (callNo: string) =>
    db.read.$kysely
      .selectFrom('supplierCalls')
      .selectAll()
      .where('callNo', '=', callNo)
      .executeTakeFirstOrThrow()

  return {
    ...service,
    supplier,
    connectionId,
    buyer,
    step,
    call,
    offer: (offerNo = 'LA') => db.read.supplierOffer.findFirstOrThrow({ where: { offerNo } }),
    account: () => db.read.supplierConnection.findUniqueOrThrow({ where: { id: connectionId } }),
    found: (orderNo: string) => core.orders.getStatic(buyer, { orderNo }),
    /** The operator's notices, by kind and subject. */
    told: async () =>
      (await db.read.notice.findMany({ where: { accountId: null }, orderBy: { id: 'asc' } })).map(
        ({ kind, subject }) => `${kind} ${subject}`,
      ),
    placed: () => supplier.asked.filter((asked) => asked.startsWith('place')),
    /** Expects that the supplier was charged what the shop paid for, and that the books are right. */
    proven: async (balance: number) => {
      await service.audited()
      expect(await service.balance(buyer)).toBe(balance)
    },
  }
}
