import { expect, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { sealing } from '../../src/core/sealed.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createSupplierEmulator } from '../../src/emulators/supplier/supplier-emulator.ts'
import { type KillPoint, killPoints } from './kill-points.ts'
import { PATIENCE } from './patience.ts'
import { operator } from './processes.ts'
import { AGENT, SECRET } from './product.ts'
import { openShopToKill } from './shop-to-kill.ts'
import { serveSupplier } from './supplier.ts'

const SUPPLIER = 'upstream'
const PRICE = 4

/** A call as it stands in the database. */
export interface CallRow {
  readonly callNo: string
  readonly kind: string
  readonly state: string
  readonly cost: number
}

const CALLS = 'SELECT call_no AS "callNo", kind, state, cost FROM supplier_calls ORDER BY id'

/** A proxy of the shop, with what the order and the supplier say of it. */
export interface ProxyRow {
  readonly orderNo: string
  readonly instanceNo: string
  readonly providerInstanceNo: string
  readonly status: string
  readonly ip: string
  readonly username: string
  readonly password: string
  readonly expireTime: string
}

/**
 * A shop in a process of its own that buys proxies for 30 days at 2.5 from an emulated supplier in this one, and sells them at 4 as
 * the product `supplied`. Everything ends with the test.
 *
 * @param settings of the process, besides
 */
export async function openSuppliedShopToKill(settings: Readonly<Record<string, string>> = {}) {
  const supplier = createSupplierEmulator({ clock: systemClock })
  const { access } = await serveSupplier(supplier)
  supplier.setProduct({ productNo: 'us_la_30', costPrice: '2.5' })
  const points = await killPoints()
  const { database, beside, ids, start } = await openShopToKill(
    [{ ...AGENT, balance: 1_000 }],
    {
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '0',
      ...points.settings,
      ...settings,
    },
    async ({ operator }) => {
      await operator.suppliers.add(SHELL, { name: SUPPLIER, driver: 'ipipv', refundHours: 24, ...access })
      await operator.suppliers.sync(SHELL, SUPPLIER)
      await operator.addSuppliedProduct(SHELL, {
        productNo: 'supplied',
        names: { en: 'Supplied', zh: '供应' },
        supplier: SUPPLIER,
        offers: ['us_la_30'],
        price: PRICE,
        refundHours: 24,
        replacePolicy: 'auto',
      })
    },
  )
  let running = await start()
  let token = ''

  const { rows, change } = beside

  async function api<Data = unknown>(path: string, body: object): Promise<Data> {
    const response = await fetch(`${running.address}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; data: Data }
    expect(answer).toMatchObject({ code: 0 })
    return answer.data
  }
  token = (await api<{ token: string }>('/auth/login', AGENT)).token

  const callback = sealing(SECRET, 'credentials of suppliers').digest('callback 1')

  /** Lets the shop look up its open calls now, as a callback of the supplier does. */
  async function lookUp(): Promise<boolean> {
    const open = await rows<CallRow>(
      'SELECT call_no AS "callNo" FROM supplier_calls WHERE next_at IS NOT NULL',
    )
    for (const { callNo } of open)
      await fetch(`${running.address}/suppliers/${SUPPLIER}/${callback}?type=order&no=${callNo}`)
    return open.length > 0
  }

  /** Waits until no call is open and what they brought was handed over; what the supplier did not know is a minute old at once. */
  async function settled(): Promise<void> {
    await vi.waitUntil(async () => {
      await change(
        'UPDATE supplier_calls SET absent_since = ? WHERE absent_since IS NOT NULL',
        new Date(Date.now() - 61_000).toISOString(),
      )
      return !(await lookUp()) && (await rows('SELECT 1 FROM jobs')).length === 0
    }, PATIENCE)
  }

  return {
    supplier,
    api,
    rows,
    lookUp,
    settled,
    /** Orders proxies for 30 days; answers the number of the order. */
    order: async (ipCount: number) => {
      const { orderNo } = await api<{ orderNo: string }>('/open/app/static/order/create-standard/v2', {
        orderType: 'static_proxy',
        poolId: 'supplied',
        userId: ids[0],
        unitPrice: 0,
        totalAmount: 0,
        ipCount,
        duration: 30,
        unit: 1,
        cycleTimes: 1,
      })
      return orderNo
    },
    proxies: (orderNo: string) =>
      rows<ProxyRow>(
        `SELECT o.order_no AS "orderNo", instance_no AS "instanceNo", provider_instance_no AS "providerInstanceNo", i.status, ip, username,
           password, i.expire_time AS "expireTime"
         FROM instances i JOIN static_orders o ON o.id = i.order_id WHERE o.order_no = ? ORDER BY i.id`,
        orderNo,
      ),
    calls: () => rows<CallRow>(CALLS),
    balance: async () => {
      const [account] = await rows<{ balance: number }>('SELECT balance FROM accounts')
      return Number(account?.balance) / 1e6
    },
    /** Lets the process end there; the returned function waits until it has. */
    killAt: (point: KillPoint) => {
      points.set(point)
      return async () => {
        await vi.waitUntil(async () => {
          await Promise.allSettled([lookUp()])
          return !points.isSet()
        }, PATIENCE)
        await running.kill()
      }
    },
    kill: () => running.kill(),
    restart: async () => void (running = await start()),
    /**
     * Expects that the supplier has carried out each call once and no other, was paid what the calls cost, and that the books are right
     * and the same on both sides.
     */
    proven: async () => {
      await settled()
      expect(await running.terminate()).toBe(0)
      const calls = await rows<CallRow>(CALLS)
      expect(calls.filter(({ state }) => state !== 'settled')).toEqual([])
      expect(
        supplier
          .orders()
          .map(({ appOrderNo }) => appOrderNo)
          .toSorted(),
      ).toEqual(calls.map(({ callNo }) => callNo).toSorted())
      // To ask for the result of a reset is to send it again.
      const bought = calls.filter(({ kind }) => kind !== 'reset')
      expect(bought.filter(({ callNo }) => supplier.uses(callNo).seen !== 1)).toEqual([])
      const charged = supplier.charges().reduce((sum, { amount }) => sum - Number(amount) * 1e6, 0)
      expect(calls.reduce((sum, { cost }) => sum + cost, 0)).toBe(charged)
      const env = { SECRETS_KEY: SECRET }
      expect(await operator(['audit'], { database })).toMatchObject({
        status: 0,
        stdout: 'The books balance\n',
      })
      expect(await operator(['supplier', 'reconcile', SUPPLIER], { database, env })).toMatchObject({
        status: 0,
      })
    },
  }
}

export type SuppliedShopToKill = Awaited<ReturnType<typeof openSuppliedShopToKill>>
