import { expect, test, vi } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { type Credential, startSource } from '../../support/flow.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { leadingTo, patientFlow } from '../../support/metered-shop.ts'
import { movableClock } from '../../support/movable-clock.ts'
import { PATIENCE } from '../../support/patience.ts'
import { CUSTOMER, SECRET, startProduct } from '../../support/product.ts'
import { temporaryDirectory } from '../../support/service.ts'

const MB = 1_000_000
const HOUR = 3_600_000

test('A shop whose clock jumps ends no tunnel, and days are those of the gateway', async () => {
  const clock = movableClock()
  const product = await startProduct({ clock })
  const { core } = product
  await core.operator.addProduct(SHELL, {
    productNo: 'DYN',
    names: { en: 'Dynamic', zh: '动态' },
    price: 1,
    proxyType: 104,
    pool: 'dynamic_2',
    gateway: 'gw.example.com:8000',
  })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_2' })
  const api = `${product.app.addresses['api']?.replace('/api', '/b/api')}`
  const call = async <Data>(method: string, path: string, body: object, token = ''): Promise<Data> => {
    const response = await fetch(api + path, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; data: Data }
    expect(answer).toMatchObject({ code: 0 })
    return answer.data
  }
  const post = async <Data>(path: string, body: object) =>
    call<Data>('POST', path, body, (await call<{ token: string }>('POST', '/auth/login', CUSTOMER)).token)
  await post('/open/app/order/create/v2', { orderType: 'dynamic_proxy', poolId: 'DYN', trafficAmount: 0.2 })
  const sub = await post<Credential & { id: number }>('/open/app/dynamic/sub-accounts', {
    productNo: 'DYN',
    amount: 0.1,
  })
  const source = await startSource()
  const gateway = await startGatewayProcess(await temporaryDirectory(), {
    ...leadingTo(source),
    GATEWAY_TOKEN: SECRET,
    GATEWAY_SHOP_URL: new URL(api).origin,
    GATEWAY_DATA: 'gateway',
  })

  const begun = new Date().toISOString().slice(0, 10)
  const flow = await patientFlow(() => gateway.port, sub, 90 * MB)
  for (const hours of [5, -30, 48]) {
    clock.advance(hours * HOUR)
    const passed = flow.passed()
    await vi.waitUntil(() => flow.passed() > passed + 6 * MB, PATIENCE)
  }
  // A flush after a jump is answered, too.
  await post(`/open/app/dynamic/sub-accounts/${sub.id}/traffic`, { amount: -0.05 })
  expect(await flow.ended).toBe(50 * MB)
  await gateway.terminate()
  // One report a day: the test may run at midnight.
  const reports = `SELECT count(DISTINCT username) AS users, sum(counted_bytes) AS bytes, min(day) AS day FROM usage_reports`
  const today = new Date().toISOString().slice(0, 10)
  const { day, ...sums } = (await product.until(reports)) as { day: string }
  expect(sums).toEqual({ users: 1, bytes: 50 * MB })
  expect([begun, today]).toContain(day)
  expect(await core.operator.audit()).toEqual([])
})
