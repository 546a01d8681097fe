import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { startApp } from '../src/app.ts'
import { createServer } from '../src/api/server.ts'
import type { Config } from '../src/config.ts'
import { SHELL } from '../src/core/people/operator.ts'
import { PATIENCE } from './support/patience.ts'
import { dataDirectoryOf, urlOf } from './support/postgres.ts'
import { operator } from './support/processes.ts'
import { AGENT, startProduct, stockFile } from './support/product.ts'
import { emptyDatabase } from './support/service.ts'
import { openShopToKill } from './support/shop-to-kill.ts'
import { timeOf } from './support/times.ts'

const CONNECTIONS = 16

describe('a stop', () => {
  it('does not wait for somebody who has connected and asks nothing', async () => {
    const product = await startProduct({ server: createServer })
    const { hostname, port } = new URL(product.app.addresses['api'] ?? '')
    const silent = connect(Number(port), hostname)
    await once(silent, 'connect')
    const closed = once(silent, 'close')
    // After a minute of silence it would be closed anyway.
    expect(await timeOf(product.stop)).toBeLessThan(30_000)
    await closed
  })

  it('leaves nothing of the service in memory, though the process goes on', async () => {
    const { config } = await startProduct({ server: createServer })
    const database = await emptyDatabase()
    const core = await startAndStop({
      ...config,
      databaseUrl: urlOf(database),
      dataDirectory: dataDirectoryOf(database),
    })
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    await vi.waitUntil(() => {
      collectGarbage()
      return core.deref() === undefined
    }, PATIENCE)
  })
})

/** Starts a service, stops it, and knows its core no more. */
async function startAndStop(config: Config): Promise<WeakRef<object>> {
  const app = await startApp(config, pino({ level: 'silent' }))
  await app.stop()
  return new WeakRef(app.core)
}

describe('a stop under load', () => {
  it('answers what is in hand, takes nothing new, ends soon, and loses nothing that was accepted', async () => {
    const { database, beside, ids, start } = await openShopToKill(
      [{ ...AGENT, balance: 1000 }],
      { RATE_LIMIT_WRITES: '0' },
      async ({ operator }) => {
        await operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: 'ISP' }, price: 1 })
        await operator.importStock(SHELL, stockFile('ISP', '192.0.2', 200))
      },
    )
    const product = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

    /** @returns the answer, or undefined when there was nobody to give one */
    const post = (path: string, body: object, token = '') =>
      new Promise<{ status: number; body: string } | undefined>((resolve) => {
        const call = request(
          `${product.address}/api${path}`,
          {
            agent,
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(token && { authorization: `Bearer ${token}` }),
            },
          },
          (response) =>
            void text(response).then(
              (content) => resolve({ status: response.statusCode ?? 0, body: content }),
              () => resolve(undefined),
            ),
        )
        call.on('error', () => resolve(undefined))
        call.end(JSON.stringify(body))
      })

    const login = await post('/auth/login', AGENT)
    const { data } = JSON.parse(login?.body ?? '') as { data: { token: string } }
    const order = {
      orderType: 'static_proxy',
      poolId: 'ISP',
      userId: ids[0],
      unitPrice: 0,
      totalAmount: 0,
      ipCount: 1,
      cycleTimes: 1,
      duration: 1,
      unit: 3,
    }
    const accepted: string[] = []
    const odd: string[] = []
    const buyers = Array.from({ length: CONNECTIONS }, async () => {
      for (;;) {
        const answer = await post('/open/app/static/order/create-standard/v2', order, data.token)
        // Nobody listens any more.
        if (!answer) return
        if (answer.status === 200)
          accepted.push((JSON.parse(answer.body) as { data: { orderNo: string } }).data.orderNo)
        else if (![402, 409, 503].includes(answer.status)) odd.push(`${answer.status} ${answer.body}`)
        if (accepted.length > 5) stopping ??= product.terminate()
      }
    })
    let stopping: Promise<number | null> | undefined
    await Promise.all(buyers)
    agent.destroy()

    // After ten seconds it would end by itself, with another status.
    expect(await stopping).toBe(0)
    expect(odd).toEqual([])
    expect(accepted.length).toBeGreaterThan(5)
    const orders = await beside.rows<{ orderNo: string }>('SELECT order_no AS "orderNo" FROM static_orders')
    const known = orders.map(({ orderNo }) => orderNo)
    expect(accepted.filter((orderNo) => !known.includes(orderNo))).toEqual([])
    expect(await operator(['audit'], { database })).toMatchObject({ status: 0 })
  })
})
