import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import type { Update } from 'grammy/types'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ANN, startTelegram } from './server.ts'

const texts = (updates: readonly Update[]) => updates.map((update) => update.message?.text)

describe('getUpdates', () => {
  test('returns updates until a higher offset confirms them, in order and with growing ids', async () => {
    const { call, emulator } = await startTelegram()
    for (const text of ['one', 'two', 'three']) emulator.send(ANN.id, text)
    const first = await call('getUpdates', { limit: 2 })
    expect(texts(first.result)).toEqual(['one', 'two'])
    expect(texts((await call('getUpdates')).result)).toEqual(['one', 'two', 'three'])
    const offset = (first.result[0]?.update_id ?? 0) + 1
    expect(first.result[1]?.update_id).toBe(offset)
    expect(texts((await call('getUpdates', { offset })).result)).toEqual(['two', 'three'])
    expect(texts((await call('getUpdates', { offset: -1 })).result)).toEqual(['three'])
    expect(texts((await call('getUpdates')).result)).toEqual(['three'])
    expect((await call('getUpdates', { offset: offset + 2 })).result).toEqual([])
  })

  test('gives higher ids after a restart, however many updates came in a second before it', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    const earlier = await startTelegram({ now: () => new Date(start) })
    for (let i = 0; i < 50; i += 1) earlier.emulator.send(ANN.id, `${i}`)
    const last = (await earlier.call('getUpdates', { offset: -1 })).result[0]?.update_id
    const later = await startTelegram({ now: () => new Date(start + 1000) })
    later.emulator.send(ANN.id, 'again')
    expect((await later.call('getUpdates')).result[0]?.update_id).toBeGreaterThan(last ?? Infinity)
  })

  test('waits for an update up to its timeout', async () => {
    const { call, emulator } = await startTelegram()
    const waiting = call('getUpdates', { timeout: 20 })
    // The answer to this call proves that the first one is waiting already.
    await call('getMe')
    emulator.send(ANN.id, 'now')
    expect(texts((await waiting).result)).toEqual(['now'])
    const offset = ((await waiting).result[0]?.update_id ?? 0) + 1
    expect(await call('getUpdates', { offset, timeout: 1 })).toEqual({ ok: true, result: [] })
  })

  test('a second poller ends the first one with a conflict', async () => {
    const { call, emulator } = await startTelegram()
    const first = call('getUpdates', { timeout: 20 })
    await call('getMe')
    const second = call('getUpdates', { timeout: 20 })
    expect(await first).toEqual({
      ok: false,
      error_code: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    })
    emulator.send(ANN.id, 'hi')
    expect(texts((await second).result)).toEqual(['hi'])
  })

  test('a poller that hangs up takes no update with it and causes no conflict', async () => {
    const { call, emulator } = await startTelegram()
    const hangUp = new AbortController()
    const gone = call('getUpdates', { timeout: 20 }, hangUp.signal)
    await call('getMe')
    hangUp.abort()
    await expect(gone).rejects.toThrow()
    const next = call('getUpdates', { timeout: 20 })
    await call('getMe')
    emulator.send(ANN.id, 'hi')
    expect(texts((await next).result)).toEqual(['hi'])
  })

  test('only updates of the allowed kinds are kept', async () => {
    const { call, emulator } = await startTelegram()
    await call('getUpdates', { allowed_updates: ['my_chat_member'] })
    emulator.send(ANN.id, 'not for the bot')
    emulator.setBlocked(ANN.id, true)
    const { result } = await call('getUpdates')
    expect(result.map((update) => Object.keys(update).toSorted())).toEqual([['my_chat_member', 'update_id']])
    await call('getUpdates', { allowed_updates: [] })
    emulator.setBlocked(ANN.id, false)
    emulator.send(ANN.id, 'for the bot')
    expect((await call('getUpdates')).result).toHaveLength(3)
  })

  test('closing the emulator ends a waiting request at once', async () => {
    const { call, emulator, server } = await startTelegram()
    const waiting = call('getUpdates', { timeout: 50 })
    await call('getMe')
    await server.close()
    expect(await waiting).toEqual({ ok: true, result: [] })
    expect(emulator.calls().filter(({ refused }) => refused !== undefined)).toEqual([])
  })
})

describe('webhooks', () => {
  interface Delivery {
    readonly secret: unknown
    readonly text: string | undefined
  }

  /** A bot's server that answers with the given statuses, then with 200; resolves when `count` updates came in. */
  async function startReceiver(count: number, statuses: number[]) {
    const deliveries: Delivery[] = []
    const server = Fastify({ forceCloseConnections: true })
    const all = new Promise<readonly Delivery[]>((resolve) => {
      server.post<{ Body: Update }>('/hook', async (request, reply) => {
        const secret = request.headers['x-telegram-bot-api-secret-token']
        deliveries.push({ secret, text: request.body.message?.text })
        if (deliveries.length === count) resolve(deliveries)
        return reply.code(statuses.shift() ?? 200).send()
      })
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    return { all, url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/hook` }
  }

  test('deliver in order, with the secret, and again until the answer is 2xx', async () => {
    const { call, emulator } = await startTelegram()
    const { all, url } = await startReceiver(4, [200, 500])
    emulator.send(ANN.id, 'one')
    expect(await call('setWebhook', { url, secret_token: 's3cret' })).toEqual({ ok: true, result: true })
    emulator.send(ANN.id, 'two')
    emulator.send(ANN.id, 'three')
    expect(await all).toEqual(['one', 'two', 'two', 'three'].map((text) => ({ secret: 's3cret', text })))
    expect((await call('getWebhookInfo')).result).toMatchObject({
      url,
      last_error_message: 'Wrong response from the webhook: 500 Internal Server Error',
    })
  })

  test('exclude polling, until the webhook is deleted; updates wait meanwhile', async () => {
    const { call, emulator } = await startTelegram()
    const waiting = call('getUpdates', { timeout: 20 })
    await call('getMe')
    await call('setWebhook', { url: 'http://127.0.0.1:9/closed' })
    expect(await waiting).toMatchObject({
      error_code: 409,
      description: 'Conflict: terminated by setWebhook request',
    })
    expect(await call('getUpdates')).toMatchObject({
      error_code: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    })
    emulator.send(ANN.id, 'hi')
    expect((await call('getWebhookInfo')).result).toMatchObject({ pending_update_count: 1 })
    await call('deleteWebhook')
    expect((await call('getWebhookInfo')).result).toMatchObject({ url: '' })
    expect(texts((await call('getUpdates')).result)).toEqual(['hi'])
    await call('deleteWebhook', { drop_pending_updates: true })
    expect((await call('getUpdates')).result).toEqual([])
  })
})
