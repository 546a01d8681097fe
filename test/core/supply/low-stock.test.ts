import { expect, it } from 'vitest'
import { openService } from '../../support/service.ts'
import { changeConnection, changeOffer, NEW_YORK, suppliedProduct } from '../../support/supplied-product.ts'

const MINUTE = 60_000
const HERE = { offerNo: 'LA', state: 'CA', cityCode: 'USLAX', stock: 8 }

/** A product of two places with 8 proxies each on offer, of which the operator is told below 10 in all, or 5 in a place. */
async function shop() {
  const service = await openService({ operatorChats: [900] })
  const buyer = await service.agent({ balance: 1000 })
  await suppliedProduct(service, {
    offers: [HERE, { ...NEW_YORK, stock: 8 }],
    product: { lowStock: 10, lowStockPlace: 5 },
  })
  const { clock, db, core } = service
  const sweeps = core.jobs.noticeSweeps
  return {
    ...service,
    buy: (cityCode: string, ipCount: number) =>
      service.order(buyer, { poolId: 'supplied', cityCode, ipCount }),
    /** A minute later: what has been told so far, as facts. */
    told: async (fresh = true) => {
      clock.advance(MINUTE)
      if (fresh) await db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: clock.now() } }))
      for (const sweep of sweeps) await sweep()
      const notices = await db.read.notice.findMany({ where: { kind: 'stock_low' }, orderBy: { id: 'asc' } })
      return notices.map(({ data }) => {
        const facts = JSON.parse(data) as {
          told: boolean
          free: number
          places: { cityCode: string; free: number }[]
        }
        const places = facts.places.map(({ cityCode, free }) => `${cityCode} ${free}`)
        return [...(facts.told ? [`all ${facts.free}`] : []), ...places].join(', ')
      })
    },
  }
}

it('the stock of offers counts for the notices of low stock, by place and in all', async () => {
  const { buy, told } = await shop()
  expect(await told()).toEqual([])
  await buy('USLAX', 4)
  expect(await told()).toEqual(['USLAX 4'])
  expect(await told()).toEqual(['USLAX 4'])
  await buy('USNYC', 3)
  expect(await told()).toEqual(['USLAX 4', 'all 9'])
})

it.each<[string, (it: Awaited<ReturnType<typeof shop>>) => unknown]>([
  ['the operator pauses the connection', (it) => changeConnection(it, { status: 'paused' })],
  ['the supplier does not answer any more', (it) => it.clock.advance(20 * MINUTE)],
])('nothing is left while %s, which is told once', async (_, happens) => {
  const it = await shop()
  expect(await it.told()).toEqual([])
  await happens(it)
  expect(await it.told(false)).toEqual(['all 0'])
  expect(await it.told(false)).toEqual(['all 0'])
})

it('a fall after a rise is told again', async () => {
  const it = await shop()
  await it.told()
  for (const stock of [0, 8, 0]) {
    await changeOffer(it, 'LA', { stock })
    await it.told()
  }
  expect(await it.told()).toEqual(['all 8, USLAX 0', 'all 8, USLAX 0'])
})
