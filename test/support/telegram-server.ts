import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import { expectNarrowLabels } from './narrow-labels.ts'

/**
 * An emulator of Telegram over HTTP, with one bot at first, and a shortcut for what the bot calls most: a connection costs more than what is called. Calls
 * with files, the wait for updates, and everything after the first fault that is injected go over HTTP.
 */
export async function serveTelegram(token: string) {
  const telegram = createTelegramEmulator({ token, botUsername: 'shop_bot' })
  expectNarrowLabels(telegram)
  const server = Fastify({ forceCloseConnections: true })
  await server.register(telegram.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  /** @param of the token of the bot that calls; default: the first one */
  const shortcut = (method: string, payload: unknown, of = token) => {
    if (telegram.wasFaulty() || method === 'getUpdates' || typeof payload !== 'string') return undefined
    const url = `/telegram/bot${of}/${method}`
    return server
      .inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })
      .then(({ statusCode, body }) => ({ status: statusCode, content: body }))
  }
  const apiRoot = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`
  return { telegram, apiRoot, shortcut, close: () => server.close() }
}
