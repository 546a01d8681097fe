import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { startApp } from '../src/app.ts'
import type { Config } from '../src/config.ts'
import { SqliteDatabase } from '../src/core/database/driver.ts'
import { audit } from '../src/core/ledger/audit.ts'
import { openDatabase } from '../src/core/database/database.ts'
import { PATIENCE } from './support/patience.ts'
import { startProcess } from './support/process.ts'
import { startProduct } from './support/product.ts'
import { temporaryDirectory } from './support/service.ts'
import { timeOf } from './support/times.ts'

const CONNECTIONS = 16

describe('a stop', () => {
  it('does not wait for somebody who has connected and asks nothing', async () => {
    const product = await startProduct()
    const { hostname, port } = new URL(product.app.addresses['api'] ?? '')
    const silent = connect(Number(port), hostname)
    await once(silent, 'connect')
    const closed = once(silent, 'close')
    // After a minute of silence it would be closed anyway.
    expect(await timeOf(product.stop)).toBeLessThan(30_000)
    await closed
  })

  it('leaves nothing of the service in memory, though the process goes on', async () => {
    const { config } = await startProduct()
    const directory = await temporaryDirectory()
    const core = await startAndStop({
      ...config,
      databaseUrl: `file:${directory}/reseller.db`,
      dataDirectory: directory,
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
    const directory = await temporaryDirectory()
    const databaseUrl = `file:${directory}/reseller.db`
    const environment = { PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'error', RATE_LIMIT_WRITES: '0' }
    const product = await startProcess(environment, directory)
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

    const login = await post('/auth/login', { username: 'agent', password: 'agent-demo' })
    const { data } = JSON.parse(login?.body ?? '') as { data: { token: string; user: { id: number } } }
    const catalogue = await post('/open/app/product/query-standard/v2', {}, data.token)
    const { items } = (
      JSON.parse(catalogue?.body ?? '') as {
        data: { items: { productId: string; duration: number; unit: number }[] }
      }
    ).data
    const [offer] = items
    const order = {
      orderType: 'static_proxy',
      poolId: offer?.productId,
      userId: data.user.id,
      unitPrice: 0,
      totalAmount: 0,
      ipCount: 1,
      cycleTimes: 1,
      duration: offer?.duration,
      unit: offer?.unit,
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
    const connection = new SqliteDatabase(`${directory}/reseller.db`, { readonly: true })
    const known = connection.prepare<[], string>('SELECT order_no FROM static_orders').pluck().all()
    connection.close()
    expect(accepted.filter((orderNo) => !known.includes(orderNo))).toEqual([])
    const db = await openDatabase(databaseUrl)
    expect(await audit({ db })).toEqual([])
    await db.close()
  })
})
