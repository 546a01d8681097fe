import { setTimeout as sleep } from 'node:timers/promises'
import type { ProductProcess } from '../support/process.ts'
import { AGENT } from '../support/product.ts'

/** A client that sends each order again, under its number, until it has an answer. */
export function createBuyer(server: ProductProcess) {
  const accepted = new Map<string, string>()
  const buyer = {
    server,
    accepted,
    /** @param terms other than those of {@link ORDER} */
    async buy(count: number, name: string, terms: Partial<typeof ORDER> = {}): Promise<void> {
      let token = ''
      for (let index = 0; index < count;) {
        const appOrderNo = `order-${name}-${index}`
        try {
          token ||= (await post<{ token: string }>(buyer.server, '/auth/login', AGENT)).token
          const { orderNo } = await post<{ orderNo: string }>(
            buyer.server,
            '/open/app/static/order/create-standard/v2',
            { ...ORDER, ...terms, appOrderNo },
            { token },
          )
          accepted.set(appOrderNo, orderNo)
          index += 1
        } catch {
          await sleep(100)
        }
      }
    },
  }
  return buyer
}

/** One proxy for a month. */
export const ORDER = {
  orderType: 'static_proxy',
  poolId: 'ISP',
  userId: 1,
  unitPrice: 0,
  totalAmount: 0,
  ipCount: 1,
  cycleTimes: 1,
  duration: 1,
  unit: 3,
}

interface Sending {
  readonly token?: string
  /** The number under which it is repeated. */
  readonly key?: string
  readonly patienceMs?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** @returns the data of the answer; rejected with the status when it is refused */
export async function post<Data>(
  { address }: ProductProcess,
  path: string,
  body: object,
  { token, key, patienceMs = 20_000, headers }: Sending = {},
): Promise<Data> {
  const response = await fetch(`${address}/api${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
      ...headers,
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patienceMs),
  })
  if (!response.ok) throw new Error(`refused with ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: Data }).data
}
