import { mkdtemp, rm, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { Update } from 'grammy/types'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError, loadConfig } from '../../src/config.ts'
import { createTelegramEmulator } from '../../src/emulators/telegram/telegram-emulator.ts'
import type { RecordedCall } from '../../src/emulators/telegram/types.ts'
import { freePort } from '../support/free-port.ts'
import { createPhone } from '../support/phone.ts'
import { startProcess } from '../support/process.ts'
import { ANN, BEN, SECRET, startProduct } from '../support/product.ts'
import { PATIENCE } from '../support/patience.ts'

const WEBHOOK_SECRET = 'the-secret-of-the-webhook'

/** The product with a webhook, on this machine. */
async function startWithWebhook() {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const product = await startProduct({}, { port, publicUrl, webhook: { publicUrl, secret: WEBHOOK_SECRET } })
  const deliver = (update: object, secret: string | undefined = WEBHOOK_SECRET) =>
    fetch(`${publicUrl}/telegram/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
      },
      body: JSON.stringify(update),
    })
  return { ...product, deliver }
}

const message = (update_id: number, text: string): Update => ({
  update_id,
  message: {
    message_id: update_id,
    date: 1,
    chat: { id: ANN.id, type: 'private', first_name: 'Ann' },
    from: { id: ANN.id, is_bot: false, first_name: 'Ann' },
    text,
  },
})

describe('a bot with a webhook', () => {
  it('refuses what is no update, and goes on', async () => {
    const { deliver, log } = await startWithWebhook()
    for (const body of [null, 7, 'update', [], {}, { update_id: '1' }])
      expect((await deliver(body as object)).status).toBe(422)
    expect((await deliver(message(1, '/help'))).status).toBe(200)
    expect(log.join('')).not.toContain('a request failed')
  })

  it('is called by Telegram: dialogues, buttons, and one chat beside the other', async () => {
    const { telegram, memberPhone, phone } = await startWithWebhook()
    const ann = await memberPhone(ANN)
    await ann.press('📦 My proxies')
    await ann.waitFor('There are no proxies yet')
    expect(telegram.calls().filter(({ method }) => method === 'getUpdates')).toEqual([])

    telegram.inject({ method: 'sendMessage', chatId: ANN.id, kind: 'too-many-requests', retryAfter: 5 })
    ann.send('/balance')
    ann.send('/help')
    const ben = phone(BEN)
    ben.send('/help')
    await ben.waitFor('帮助')
    expect(ann.screen().text).toContain('There are no proxies yet')
    await ann.waitFor('takes you to the main menu')
    const sent = telegram.calls().filter(({ method, refused }) => method === 'sendMessage' && !refused)
    const toAnn = sent.filter(({ parameters }) => parameters['chat_id'] === ANN.id)
    expect(toAnn.slice(-2).map(({ parameters }) => String(parameters['text']).split('\n')[0])).toEqual([
      '<b>Balance</b>',
      '<b>Help</b>',
    ])
  })

  it('lets nobody in without the secret', async () => {
    const { deliver, log, telegram, phone } = await startWithWebhook()
    phone(ANN)
    for (const secret of ['', 'wrong', `${WEBHOOK_SECRET}x`, WEBHOOK_SECRET.toUpperCase()]) {
      const answer = await deliver(message(1, '/help'), secret)
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ error: 'token_invalid' }),
      ])
    }
    expect(telegram.messages(ANN.id)).toEqual([])
    expect(log.join('')).not.toContain(WEBHOOK_SECRET)
  })

  it('handles an update once, however often and at the same time it is delivered', async () => {
    const { deliver, telegram, phone } = await startWithWebhook()
    const ann = phone(ANN)
    ann.send('/start')
    await ann.waitFor('Proxies for your business')
    telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 1 })
    telegram.clearCalls()
    const again = () => deliver(message(7, '/help'))
    const answers = await Promise.all([again(), again(), again()])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await again()).status).toBe(200)
    const sent = () => telegram.calls().filter(({ method, refused }) => method === 'sendMessage' && !refused)
    const isAnswer = ({ parameters }: RecordedCall) => String(parameters['text']).includes('do not know this')
    await vi.waitUntil(() => sent().some(isAnswer), PATIENCE)
    ann.send('/start')
    await vi.waitUntil(() => !sent().every(isAnswer), PATIENCE)
    expect(sent().filter(isAnswer)).toHaveLength(1)
  })

  it('goes back to polling, and to the webhook again, without losing anything', async () => {
    const product = await startWithWebhook()
    const ann = product.phone(ANN)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    await product.stop()
    ann.send('/language')
    await product.start({ webhook: undefined })
    await ann.waitFor('Language')
    expect(product.telegram.calls().some(({ method }) => method === 'deleteWebhook')).toBe(true)
    await product.stop()
    ann.send('/help')
    await product.start()
    await ann.waitFor('takes you to the main menu')
  })

  it('gets again what a kill interrupted', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'reseller-webhook-'))
    const token = '42:token-of-the-tests-0123456789abcdefgh'
    const telegram = createTelegramEmulator({ token, botUsername: 'shop_bot' })
    const server = Fastify({ forceCloseConnections: true })
    await server.register(telegram.botApi, { prefix: '/telegram' })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const PORT = String(await freePort())
    const environment = {
      PORT,
      DATABASE_URL: `file:${join(directory, 'reseller.db')}`,
      JWT_SECRET: SECRET,
      BOT_TOKEN: token,
      BOT_MODE: 'webhook',
      PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      TELEGRAM_API_ROOT: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`,
    }
    let product = await startProcess(environment, directory)
    onTestFinished(async () => {
      await product.kill()
      await server.close()
      await rm(directory, { recursive: true })
    })
    const ann = createPhone(telegram, ANN)
    telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 5 })
    ann.send('/help')
    await vi.waitUntil(
      () => telegram.calls().some(({ refused }) => refused?.startsWith('Too Many')),
      PATIENCE,
    )
    await product.kill()
    product = await startProcess(environment, directory)
    await ann.waitFor('takes you to the main menu')
    expect((await stat(join(directory, 'webhook-secret'))).mode & 0o777).toBe(0o600)
    expect(await product.terminate()).toBe(0)
  })
})

describe('the configuration of a webhook', () => {
  const problemsOf = (environment: Record<string, string>) => {
    try {
      loadConfig({ JWT_SECRET: SECRET, BOT_MODE: 'webhook', WEBHOOK_SECRET, ...environment })
    } catch (error) {
      if (error instanceof ConfigError) return error.message
      throw error
    }
    return ''
  }

  it.each([
    ['needs an address', {}, 'PUBLIC_URL is missing'],
    ['which must be https', { PUBLIC_URL: 'http://shop.example.com' }, 'PUBLIC_URL must be https'],
    ['on a port that Telegram calls', { PUBLIC_URL: 'https://shop.example.com:3000' }, 'must have port 443'],
    [
      'and a good secret',
      { PUBLIC_URL: 'https://shop.example.com', WEBHOOK_SECRET: 'with space, short' },
      'WEBHOOK_SECRET must have',
    ],
    ['and nothing else', { PUBLIC_URL: 'https://shop.example.com:8443' }, ''],
  ])('%s', (_what, environment, problem) => {
    expect(problemsOf(environment)).toContain(problem)
    if (problem === '') expect(problemsOf(environment)).toBe('')
  })

  it('is not looked at for polling', () => {
    expect(loadConfig({ JWT_SECRET: SECRET, PUBLIC_URL: 'http://shop.example.com' }).webhook).toBeUndefined()
  })
})
