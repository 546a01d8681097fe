import { describe, expect, it, vi } from 'vitest'
import { beside } from '../support/beside.ts'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { AGENT } from '../support/product.ts'
import { serve } from '../support/top-ups.ts'
import { post } from './buyer.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

const LIMIT = { timeout: 240_000 }
const CALL = 'walletsolidity/triggerconstantcontract'

interface TopUp {
  readonly order_no: string
  readonly pay_amount: string
}
interface Checked {
  readonly status: string
  readonly chain_stale: boolean
}

describe.skipIf(withoutPostgres)('the chain of several servers', () => {
  it('is read by the leader, whichever of them is asked', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    await vi.waitUntil(
      async () => (await shop.db.read.chainScan.count({ where: { lastSuccessAt: { not: null } } })) > 0,
      PATIENCE,
    )
    // The same chain at another address, so that it is known who has asked.
    const provider = shop.tron.addServer()
    const second = await shop.start({ TRON_API_URL: await serve(provider) })
    const client = await clientOf(second)

    const paid = await client.open('20')
    shop.pay(BigInt(Math.round(Number(paid.pay_amount) * 1e6)))
    await vi.waitUntil(async () => (await client.check(paid)).status === 'paid', PATIENCE)
    const cancelled = await client.open('30')
    expect(await client.cancel(cancelled)).toMatchObject({ status: 'cancelled' })
    // The leader looks for its payment every 15 seconds only, and sooner when it is asked.
    await vi.waitUntil(async () => !(await client.check(cancelled)).chain_stale, PATIENCE)
    expect(provider.requests()).toEqual([])

    // One that has asked nothing lately.
    const third = await shop.start({ TRON_API_URL: await serve(provider) })
    const { open, check } = await clientOf(third)
    const unpaid = await open('40')
    await first.kill()
    expect(await check(unpaid)).toMatchObject({ status: 'pending', chain_stale: true })
    expect(provider.requests()).toEqual([])
    await vi.waitUntil(async () => !(await check(unpaid)).chain_stale, PATIENCE)
    expect([second, third].filter(leads)).toHaveLength(1)
    expect(provider.requests()).not.toEqual([])
  })

  it('is read at its pace while the leader cannot write down that it was', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const client = await clientOf(await shop.start())
    const topUp = await client.open('20')
    const { crash } = await beside({ database: shop.url })
    await crash('BEFORE UPDATE OF scans', 'chain_scans')
    expect(await client.check(topUp)).toMatchObject({ chain_stale: true })
    const times = () =>
      first
        .output()
        .split('\n')
        .filter((line) => line.includes('a scan of the chain failed and will be repeated'))
        .map((line) => (JSON.parse(line) as { time: number }).time)
    await vi.waitUntil(() => times().length >= 3, PATIENCE)
    const [one = 0, , three = 0] = times()
    expect(three - one).toBeGreaterThan(9_000)
  })

  it('tells all of them at once whether USDT is taken', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const { faults } = shop.tron
    faults.inject({ kind: 'status', status: 502, method: CALL, times: Infinity })
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const clients = await Promise.all([first, await shop.start()].map(clientOf))
    const [client] = clients
    const enabled = () => Promise.all(clients.map(({ isEnabled }) => isEnabled()))
    expect(await enabled()).toEqual([true, true])
    // While one is awaited, the chain is read often.
    await client?.open('20')

    faults.clear()
    const decimals = (answer: object) => ({ ...answer, constant_result: [`${'0'.repeat(62)}12`] })
    faults.inject({ kind: 'edit', edit: decimals, method: CALL, times: Infinity })
    await expect.poll(enabled, PATIENCE).toEqual([false, false])
    for (const { open } of clients) await expect(open('20')).rejects.toThrow('top_up_disabled')
    faults.clear()
    await expect.poll(enabled, PATIENCE).toEqual([true, true])
    for (const { open } of clients) expect(await open('20')).toMatchObject({ status: 'pending' })
  })
})

/** The agent at a server. */
async function clientOf(server: ProductProcess) {
  const { token } = await post<{ token: string }>(server, '/auth/login', AGENT)
  const get = async <Data>(path: string) => {
    const response = await fetch(`${server.address}/api${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return ((await response.json()) as { data: Data }).data
  }
  return {
    open: (amount: string) => post<TopUp>(server, '/usdt/create-order', { amount }, { token }),
    check: ({ order_no }: TopUp) => get<Checked>(`/usdt/check-status?order_no=${order_no}`),
    cancel: ({ order_no }: TopUp) => post<Checked>(server, '/usdt/cancel-order', { order_no }, { token }),
    isEnabled: async () => (await get<{ enabled: boolean }>('/usdt/wallet-info')).enabled,
  }
}
