import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PATIENCE } from '../support/patience.ts'
import type { ProductProcess } from '../support/process.ts'
import { leads, openSeveralShop, withoutPostgres } from './several-shop.ts'

const LIMIT = { timeout: 240_000 }
const ALL = {
  database: 'ok',
  disk: 'ok',
  jobs: 'ok',
  bot: 'ok',
  books: 'ok',
  chats: 'ok',
  chain: 'ok',
  clock: 'ok',
}

describe.skipIf(withoutPostgres)('the health of two servers', () => {
  it('is good when one leads and the other one stands by', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const second = await shop.start()
    await vi.waitUntil(async () => (await ready(first)).checks?.['chain'] === 'ok', PATIENCE)
    for (const server of [first, second])
      expect(await ready(server)).toEqual({ code: 200, status: 'ok', checks: ALL })
  })

  it('leaves a new leader in use while neither Telegram nor the chain answers', LIMIT, async () => {
    const shop = await openSeveralShop(0)
    const first = await shop.start()
    await vi.waitUntil(() => leads(first), PATIENCE)
    const second = await shop.start({
      TELEGRAM_API_ROOT: await silentServer(),
      TRON_API_URL: 'http://127.0.0.1:1',
    })
    await first.kill()
    await vi.waitUntil(() => leads(second), PATIENCE)
    const { code, status, checks } = await ready(second)
    expect({ code, status, checks: { ...checks, jobs: '' } }).toEqual({
      code: 200,
      status: 'degraded',
      // Its jobs have perhaps begun.
      checks: { ...ALL, jobs: '', bot: 'degraded', chain: 'degraded' },
    })
  })
})

async function ready({ address }: ProductProcess) {
  const response = await fetch(`${address}/readyz`)
  const body = (await response.json()) as { status: string; checks?: Record<string, string> }
  return { code: response.status, ...body }
}

/** Address of a server that takes connections and answers nothing. */
async function silentServer(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
