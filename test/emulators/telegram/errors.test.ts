import { describe, expect, test } from 'vitest'
import table from '../../../src/emulators/telegram/bot-api.json' with { type: 'json' }
import { ANN, BEN, startTelegram } from './server.ts'

const to = { chat_id: ANN.id }
const button = (fields: object) => ({
  ...to,
  text: 'x',
  reply_markup: { inline_keyboard: [[{ text: 'b', ...fields }]] },
})
const entity = (fields: object) => ({
  ...to,
  text: 'x',
  entities: [{ type: 'bold', offset: 0, length: 1, ...fields }],
})
const buttons = (rows: number, columns: number) =>
  Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => ({ text: 'b', callback_data: 'd' })),
  )

describe('a refused call is answered with the words of Telegram', () => {
  const cases: [method: string, parameters: object, reason: string][] = [
    ['sendMessage', { text: 'x' }, 'chat_id is empty'],
    ['sendMessage', { chat_id: '', text: 'x' }, 'chat_id is empty'],
    ['sendMessage', { chat_id: 999, text: 'x' }, 'chat not found'],
    ['sendMessage', { chat_id: '@nobody', text: 'x' }, 'chat not found'],
    ['sendMessage', to, 'message text is empty'],
    ['sendMessage', { ...to, text: '' }, 'message text is empty'],
    ['sendMessage', { ...to, text: ' \n ' }, 'text must be non-empty'],
    ['sendMessage', { ...to, text: '<b> </b>', parse_mode: 'HTML' }, 'text must be non-empty'],
    ['sendMessage', { ...to, text: 'x'.repeat(4097) }, 'message is too long'],
    ['sendMessage', { ...to, text: 'x'.repeat(32_769) }, 'text is too long'],
    ['sendMessage', { ...to, text: 'x', parse_mode: 'bbcode' }, 'unsupported parse_mode'],
    [
      'sendMessage',
      { ...to, text: 'x', reply_parameters: { message_id: 1 } },
      'message to be replied not found',
    ],
    ['sendMessage', { ...to, text: 'x', message_thread_id: 3 }, 'message thread not found'],
    ['sendMessage', { ...to, text: 'x', business_connection_id: 'b' }, 'business connection not found'],
    ['sendMessage', { ...to, text: 'x', allow_paid_broadcast: true }, 'FLOODSKIP_NOT_ALLOWED'],

    [
      'sendMessage',
      button({}),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'sendMessage',
      button({ callback_data: '' }),
      "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    ],
    [
      'sendMessage',
      button({ text: undefined, url: 'https://x.io' }),
      'can\'t parse inline keyboard button: Can\'t find field "text"',
    ],
    [
      'sendMessage',
      button({ text: 5, url: 'https://x.io' }),
      'can\'t parse inline keyboard button: Field "text" must be of type String',
    ],
    ['sendMessage', button({ callback_data: 'é'.repeat(33) }), 'BUTTON_DATA_INVALID'],
    ['sendMessage', button({ copy_text: { text: '' } }), 'BUTTON_COPY_TEXT_INVALID'],
    ['sendMessage', button({ copy_text: { text: 'x'.repeat(257) } }), 'BUTTON_COPY_TEXT_INVALID'],
    ['sendMessage', button({ pay: true }), 'BUTTON_TYPE_INVALID'],
    [
      'sendMessage',
      button({ callback_data: 'd', style: 'pink' }),
      "can't parse inline keyboard button: invalid button style specified",
    ],
    [
      'sendMessage',
      button({ url: 'not-a-url' }),
      "inline keyboard button URL 'not-a-url' is invalid: Wrong HTTP URL",
    ],
    [
      'sendMessage',
      button({ url: 'http://localhost:80/' }),
      "inline keyboard button URL 'http://localhost:80/' is invalid: Wrong HTTP URL",
    ],
    [
      'sendMessage',
      button({ url: 'ftp://example.com' }),
      "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol",
    ],
    [
      'sendMessage',
      button({ url: 'https://' }),
      "inline keyboard button URL 'https://' is invalid: URL host is empty",
    ],
    [
      'sendMessage',
      button({ url: 'https://x.io:99999' }),
      "inline keyboard button URL 'https://x.io:99999' is invalid: Wrong port number specified in the URL",
    ],
    [
      'sendMessage',
      button({ web_app: { url: 'http://x.io' } }),
      "inline keyboard button Web App URL 'http://x.io' is invalid: Only HTTPS links are allowed",
    ],
    [
      'sendMessage',
      { ...to, text: 'x', reply_markup: { inline_keyboard: {} } },
      'field "inline_keyboard" must be of type Array',
    ],
    [
      'sendMessage',
      { ...to, text: 'x', reply_markup: { inline_keyboard: buttons(51, 2) } },
      'reply markup is too long',
    ],
    ['sendMessage', { ...to, text: 'x', reply_markup: '{' }, "can't parse reply_markup JSON object"],

    ['sendMessage', entity({ type: 'shiny' }), "can't parse MessageEntity: Unsupported type specified"],
    ['sendMessage', entity({ type: 'text_link' }), 'can\'t parse MessageEntity: Can\'t find field "url"'],
    [
      'sendMessage',
      entity({ type: 'text_link', url: 'nowhere' }),
      "entity URL 'nowhere' is invalid: Wrong HTTP URL",
    ],
    ['sendMessage', entity({ type: 'text_link', url: '' }), "entity URL '' is invalid: URL host is empty"],
    ['sendMessage', entity({ type: 'text_mention' }), 'can\'t parse MessageEntity: Can\'t find field "user"'],
    [
      'sendMessage',
      entity({ type: 'custom_emoji' }),
      'can\'t parse MessageEntity: Can\'t find field "custom_emoji_id"',
    ],
    [
      'sendMessage',
      entity({ type: 'custom_emoji', custom_emoji_id: 'x' }),
      'can\'t parse MessageEntity: Field "custom_emoji_id" must be a valid Number',
    ],
    ['sendMessage', entity({ offset: -1 }), 'receive an entity with incorrect offset -1'],
    ['sendMessage', entity({ offset: 100 }), 'entity begins after the end of the text at UTF-16 offset 100'],
    [
      'sendMessage',
      entity({ length: 100 }),
      'entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100',
    ],

    ['sendPhoto', to, 'there is no photo in the request'],
    ['sendDocument', { ...to, document: 'attach://gone' }, 'there is no document in the request'],
    ['sendDocument', { ...to, document: 'AgACwrong' }, 'wrong file identifier/HTTP URL specified'],
    ['getFile', {}, 'file_id not specified'],
    ['getFile', { file_id: 'x' }, 'invalid file_id'],
    [
      'sendMediaGroup',
      { ...to, media: [{ type: 'sticker', media: 'x' }] },
      'can\'t parse InputMedia: type "sticker" is unsupported',
    ],
    ['sendChatAction', { ...to, action: 'sleeping' }, 'wrong parameter action in request'],
    ['sendChatAction', { chat_id: 999, action: 'typing' }, 'chat not found'],

    ['editMessageText', { ...to, message_id: 1, text: 'x' }, 'message to edit not found'],
    ['editMessageText', { chat_id: 999, message_id: 1, text: 'x' }, 'chat not found'],
    ['editMessageText', { text: 'x' }, 'message identifier is not specified'],
    ['editMessageText', { message_id: 1, text: 'x' }, 'chat_id is empty'],
    ['editMessageText', { ...to, message_id: 1 }, 'message text is empty'],
    ['editMessageCaption', { ...to, message_id: 1 }, 'message to edit not found'],
    ['editMessageReplyMarkup', { ...to, message_id: 1 }, 'message to edit not found'],
    ['deleteMessage', { ...to, message_id: 1 }, 'message to delete not found'],
    ['deleteMessage', to, 'message identifier is not specified'],
    ['deleteMessages', { ...to, message_ids: [] }, 'message identifiers are not specified'],
    [
      'deleteMessages',
      { ...to, message_ids: Array.from({ length: 101 }, (_, id) => id) },
      'too many message identifiers specified',
    ],
    ['copyMessage', { ...to, from_chat_id: ANN.id, message_id: 1 }, 'message to copy not found'],
    ['forwardMessage', { ...to, from_chat_id: ANN.id, message_id: 1 }, 'message to forward not found'],

    [
      'answerCallbackQuery',
      { callback_query_id: '7' },
      'query is too old and response timeout expired or query ID is invalid',
    ],
    ['setMyCommands', { commands: [{ command: 'Go!', description: 'x' }] }, 'BOT_COMMAND_INVALID'],
    ['setMyCommands', { commands: [{ command: '', description: 'x' }] }, 'command must be non-empty'],
    [
      'setMyCommands',
      { commands: [{ command: 'go', description: '' }] },
      'command description must be non-empty',
    ],
    [
      'setMyCommands',
      { commands: Array.from({ length: 101 }, () => ({ command: 'go', description: 'x' })) },
      'BOT_COMMANDS_TOO_MUCH',
    ],
    [
      'setMyCommands',
      { commands: [], scope: { type: 'chat' } },
      'can\'t parse BotCommandScope: Can\'t find field "chat_id"',
    ],
    [
      'setMyCommands',
      { commands: [], scope: { type: 'planet' } },
      "can't parse BotCommandScope: Unsupported type specified",
    ],
    ['setMyCommands', { commands: [], scope: { type: 'chat', chat_id: 999 } }, 'chat not found'],
    ['setMyName', { name: '' }, 'BOT_TITLE_INVALID'],
    ['setMyDescription', { description: 'x'.repeat(513) }, 'BOT_DESC_INVALID'],
    ['setMyShortDescription', { short_description: 'x'.repeat(121) }, 'BOT_SHARETEXT_INVALID'],
    [
      'setChatMenuButton',
      { menu_button: { type: 'red' } },
      "can't parse menu button: MenuButton has unsupported type",
    ],
    ['setWebhook', { url: 'nowhere' }, 'invalid webhook URL specified'],
    [
      'setWebhook',
      { url: 'https://x.io', secret_token: 'no spaces' },
      'secret token contains unallowed characters',
    ],
  ]

  test.each(cases)('%s %j: %s', async (method, parameters, reason) => {
    const { call } = await startTelegram()
    expect(await call(method, parameters)).toEqual({
      ok: false,
      error_code: 400,
      description: `Bad Request: ${reason}`,
    })
  })
})

describe('what Telegram lets pass and the emulator does not', () => {
  const cases: [method: string, parameters: object, reason: string][] = [
    [
      'sendMessage',
      { ...to, text: 'x', disable_web_page_preview: true },
      'unknown parameter "disable_web_page_preview" of sendMessage (Telegram ignores it)',
    ],
    [
      'sendMessage',
      { ...to, text: 'x', link_preview_options: { disabled: true } },
      'can\'t parse link preview options: unknown field "disabled" of LinkPreviewOptions (Telegram ignores it)',
    ],
    [
      'sendMessage',
      button({ callback_data: 'd', url: 'https://x.io' }),
      "can't parse inline keyboard button: exactly one action expected (Telegram picks one)",
    ],
    [
      'sendMessage',
      button({ text: '', callback_data: 'd' }),
      "can't parse inline keyboard button: Text must be non-empty (Telegram drops the button)",
    ],
    ['sendMessage', { ...to, text: 5 }, 'field "text" must be of type String'],
    [
      'sendMessage',
      { ...to, text: 'x', disable_notification: 'maybe' },
      'field "disable_notification" must be of type Boolean',
    ],
    [
      'sendMessage',
      { ...to, text: 'x', reply_markup: {} },
      'field "reply_markup" must be one of InlineKeyboardMarkup, ReplyKeyboardMarkup, ReplyKeyboardRemove, ForceReply',
    ],
  ]

  test.each(cases)('%s %j: %s', async (method, parameters, reason) => {
    const { call } = await startTelegram()
    expect(await call(method, parameters)).toMatchObject({
      error_code: 400,
      description: `Bad Request: ${reason}`,
    })
  })
})

describe('methods', () => {
  test('an unknown method, and one that the emulator knows by name only, are refused', async () => {
    const { call } = await startTelegram()
    expect(await call('sendMoney')).toEqual({
      ok: false,
      error_code: 404,
      description: 'Not Found: method not found',
    })
    for (const method of table.notImplemented) {
      const description = `Bad Request: not implemented in the emulator: method ${method}`
      expect(await call(method), method).toEqual({ ok: false, error_code: 400, description })
    }
  })

  test('every method of the Bot API is known, and every one with a table is carried out', async () => {
    const { call } = await startTelegram()
    const implemented = Object.keys(table.methods)
    expect(implemented.length + table.notImplemented.length).toBe(185)
    for (const method of implemented) {
      expect((await call(method)).description ?? 'done', method).not.toContain('not implemented')
    }
  })

  test('the name may be in any case, and parameters may come in the query, a form or JSON', async () => {
    const { apiRoot, emulator } = await startTelegram()
    const markup = JSON.stringify({ inline_keyboard: [[{ text: 'b', callback_data: 'd' }]] })
    const fields = { chat_id: String(ANN.id), text: 'x', reply_markup: markup, disable_notification: 'true' }
    const query = new URLSearchParams(fields)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    const requests: RequestInit[] = [
      { method: 'POST', body: query },
      { method: 'POST', body: form },
    ]
    const responses = [fetch(`${apiRoot}/bot42:secret/SENDmessage?${query.toString()}`)]
    for (const request of requests) responses.push(fetch(`${apiRoot}/bot42:secret/sendmessage`, request))
    for (const response of await Promise.all(responses)) expect(response.status).toBe(200)
    expect(emulator.messages(ANN.id).filter(({ keyboard }) => keyboard[0]?.[0]?.value === 'd')).toHaveLength(
      3,
    )
    expect(emulator.calls()).toHaveLength(3)
    for (const recorded of emulator.calls()) {
      expect(recorded).toMatchObject({
        method: 'sendMessage',
        parameters: { chat_id: ANN.id, disable_notification: true },
      })
    }
  })

  test('a wrong token, and a body that is no JSON, are refused', async () => {
    const { apiRoot } = await startTelegram()
    const wrong = await fetch(`${apiRoot}/bot42:guess/getMe`)
    expect([wrong.status, await wrong.json()]).toEqual([
      401,
      { ok: false, error_code: 401, description: 'Unauthorized' },
    ])
    const headers = { 'content-type': 'application/json' }
    const broken = await fetch(`${apiRoot}/bot42:secret/getMe`, { method: 'POST', headers, body: '{' })
    expect(await broken.json()).toMatchObject({ description: "Bad Request: can't parse JSON object" })
  })

  test('refusals are recorded, and the token is not', async () => {
    const { call, emulator } = await startTelegram()
    await call('sendMessage', { chat_id: 999, text: 'x' })
    expect(emulator.calls()).toEqual([
      {
        method: 'sendMessage',
        parameters: { chat_id: 999, text: 'x' },
        refused: 'Bad Request: chat not found',
      },
    ])
  })
})

describe('people who cannot be written to', () => {
  test('a user who never wrote to the bot', async () => {
    const { call, emulator } = await startTelegram()
    emulator.addUser(BEN)
    expect(await call('sendMessage', { chat_id: BEN.id, text: 'x' })).toEqual({
      ok: false,
      error_code: 403,
      description: "Forbidden: bot can't initiate conversation with a user",
    })
    emulator.send(BEN.id, '/start')
    expect(await call('sendMessage', { chat_id: BEN.id, text: 'x' })).toMatchObject({ ok: true })
  })

  test('a user who blocked the bot, which is told when that changes', async () => {
    const { call, emulator } = await startTelegram()
    emulator.setBlocked(ANN.id, true)
    for (const method of ['sendMessage', 'sendChatAction']) {
      const parameters = method === 'sendMessage' ? { text: 'x' } : { action: 'typing' }
      expect(await call(method, { ...to, ...parameters })).toMatchObject({
        error_code: 403,
        description: 'Forbidden: bot was blocked by the user',
      })
    }
    expect(() => emulator.send(ANN.id, 'hi')).toThrow('has blocked the bot')
    emulator.setBlocked(ANN.id, false)
    emulator.setBlocked(ANN.id, false)
    const { result } = await call('getUpdates')
    const statuses = result.map(({ my_chat_member: change }) => [
      change?.old_chat_member.status,
      change?.new_chat_member.status,
    ])
    expect(statuses).toEqual([
      ['member', 'kicked'],
      ['kicked', 'member'],
    ])
    expect(await call('sendMessage', { ...to, text: 'x' })).toMatchObject({ ok: true })
  })
})
