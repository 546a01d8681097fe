import { expect, test } from 'vitest'
import { killAt, STEPS_OF_CALL, STEPS_OF_RELEASE } from './support/kill-steps.ts'
import { openSuppliedShopToKill } from './support/supplied-shop-to-kill.ts'

const TERM_MS = 30 * 86_400_000

test('a kill at any step of a renewal, a release or a reset does it once, for its price', async () => {
  const shop = await openSuppliedShopToKill()
  const { supplier, rows, order, proxies, api, balance, settled } = shop
  const count = STEPS_OF_CALL.length * 2 + STEPS_OF_RELEASE.length
  const orderNo = await order(count)
  await settled()
  const before = await proxies(orderNo)
  expect(before).toHaveLength(count)
  const left = [...before]
  const next = () => left.shift()?.instanceNo ?? '-'

  for (const step of STEPS_OF_CALL)
    await killAt(shop, step, 'renew', () =>
      api('/open/app/static/order/renew', { orderNo, instances: [next()], duration: 30, unit: 1 }),
    )
  for (const step of STEPS_OF_CALL)
    await killAt(shop, step, 'reset', () => api(`/open/app/static/instances/${next()}/reset-credentials`, {}))
  for (const step of STEPS_OF_RELEASE)
    await killAt(shop, step, 'release', () =>
      api(`/open/app/static/order/${orderNo}/cancel`, { instances: [next()] }),
    )

  const theirs = new Map(supplier.instances().map((instance) => [instance.instanceNo, instance]))
  const after = (await proxies(orderNo)).map((proxy, index) => {
    const { providerInstanceNo, status, password, expireTime } = proxy
    const upstream = theirs.get(providerInstanceNo)
    const old = before[index]
    return {
      status,
      runsThere: upstream?.status === 3,
      longerBy: Date.parse(expireTime) - Date.parse(old?.expireTime ?? ''),
      isNew: password !== old?.password,
      isTheirs: password === upstream?.password,
    }
  })
  const same = { status: 'active', runsThere: true, longerBy: 0, isNew: false, isTheirs: true }
  expect(after).toEqual([
    ...STEPS_OF_CALL.map(() => ({ ...same, longerBy: TERM_MS })),
    ...STEPS_OF_CALL.map(() => ({ ...same, isNew: true })),
    ...STEPS_OF_RELEASE.map(() => ({ ...same, status: 'released', runsThere: false })),
  ])
  expect(await rows('SELECT 1 FROM renewals WHERE status = ?', 'success')).toHaveLength(STEPS_OF_CALL.length)
  const paid = count + STEPS_OF_CALL.length - STEPS_OF_RELEASE.length
  expect(await balance()).toBe(1_000 - paid * 4)
  await shop.proven()
})
