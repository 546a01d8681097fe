import { describe, expect, test } from 'vitest'
import type { ChatEvent } from '../../../src/emulators/telegram/types.ts'
import { ANN, BEN, pngOf, startTelegram } from './server.ts'

const to = { chat_id: ANN.id }
const keyboard = { inline_keyboard: [[{ text: 'Go', callback_data: 'go' }]] }
const refusal = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` })
const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message'

describe('editing', () => {
  test('changes text and keyboard; without reply_markup the keyboard goes away', async () => {
    const { call, emulator } = await startTelegram()
    const { result } = await call('sendMessage', { ...to, text: 'one', reply_markup: keyboard })
    expect(result).toMatchObject({
      text: 'one',
      reply_markup: keyboard,
      from: { is_bot: true, username: 'shop_bot' },
    })
    const target = { ...to, message_id: result.message_id }
    expect(await call('editMessageText', { ...target, text: 'one', reply_markup: keyboard })).toEqual(
      refusal(NOT_MODIFIED),
    )
    const edited = await call('editMessageText', { ...target, text: 'two' })
    expect(edited.result).toMatchObject({ text: 'two', message_id: result.message_id })
    expect(edited.result).not.toHaveProperty('reply_markup')
    expect(emulator.messages(ANN.id).at(-1)).toMatchObject({ text: 'two', edited: true, keyboard: [] })
    expect(await call('editMessageText', { ...target, text: ' two ' })).toEqual(refusal(NOT_MODIFIED))
    expect(await call('editMessageReplyMarkup', target)).toEqual(refusal(NOT_MODIFIED))
    expect(await call('editMessageReplyMarkup', { ...target, reply_markup: keyboard })).toMatchObject({
      ok: true,
    })
    expect(await call('editMessageText', { ...target, text: 'x'.repeat(4097) })).toEqual(
      refusal('MESSAGE_TOO_LONG'),
    )
  })

  test('keeps text messages and files apart', async () => {
    const { call, upload, emulator } = await startTelegram()
    const text = { ...to, message_id: (await call('sendMessage', { ...to, text: 'x' })).result.message_id }
    const parts = { chat_id: String(ANN.id), photo: new File([pngOf(10, 10)], 'qr.png'), caption: 'scan' }
    const { result } = await upload('sendPhoto', parts)
    const photo = { ...to, message_id: result.message_id }
    expect(await call('editMessageText', { ...photo, text: 'y' })).toEqual(
      refusal('there is no text in the message to edit'),
    )
    expect(await call('editMessageCaption', { ...text, caption: 'y' })).toEqual(
      refusal('there is no caption in the message to edit'),
    )
    expect(await call('editMessageCaption', { ...photo, caption: 'x'.repeat(1025) })).toEqual(
      refusal('message caption is too long'),
    )
    expect(await call('editMessageCaption', { ...photo, caption: 'scan' })).toEqual(refusal(NOT_MODIFIED))
    expect((await call('editMessageCaption', photo)).result).not.toHaveProperty('caption')
    const media = {
      type: 'photo',
      media: result.photo?.[0]?.file_id,
      caption: '<b>again</b>',
      parse_mode: 'HTML',
    }
    expect((await call('editMessageMedia', { ...text, media })).result).toMatchObject({ caption: 'again' })
    expect(emulator.messages(ANN.id).map(({ text, file }) => [text, file?.kind])).toEqual([
      ['hello', undefined],
      ['again', 'photo'],
      ['', 'photo'],
    ])
  })

  test('is refused for what a person wrote, what was forwarded, and messages with a reply keyboard', async () => {
    const { call, emulator } = await startTelegram()
    const message_id = emulator.send(ANN.id, 'mine')
    const cannot = refusal("message can't be edited")
    expect(await call('editMessageText', { ...to, message_id, text: 'x' })).toEqual(cannot)
    const forwarded = await call('forwardMessage', { ...to, from_chat_id: ANN.id, message_id })
    expect(forwarded.result).toMatchObject({
      text: 'mine',
      forward_origin: { type: 'user', sender_user: { id: ANN.id } },
    })
    expect(
      await call('editMessageText', { ...to, message_id: forwarded.result.message_id, text: 'x' }),
    ).toEqual(cannot)
    const reply_markup = { keyboard: [[{ text: 'Menu' }]], resize_keyboard: true }
    const menu = await call('sendMessage', { ...to, text: 'menu', reply_markup })
    expect(await call('editMessageText', { ...to, message_id: menu.result.message_id, text: 'x' })).toEqual(
      cannot,
    )
    const target = { ...to, message_id: menu.result.message_id, reply_markup: { force_reply: true } }
    expect(await call('editMessageReplyMarkup', target)).toMatchObject({ ok: false, error_code: 400 })
  })
})

describe('deleting', () => {
  test('takes messages of both sides away for 48 hours, and skips unknown ones in a list', async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const { call, emulator } = await startTelegram({ now: () => now })
    const own = (await call('sendMessage', { ...to, text: 'x' })).result.message_id
    const theirs = emulator.send(ANN.id, 'secret')
    const old = (await call('sendMessage', { ...to, text: 'stays' })).result
    expect(old.date).toBe(now.getTime() / 1000)
    now = new Date('2026-01-03T00:00:00Z')
    expect(await call('deleteMessage', { ...to, message_id: theirs })).toEqual({ ok: true, result: true })
    expect(await call('deleteMessages', { ...to, message_ids: [own, 1] })).toEqual({ ok: true, result: true })
    now = new Date('2026-01-03T00:00:01Z')
    expect(await call('deleteMessage', { ...to, message_id: old.message_id })).toEqual(
      refusal("message can't be deleted for everyone"),
    )
    expect(emulator.messages(ANN.id).map(({ text }) => text)).toEqual(['hello', 'stays'])
    expect(await call('deleteMessage', { ...to, message_id: own })).toEqual(
      refusal('message to delete not found'),
    )
  })
})

test('a reply shows the message that it answers, one level deep; a copy is a new message', async () => {
  const { call, emulator } = await startTelegram()
  const message_id = emulator.send(ANN.id, 'question')
  const first = await call('sendMessage', { ...to, text: 'answer', reply_parameters: { message_id } })
  expect(first.result.reply_to_message).toMatchObject({ message_id, text: 'question' })
  const reply_parameters = { message_id: first.result.message_id }
  const second = await call('sendMessage', { ...to, text: 'more', reply_parameters })
  expect(second.result.reply_to_message).not.toHaveProperty('reply_to_message')
  const lost = { message_id: 1, allow_sending_without_reply: true }
  expect((await call('sendMessage', { ...to, text: 'x', reply_parameters: lost })).result).not.toHaveProperty(
    'reply_to_message',
  )
  const copy = await call('copyMessage', { ...to, from_chat_id: ANN.id, message_id: first.result.message_id })
  expect(copy.result).toEqual({ message_id: expect.any(Number) })
  expect(emulator.messages(ANN.id).at(-1)).toMatchObject({
    text: 'answer',
    messageId: copy.result.message_id,
  })
})

describe('buttons', () => {
  test('the phone shows their kind, value and style', async () => {
    const { call, emulator } = await startTelegram()
    const inline_keyboard = [
      [{ text: 'Buy', callback_data: 'é'.repeat(32), style: 'success' }],
      [
        { text: 'Copy', copy_text: { text: 'T'.repeat(256) } },
        { text: 'Site', url: 'example.com' },
      ],
    ]
    await call('sendMessage', { ...to, text: 'x', reply_markup: { inline_keyboard } })
    expect(emulator.messages(ANN.id).at(-1)?.keyboard).toEqual([
      [{ text: 'Buy', kind: 'callback', value: 'é'.repeat(32), style: 'success' }],
      [
        { text: 'Copy', kind: 'copy', value: 'T'.repeat(256) },
        { text: 'Site', kind: 'url', value: 'http://example.com/' },
      ],
    ])
  })

  test('a press waits for the answer of the bot, which is possible once', async () => {
    const { call, emulator } = await startTelegram()
    const { message_id } = (await call('sendMessage', { ...to, text: 'x', reply_markup: keyboard })).result
    const pressed = emulator.press(ANN.id, message_id, 'go')
    const [update] = (await call('getUpdates')).result
    expect(update?.callback_query).toMatchObject({
      data: 'go',
      from: { id: ANN.id },
      message: { message_id, text: 'x' },
    })
    const answer = { callback_query_id: update?.callback_query?.id }
    expect(await call('answerCallbackQuery', { ...answer, text: 'x'.repeat(201) })).toEqual(
      refusal('MESSAGE_TOO_LONG'),
    )
    expect(await call('answerCallbackQuery', { ...answer, text: 'Done', show_alert: true })).toMatchObject({
      ok: true,
    })
    expect(await pressed).toEqual({ text: 'Done', showAlert: true })
    expect(await call('answerCallbackQuery', answer)).toEqual(
      refusal('query is too old and response timeout expired or query ID is invalid'),
    )
  })

  test('only what is on the current keyboard can be pressed; an old client can press what is gone', async () => {
    const { call, emulator } = await startTelegram()
    const { message_id } = (await call('sendMessage', { ...to, text: 'x', reply_markup: keyboard })).result
    await call('deleteMessage', { ...to, message_id })
    await expect(emulator.press(ANN.id, message_id, 'go')).rejects.toThrow(
      'no button with the callback data "go"',
    )
    const pressed = emulator.pressStale(ANN.id, message_id, 'go')
    const [update] = (await call('getUpdates')).result
    expect(update?.callback_query?.message).toEqual({
      chat: { id: ANN.id, type: 'private', first_name: 'Ann', username: 'ann' },
      message_id,
      date: 0,
    })
    await call('answerCallbackQuery', { callback_query_id: update?.callback_query?.id })
    expect(await pressed).toEqual({ showAlert: false })
  })

  test('an expired query cannot be answered, and a press does not wait for ever', async () => {
    const { call, emulator } = await startTelegram()
    const expired = emulator.pressStale(ANN.id, 1, 'go')
    emulator.expireCallbacks()
    await expect(expired).rejects.toThrow('expired')
    const [update] = (await call('getUpdates')).result
    expect(await call('answerCallbackQuery', { callback_query_id: update?.callback_query?.id })).toEqual(
      refusal('query is too old and response timeout expired or query ID is invalid'),
    )
    await expect(emulator.pressStale(ANN.id, 1, 'go', 5)).rejects.toThrow(
      'did not answer the pressed button in 5 ms',
    )
  })
})

describe('the profile of the bot', () => {
  test('a person sees the commands of the narrowest scope, in the own language if there are any', async () => {
    const { call, emulator } = await startTelegram()
    emulator.addUser(BEN)
    const events: ChatEvent[] = []
    emulator.subscribe((event) => events.push(event))
    const set = (description: string, more: object = {}) =>
      call('setMyCommands', { commands: [{ command: 'go', description }], ...more })
    const seen = () => [ANN, BEN].map(({ id }) => emulator.commands(id)[0]?.description)
    expect(seen()).toEqual([undefined, undefined])
    await set('default')
    expect(seen()).toEqual(['default', 'default'])
    await set('по-русски', { language_code: 'ru' })
    expect(seen()).toEqual(['default', 'по-русски'])
    await set('private', { scope: { type: 'all_private_chats' } })
    expect(seen()).toEqual(['private', 'private'])
    await set('Ann only', { scope: { type: 'chat', chat_id: ANN.id } })
    expect(seen()).toEqual(['Ann only', 'private'])
    expect(events.map(({ type, chatId }) => [type, chatId])).toEqual(
      [ANN, BEN, BEN, ANN, BEN, ANN].map(({ id }) => ['commands', id]),
    )
    expect((await call('getMyCommands', { language_code: 'ru' })).result).toEqual([
      { command: 'go', description: 'по-русски' },
    ])
    await call('deleteMyCommands', { scope: { type: 'chat', chat_id: ANN.id } })
    expect(seen()).toEqual(['private', 'private'])
    expect(await set('x', { language_code: 'rus' })).toEqual(refusal('invalid language code specified'))
  })

  test('names and descriptions are kept by language, with the default one behind', async () => {
    const { call } = await startTelegram()
    await call('setMyName', { name: 'Proxy shop' })
    await call('setMyName', { name: 'Магазин', language_code: 'ru' })
    expect((await call('getMyName', { language_code: 'ru' })).result).toEqual({ name: 'Магазин' })
    expect((await call('getMyName', { language_code: 'de' })).result).toEqual({ name: 'Proxy shop' })
    expect((await call('getMe')).result).toMatchObject({
      id: 42,
      first_name: 'Proxy shop',
      username: 'shop_bot',
    })
    await call('setMyDescription', { description: 'Sells proxies' })
    expect((await call('getMyDescription')).result).toEqual({ description: 'Sells proxies' })
    await call('setMyShortDescription', { short_description: 'Shop' })
    expect((await call('getMyShortDescription')).result).toEqual({ short_description: 'Shop' })
    await call('setMyDescription', {})
    expect((await call('getMyDescription')).result).toEqual({ description: '' })
  })

  test('the menu button of a chat goes before the default one', async () => {
    const { call } = await startTelegram()
    const menu_button = { type: 'web_app', text: 'Shop', web_app: { url: 'https://x.io' } }
    await call('setChatMenuButton', { chat_id: ANN.id, menu_button })
    await call('setChatMenuButton')
    expect((await call('getChatMenuButton', to)).result).toEqual(menu_button)
    expect((await call('getChatMenuButton')).result).toEqual({ type: 'default' })
  })
})

test('getChat tells about the person, and sendChatAction shows that the bot is busy', async () => {
  const { call, emulator } = await startTelegram()
  const events: ChatEvent[] = []
  const unsubscribe = emulator.subscribe((event) => events.push(event))
  expect((await call('getChat', to)).result).toMatchObject({ id: ANN.id, type: 'private', username: 'ann' })
  await call('sendChatAction', { ...to, action: 'upload_document' })
  unsubscribe()
  await call('sendChatAction', { ...to, action: 'typing' })
  expect(events).toEqual([{ type: 'typing', chatId: ANN.id }])
})

describe('injected faults', () => {
  test('429 and 502 hit the ordered number of matching calls, and nothing is carried out', async () => {
    const { call, emulator, apiRoot } = await startTelegram()
    emulator.inject({ kind: 'too-many-requests', retryAfter: 3, method: 'SendMessage', chatId: ANN.id })
    emulator.inject({ kind: 'server-error', times: 2 })
    const response = await fetch(`${apiRoot}/bot42:secret/sendMessage?chat_id=${ANN.id}&text=x`)
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3'])
    expect(await response.json()).toEqual({
      ok: false,
      error_code: 429,
      description: 'Too Many Requests: retry after 3',
      parameters: { retry_after: 3 },
    })
    expect(await call('getUpdates')).toMatchObject({ ok: true })
    for (const method of ['getMe', 'sendMessage']) {
      expect(await call(method, { ...to, text: 'x' })).toEqual({
        ok: false,
        error_code: 502,
        description: 'Bad Gateway',
      })
    }
    expect(emulator.messages(ANN.id)).toHaveLength(1)
    expect(await call('sendMessage', { ...to, text: 'x' })).toMatchObject({ ok: true })
  })

  test('a dropped connection leaves the call undone or done', async () => {
    const { call, emulator } = await startTelegram()
    emulator.inject({ kind: 'drop-before' })
    await expect(call('sendMessage', { ...to, text: 'lost' })).rejects.toThrow('fetch failed')
    expect(emulator.messages(ANN.id)).toHaveLength(1)
    emulator.inject({ kind: 'drop-after' })
    await expect(call('sendMessage', { ...to, text: 'sent' })).rejects.toThrow('fetch failed')
    expect(emulator.messages(ANN.id).at(-1)?.text).toBe('sent')
    expect(emulator.calls().map(({ refused }) => refused)).toEqual([
      'connection closed by a fault',
      undefined,
    ])
  })
})
