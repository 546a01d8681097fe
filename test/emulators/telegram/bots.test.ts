import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import type { Update } from 'grammy/types'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPhone } from '../../support/phone.ts'
import { ANN, BEN, jpegOf, startTelegram } from './server.ts'

const UNAUTHORIZED = { ok: false, error_code: 401, description: 'Unauthorized' }
const refusal = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` })
const texts = (updates: readonly Update[]) => updates.map((update) => update.message?.text)

/** The shop's bot, whose clock stands still, and one of Ben's beside it. */
async function startTwo() {
  const now = new Date('2026-03-01T00:00:00Z')
  const telegram = await startTelegram({ now: () => now })
  telegram.emulator.addUser(BEN)
  const bens = telegram.emulator.addBot({ username: 'bens_bot', name: "Ben's", ownerId: BEN.id })
  const callBens: typeof telegram.call = (...call) => telegram.callAs(bens.token, ...call)
  return { ...telegram, bens, callBens }
}

/** The same, where the shop's bot may manage others, and Ben has made his through it. */
async function startManaged(from?: 'link' | 'button') {
  const telegram = await startTelegram()
  const { emulator, callAs } = telegram
  emulator.addUser(BEN)
  emulator.setCanManageBots(true)
  const dialog = emulator.newBotDialog('https://t.me/newbot/shop_bot/bens_bot?name=Ben%27s+proxies')
  const child = emulator.createManagedBot(BEN.id, dialog, from)
  const callChild: typeof telegram.call = (...call) => callAs(child.token, ...call)
  const user_id = child.about().id
  /** The updates that the manager has not seen yet. */
  let offset = 0
  const news = async () => {
    const { result } = await telegram.call('getUpdates', { offset })
    offset = (result.at(-1)?.update_id ?? offset) + 1
    return result
  }
  return { ...telegram, dialog, child, callChild, user_id, news }
}

describe('two bots', () => {
  test('have the same ids for the same person, and nothing else in common', async () => {
    const { call, callBens, emulator, bens } = await startTwo()
    expect((await callBens('getMe')).result).toMatchObject({
      id: Number.parseInt(bens.token, 10),
      is_bot: true,
      first_name: "Ben's",
      username: 'bens_bot',
    })
    const toAnn = { chat_id: ANN.id, text: 'Hi' }
    expect(await callBens('sendMessage', toAnn)).toMatchObject({
      error_code: 403,
      description: "Forbidden: bot can't initiate conversation with a user",
    })
    // Of the shop's bot Ann has seen one message and one update already.
    bens.send(ANN.id, 'to the other bot')
    expect(emulator.messages(ANN.id).map(({ messageId }) => messageId)).toEqual(
      bens.messages(ANN.id).map(({ messageId }) => messageId),
    )
    const sent = [await call('sendMessage', toAnn), await callBens('sendMessage', toAnn)]
    expect(sent[1]?.result.message_id).toBe(sent[0]?.result.message_id)
    expect(sent.map(({ result }) => [result.chat.id, result.from?.username])).toEqual([
      [ANN.id, 'shop_bot'],
      [ANN.id, 'bens_bot'],
    ])
    emulator.send(ANN.id, 'to the shop')
    emulator.setBlocked(ANN.id, true)
    expect(await callBens('sendMessage', toAnn)).toMatchObject({ ok: true })
    const updates = [await call('getUpdates'), await callBens('getUpdates')]
    expect(texts(updates[0]?.result ?? [])).toEqual(['to the shop', undefined])
    expect(texts(updates[1]?.result ?? [])).toEqual(['to the other bot'])
    const ids = updates.map(({ result }) => result[0]?.update_id)
    // One update of the shop's bot was dropped before.
    expect(ids[0]).toBe((ids[1] ?? 0) + 1)
  })

  test('keep their own profile, commands, pictures and calls', async () => {
    const { call, callBens, upload, emulator, bens } = await startTwo()
    await callBens('setMyName', { name: 'Rented' })
    await callBens('setMyDescription', { description: 'Прокси', language_code: 'ru' })
    await callBens('setMyShortDescription', { short_description: 'short' })
    await callBens('setMyCommands', { commands: [{ command: 'go', description: 'Go' }] })
    const photo = JSON.stringify({ type: 'static', photo: 'attach://face' })
    const face = new File([jpegOf(640, 640)], 'face.jpg')
    expect(await upload('setMyProfilePhoto', { photo, face }, bens.token)).toMatchObject({ ok: true })
    expect((await callBens('getMyName')).result).toEqual({ name: 'Rented' })
    expect((await call('getMyName')).result).toEqual({ name: 'shop_bot' })
    expect(bens.about()).toMatchObject({
      texts: { name: { '': 'Rented' }, description: { ru: 'Прокси' }, shortDescription: { '': 'short' } },
      picture: { mimeType: 'image/jpeg' },
    })
    expect(emulator.about()).toMatchObject({ texts: { description: {}, shortDescription: {} } })
    expect([bens.commands(ANN.id).length, emulator.commands(ANN.id).length]).toEqual([1, 0])
    await callBens('removeMyProfilePhoto')
    expect(bens.about().picture).toBeUndefined()
    expect(bens.calls().map(({ method }) => method)).toContain('setMyCommands')
    expect(emulator.calls().map(({ method }) => method)).toEqual(['getMyName'])
  })

  test('do not know each other’s files', async () => {
    const { upload, callBens, bens, apiRoot, call } = await startTwo()
    bens.send(ANN.id, '/start')
    const document = new File(['10.0.0.1:80'], 'proxies.txt')
    const { file_id } = (await upload('sendDocument', { chat_id: String(ANN.id), document })).result.document
    expect(await callBens('sendDocument', { chat_id: ANN.id, document: file_id })).toEqual(
      refusal('wrong file identifier/HTTP URL specified'),
    )
    expect(await callBens('getFile', { file_id })).toEqual(refusal('invalid file_id'))
    const { file_path } = (await call('getFile', { file_id })).result
    expect((await fetch(`${apiRoot}/file/bot${bens.token}/${file_path}`)).status).toBe(404)
  })

  test('get their updates each in its own way: one by a webhook with its secret, one by polling', async () => {
    const { call, callBens, emulator, bens } = await startTwo()
    const server = Fastify()
    const delivered = new Promise<unknown>((resolve) =>
      server.post<{ Params: { path: string }; Body: Update }>('/:path', ({ params, headers, body }) => {
        resolve([params.path, headers['x-telegram-bot-api-secret-token'], body.message?.text])
        return {}
      }),
    )
    await server.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => server.close())
    const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/bens`
    await callBens('setWebhook', { url, secret_token: 's3cret' })
    const waiting = call('getUpdates', { timeout: 20 })
    bens.send(ANN.id, 'by webhook')
    emulator.send(ANN.id, 'by polling')
    expect(await delivered).toEqual(['bens', 's3cret', 'by webhook'])
    expect(texts((await waiting).result)).toEqual(['by polling'])
    expect((await call('getWebhookInfo')).result).toMatchObject({ url: '' })
    expect((await callBens('getWebhookInfo')).result).toMatchObject({ url })
  })
})

describe('faults of one bot', () => {
  test('leave the others alone', async () => {
    const { call, callBens, bens } = await startTwo()
    bens.inject({ kind: 'unauthorized', times: Infinity })
    expect(await callBens('getMe')).toEqual(UNAUTHORIZED)
    expect(await callBens('getUpdates')).toEqual(UNAUTHORIZED)
    expect(await call('getMe')).toMatchObject({ ok: true })
    bens.clearFaults()
    bens.inject({ kind: 'too-many-requests', retryAfter: 7 })
    bens.inject({ kind: 'server-error', code: 500 })
    expect((await callBens('getMe')).parameters).toEqual({ retry_after: 7 })
    expect(await callBens('getMe')).toMatchObject({
      error_code: 500,
      description: 'Internal Server Error: restart',
    })
    expect(await callBens('getMe')).toMatchObject({ ok: true })
  })

  test('another program that polls ends the request that waits, and the next one', async () => {
    const { callBens, bens } = await startTwo()
    const waiting = callBens('getUpdates', { timeout: 20 })
    await callBens('getMe')
    bens.inject({ kind: 'conflict', times: 2 })
    const conflict = {
      error_code: 409,
      description:
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
    }
    expect(await waiting).toMatchObject(conflict)
    expect(await callBens('getMe')).toMatchObject({ ok: true })
    expect(await callBens('getUpdates')).toMatchObject(conflict)
    expect(await callBens('getUpdates')).toMatchObject({ ok: true })
  })
})

describe('a managed bot', () => {
  test('belongs to the person who confirms the link; its manager is told and may ask for the token', async () => {
    const { call, callChild, dialog, child, user_id, news } = await startManaged()
    expect(dialog).toEqual({ manager: 'shop_bot', username: 'bens_bot', name: "Ben's proxies" })
    expect((await call('getMe')).result.can_manage_bots).toBe(true)
    const [update, ...more] = await news()
    expect(more).toEqual([])
    expect(update?.managed_bot).toMatchObject({
      user: { id: BEN.id },
      bot: { id: user_id, is_bot: true, first_name: "Ben's proxies", username: 'bens_bot' },
    })
    const token = (await call('getManagedBotToken', { user_id })).result
    expect(token).toMatch(new RegExp(`^${user_id}:[\\w-]{35}$`))
    expect((await callChild('getMe')).result).toMatchObject({ id: user_id, can_manage_bots: false })
    expect(child.about()).toMatchObject({ token, ownerId: BEN.id })
  })

  test('made by a keyboard button comes with a service message first; a link has none (MTProto)', async () => {
    const { child, emulator, news } = await startManaged('button')
    const [message, update] = await news()
    expect(message?.message).toMatchObject({
      chat: { id: BEN.id },
      from: { id: BEN.id },
      managed_bot_created: { bot: { username: child.botUsername } },
    })
    expect(message?.message).not.toHaveProperty('text')
    expect(update).toHaveProperty('managed_bot')
    expect(emulator.messages(BEN.id)).toMatchObject([{ createdBot: { username: 'bens_bot' } }])
  })

  test('is not announced to a manager that does not ask for such updates', async () => {
    const { call, emulator, news } = await startManaged()
    await news()
    await call('getUpdates', { allowed_updates: ['message'] })
    emulator.createManagedBot(ANN.id, { manager: 'shop_bot', username: 'anns_bot', name: 'Ann' })
    expect(await news()).toEqual([])
  })

  test('is not made under a bad or taken name, by a manager that may not, or beyond 20 of one owner', async () => {
    const { emulator, dialog } = await startManaged()
    const make = (changed: object) => () => emulator.createManagedBot(ANN.id, { ...dialog, ...changed })
    expect(make({})).toThrow('USERNAME_OCCUPIED')
    expect(make({ username: 'BENS_bot' })).toThrow('USERNAME_OCCUPIED')
    expect(make({ username: 'ann' })).toThrow('USERNAME_INVALID')
    expect(make({ username: 'anns_shop' })).toThrow('USERNAME_SUFFIX_MISSING')
    expect(make({ username: 'anns_bot', name: 'x'.repeat(65) })).toThrow('NAME_INVALID')
    expect(make({ username: 'anns_bot', manager: 'bens_bot' })).toThrow('MANAGER_PERMISSION_MISSING')
    expect(() => emulator.newBotDialog('https://t.me/newbot/bens_bot/x_bot')).toThrow(
      'MANAGER_PERMISSION_MISSING',
    )
    for (let i = 0; i < 20; i += 1) make({ username: `ann_${i}_bot` })()
    expect(make({ username: 'ann_20_bot' })).toThrow('BOT_CREATE_LIMIT_EXCEEDED')
  })

  test('gets another token from its manager or its owner; the old one is worth nothing at once', async () => {
    const { call, callAs, child, user_id, news } = await startManaged()
    await news()
    const old = child.token
    child.send(BEN.id, 'waits for the new token')
    await callAs(old, 'setWebhook', { url: 'http://127.0.0.1:9/closed' })
    const replaced = (await call('replaceManagedBotToken', { user_id })).result
    expect(await callAs(old, 'getMe')).toEqual(UNAUTHORIZED)
    expect((await callAs(replaced, 'getWebhookInfo')).result).toMatchObject({ url: '' })
    const { result } = await callAs(replaced, 'getUpdates')
    expect(texts(result)).toEqual(['waits for the new token'])
    const offset = (result[0]?.update_id ?? 0) + 1
    const waiting = callAs(replaced, 'getUpdates', { offset, timeout: 20 })
    await callAs(replaced, 'getMe')
    const revoked = child.revokeToken()
    expect(await waiting).toEqual(UNAUTHORIZED)
    expect((await call('getManagedBotToken', { user_id })).result).toBe(revoked)
    expect((await news()).map(({ managed_bot }) => managed_bot?.bot.id)).toEqual([user_id, user_id])
  })

  test('keeps its token when it gets another owner, of whom its manager is not told', async () => {
    const { call, child, user_id, news } = await startManaged()
    await news()
    const { token } = child
    child.transferTo(ANN.id)
    expect((await news())[0]?.managed_bot?.user.id).toBe(BEN.id)
    expect((await call('getManagedBotToken', { user_id })).result).toBe(token)
    expect(child.about().ownerId).toBe(ANN.id)
  })

  test('is gone when its owner deletes it, and nobody is told', async () => {
    const { call, callChild, child, emulator, user_id, news } = await startManaged()
    await news()
    child.deleteBot()
    expect(await callChild('getMe')).toEqual(UNAUTHORIZED)
    expect(await call('getManagedBotToken', { user_id })).toEqual(refusal('BOT_INVALID'))
    expect(await news()).toEqual([])
    expect(emulator.bots().map(({ botUsername }) => botUsername)).toEqual(['shop_bot'])
    expect(() => emulator.bot('bens_bot')).toThrow('no bot @bens_bot')
  })

  test('is not reached by a bot that does not manage it', async () => {
    const { callAs, emulator, user_id } = await startManaged()
    const { token } = emulator.addBot({ username: 'other_bot' })
    expect(await callAs(token, 'getManagedBotToken', { user_id })).toEqual(refusal('BOT_INVALID'))
  })
})

test('a link opens the chat with its bot, starts it with the payload, and lifts a block', async () => {
  const { callBens, emulator, bens } = await startTwo()
  const ann = createPhone(emulator.bot('bens_bot'), ANN)
  expect(emulator.followLink(ANN.id, 'https://t.me/bens_bot')).toBe(bens)
  bens.setBlocked(ANN.id, true)
  emulator.followLink(ANN.id, 'https://t.me/Bens_Bot?start=join_1-a')
  // Nothing is left to start.
  emulator.followLink(ANN.id, 'https://t.me/bens_bot')
  const { result } = await callBens('getUpdates')
  expect(texts(result)).toEqual(['/start', undefined, undefined, '/start join_1-a'])
  await callBens('sendMessage', { chat_id: ANN.id, text: 'Welcome' })
  expect(await ann.read('Welcome')).toBe('Welcome')
  expect(emulator.messages(ANN.id)).toHaveLength(1)
  expect(() => emulator.followLink(ANN.id, 'https://t.me/nobodys_bot')).toThrow('no bot @nobodys_bot')
})
