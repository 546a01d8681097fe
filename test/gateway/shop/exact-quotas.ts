import { expect, vi } from 'vitest'
import { Refused, startFlow } from '../../support/flow.ts'
import { createPhone } from '../../support/phone.ts'
import { meteredShop } from '../../support/metered-shop.ts'
import { PATIENCE } from '../../support/patience.ts'
import { ANN, logIn } from '../../support/product.ts'

const MB = 1_000_000

/** Eight downloads at a time get exactly what is left: it is counted and told once. */
export async function proveQuotas(workers: number): Promise<void> {
  const shop = await meteredShop({ GATEWAY_WORKERS: String(workers) })
  const phone = createPhone(shop.telegram, ANN)
  await logIn(phone, { username: 'agent-1', password: 'agent-1-pw' })
  const credential = await shop.buy(5 * MB)
  // All have asked before any of them gets something: otherwise the last one may find nothing left.
  shop.source.waitFor(8)
  const asks = await Promise.all(Array.from({ length: 8 }, () => shop.openFlow(credential)))
  const passed = await Promise.all(asks.map((ask) => ask(2 * MB).ended))
  expect(passed.reduce((sum, bytes) => sum + bytes, 0)).toBe(5 * MB)
  await vi.waitUntil(async () => (await shop.reported(credential)).bytes === 5 * MB, PATIENCE)
  const refused = startFlow(shop.port(), credential, 1)
  await expect(refused).rejects.toEqual(new Refused(402, 'traffic_exhausted'))
  expect(await shop.call('GET', `/dynamic?user_id=${shop.ids[0]}`)).toMatchObject({
    list: [{ status: 'exhausted', remaining_traffic: 0 }],
  })

  const used = /traffic is used up/
  await phone.waitFor(used)
  // More traffic ends that, without a new log-in; the notice is due again only when that is used up.
  await shop.buy(1 * MB)
  const more = await shop.flowOfMore(credential, 2 * MB)
  expect(await more.ended).toBe(MB)
  await vi.waitUntil(
    () => shop.telegram.messages(ANN.id).filter(({ text }) => used.test(text)).length === 2,
    PATIENCE,
  )
  expect(await shop.reported(credential)).toEqual({ bytes: 6 * MB, counted: 6 * MB })
  await shop.audit()
}
