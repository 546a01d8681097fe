import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import type { TelegramServer } from '../../../src/emulators/telegram/telegram-emulator.ts'
import { AGENT as agent, BOT_TOKEN as token, CUSTOMER as customer, HINT as hint, startPage } from './page.ts'

let app: FastifyInstance
let telegram: TelegramServer

beforeEach(async () => {
  ;({ app, telegram } = await startPage())
})

/** What the page does. */
const get = (path: string) => app.inject({ url: `/sandbox/${path}` })
const post = (path: string, payload: object | string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/sandbox/api/phones/${path}`,
    payload,
    headers: { 'content-type': 'application/json', ...headers },
  })

/** What the bot does. */
async function bot(method: string, payload: object) {
  const response = await app.inject({ method: 'POST', url: `/telegram/bot${token}/${method}`, payload })
  expect(response.json()).toMatchObject({ ok: true })
  return response.json().result
}

async function botKeyboard(): Promise<number> {
  telegram.send(agent.id, '/start')
  const keyboard = { inline_keyboard: [[{ text: 'Buy', callback_data: 'buy', style: 'success' }]] }
  const message = await bot('sendMessage', { chat_id: agent.id, text: 'Menu', reply_markup: keyboard })
  return message.message_id
}

/** The next press, as a bot gets it that polls for updates. */
async function nextPress(): Promise<string> {
  for (let offset = 0; ;) {
    const updates = await bot('getUpdates', { offset, timeout: 5 })
    for (const update of updates) {
      offset = update.update_id + 1
      const query = update.callback_query
      if (query) return query.id
    }
  }
}

async function answerPress(answer: object): Promise<void> {
  await bot('answerCallbackQuery', { callback_query_id: await nextPress(), ...answer })
}

function fileForm(content: Buffer | string, caption = '', name = 'orders.txt') {
  const field = `--edge\r\ncontent-disposition: form-data; name="caption"\r\n\r\n${caption}\r\n`
  const head = `${field}--edge\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n`
  const payload = Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n--edge--\r\n')])
  return { payload, headers: { 'content-type': 'multipart/form-data; boundary=edge' } }
}

const upload = (content: Buffer | string, caption?: string) =>
  app.inject({
    method: 'POST',
    url: `/sandbox/api/phones/${agent.id}/files`,
    ...fileForm(content, caption),
  })

describe('the page', () => {
  it('comes with its files and strict security headers', async () => {
    const page = await get('')
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toMatch('text/html')
    const files = [...page.body.matchAll(/(?:src|href)="([\w.]+)"/g)].map(([, file]) => file)
    expect(files).toEqual(expect.arrayContaining(['main.js', 'layout.css', 'chat.css', 'icon.svg']))
    for (const response of [page, ...(await Promise.all(files.map((file) => get(file!))))]) {
      expect(response.statusCode).toBe(200)
      expect(response.headers['content-security-policy']).toMatch("default-src 'none'; script-src 'self';")
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      expect(response.headers).not.toHaveProperty('access-control-allow-origin')
    }
    expect(page.body).not.toMatch(/<script>|\son\w+=|\sstyle=|https?:\/\//)
  })

  it('is found without the slash at the end, too', async () => {
    const response = await app.inject({ url: '/sandbox' })
    expect(response.statusCode).toBe(302)
    expect(response.headers.location).toBe('/sandbox/')
  })

  it('serves nothing from outside its folder', async () => {
    expect((await get('..%2fweb-chat.ts')).statusCode).toBeGreaterThanOrEqual(400)
    expect((await get('no-such.js')).statusCode).toBe(404)
  })
})

describe('the state', () => {
  it('has the phones with messages, commands and hints', async () => {
    await botKeyboard()
    await bot('setMyCommands', { commands: [{ command: 'menu', description: 'The menu' }] })
    const response = await get('api/phones')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toMatchObject({
      botUsername: 'proxy_shop_bot',
      phones: [
        {
          user: agent,
          hint,
          blocked: false,
          commands: [{ command: 'menu', description: 'The menu' }],
          messages: [
            { from: 'user', text: '/start' },
            {
              from: 'bot',
              text: 'Menu',
              keyboard: [[{ text: 'Buy', kind: 'callback', value: 'buy', style: 'success' }]],
            },
          ],
        },
        { user: customer, messages: [] },
      ],
    })
  })

  it('comes first on the event stream, changes follow, and the stream does not keep the server alive', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/sandbox/api/events`)
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let received = ''
    const until = async (text: string) => {
      while (!received.includes(text)) received += (await reader.read()).value ?? ''
    }
    await until('\n\n')
    expect(received).toMatch(/^retry: \d+\nevent: state\ndata: {"botUsername":"proxy_shop_bot".*}\n\n/)
    await post(`${customer.id}/messages`, { text: '你好' })
    await until('你好')
    const event = JSON.parse(
      received
        .split('\ndata: ')
        .at(-1)!
        .trim()
        .replace(/^data: /, ''),
    )
    expect(event).toMatchObject({ type: 'message', chatId: customer.id, message: { text: '你好' } })
    // The open stream does not hold it up.
    await app.close()
  })
})

describe('messages', () => {
  it('are sent for the person', async () => {
    const response = await post(`${agent.id}/messages`, { text: ' two\nlines ' })
    expect(response.statusCode).toBe(200)
    expect(telegram.messages(agent.id)).toMatchObject([
      { messageId: response.json().messageId, from: 'user', text: 'two\nlines' },
    ])
  })

  it.each([
    [{}],
    [{ text: '' }],
    [{ text: ' \n ' }],
    [{ text: 5 }],
    [{ text: 'x'.repeat(4097) }],
    ['{"text":'],
    ['null'],
  ])('are refused when the body is %j', async (body) => {
    const response = await post(`${agent.id}/messages`, body)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error: expect.any(String), message: expect.stringMatching(/\w/) })
    expect(telegram.messages(agent.id)).toEqual([])
  })

  it.each(['5/messages', 'x/messages', '5/presses', '5/blocked'])(
    'need a phone that exists: %s',
    async (path) => {
      const body = { text: 'a', messageId: 1, data: 'a', blocked: true }
      expect((await post(path, body)).statusCode).toBe(path.startsWith('x') ? 400 : 404)
    },
  )

  it('are refused while the bot is blocked', async () => {
    expect((await post(`${agent.id}/blocked`, { blocked: true })).json()).toEqual({ blocked: true })
    expect(telegram.isBlocked(agent.id)).toBe(true)
    const refused = await post(`${agent.id}/messages`, { text: 'a' })
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ error: 'bot-blocked' })
    await post(`${agent.id}/blocked`, { blocked: false })
    expect((await post(`${agent.id}/messages`, { text: 'a' })).statusCode).toBe(200)
    expect((await post(`${agent.id}/blocked`, { blocked: 'yes' })).statusCode).toBe(400)
  })
})

describe('presses', () => {
  it('resolve to the answer of the bot', async () => {
    const messageId = await botKeyboard()
    const [response] = await Promise.all([
      post(`${agent.id}/presses`, { messageId, data: 'buy' }),
      answerPress({ text: 'Sold out', show_alert: true }),
    ])
    expect(response.json()).toEqual({ text: 'Sold out', showAlert: true })
  })

  it('are refused when the button is not there', async () => {
    const messageId = await botKeyboard()
    for (const body of [
      { messageId, data: 'sell' },
      { messageId: messageId + 1, data: 'buy' },
    ]) {
      const response = await post(`${agent.id}/presses`, body)
      expect(response.statusCode).toBe(409)
      expect(response.json()).toMatchObject({ error: 'button-gone' })
    }
    expect((await post(`${agent.id}/presses`, { messageId: '1', data: 'buy' })).statusCode).toBe(400)
  })

  it('tell when the bot does not answer', async () => {
    const messageId = await botKeyboard()
    const pressed = post(`${agent.id}/presses`, { messageId, data: 'buy' })
    await nextPress()
    telegram.expireCallbacks()
    expect((await pressed).statusCode).toBe(504)
    expect((await pressed).json()).toMatchObject({ error: 'no-answer' })
  })
})

describe('files', () => {
  it('of the bot are downloaded under their names', async () => {
    const fileName = 'proxies "a" 德国’s.csv'
    telegram.sendFile(agent.id, { fileName, mimeType: 'text/csv', content: Buffer.from('a,b') })
    const { fileId } = telegram.messages(agent.id)[0]!.file!
    const response = await get(`api/files/${encodeURIComponent(fileId)}`)
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('a,b')
    expect(response.headers['content-type']).toMatch('text/csv')
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="proxies _a_ ___s.csv"; filename*=UTF-8''proxies%20%22a%22%20%E5%BE%B7%E5%9B%BD%E2%80%99s.csv`,
    )
  })

  it.each([
    ['image/png', 'inline'],
    ['image/svg+xml', 'attachment'],
    ['text/html', 'attachment'],
  ])('of type %s are shown %s', async (mimeType, disposition) => {
    telegram.sendFile(agent.id, { fileName: 'a', mimeType, content: Buffer.from('x') })
    const { fileId } = telegram.messages(agent.id)[0]!.file!
    const response = await get(`api/files/${encodeURIComponent(fileId)}`)
    expect(response.headers['content-disposition']).toMatch(`${disposition};`)
  })

  it('of the person are uploaded as documents', async () => {
    const response = await upload('hello')
    expect(response.statusCode).toBe(200)
    const { file } = telegram.messages(agent.id)[0]!
    expect(file).toMatchObject({ kind: 'document', fileName: 'orders.txt', mimeType: 'text/plain', size: 5 })
    expect((await telegram.file(file!.fileId))?.content.toString()).toBe('hello')
  })

  it('that are pictures are sent as such, with what was typed below; what Telegram takes as no picture is a document', async () => {
    const png = (width: number, height: number) => {
      const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
      const size = Buffer.alloc(8)
      size.writeUInt32BE(width, 0)
      size.writeUInt32BE(height, 4)
      return Buffer.concat([header, size])
    }
    await upload(png(40, 30), '  Spring sale  ')
    await upload(png(4000, 30))
    const [picture, strip] = telegram.messages(agent.id)
    expect(picture).toMatchObject({ text: 'Spring sale', file: { kind: 'photo', width: 40, height: 30 } })
    expect(strip).toMatchObject({ text: '', file: { kind: 'document' } })
  })

  it('are refused when empty, too large, missing or unknown', async () => {
    expect((await upload('')).json()).toMatchObject({ error: 'empty-file' })
    const tooLarge = await upload(Buffer.alloc(20 * 1024 * 1024 + 1))
    expect(tooLarge.statusCode).toBe(413)
    expect(tooLarge.json()).toMatchObject({ error: 'FST_REQ_FILE_TOO_LARGE' })
    expect((await post(`${agent.id}/files`, {})).statusCode).toBe(406)
    expect((await get('api/files/none')).statusCode).toBe(404)
    expect(telegram.messages(agent.id)).toEqual([])
  })
})

describe('requests of other sites', () => {
  const send = (headers: Record<string, string>) => post(`${agent.id}/messages`, { text: 'a' }, headers)

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:9999', host: 'localhost:8080' },
    { origin: 'null' },
  ])('are refused: %j', async (headers) => {
    const response = await send(headers)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ error: 'cross-site' })
    expect(telegram.messages(agent.id)).toEqual([])
  })

  it('cannot upload files', async () => {
    const { payload, headers } = fileForm('hello')
    const url = `/sandbox/api/phones/${agent.id}/files`
    const response = await app.inject({
      method: 'POST',
      url,
      payload,
      headers: { ...headers, origin: 'https://evil.example' },
    })
    expect(response.statusCode).toBe(403)
  })

  it.each([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:8080', host: 'localhost:8080' },
  ])('are told from those of the page and of programs: %j', async (headers) => {
    expect((await send(headers)).statusCode).toBe(200)
  })
})

describe('several bots', () => {
  const shop = 'proxy_shop_bot'
  const offer = `https://t.me/newbot/${shop}/alices_bot?name=Alice`
  const alices = { manager: shop, username: 'alices_bot', name: 'Alice' }

  it('each have a chat on every phone', async () => {
    const other = telegram.addBot({ username: 'other_bot', name: 'Other' })
    const sent = await post(`${agent.id}/messages?bot=other_bot`, { text: 'to the other' })
    expect(other.messages(agent.id)).toMatchObject([{ messageId: sent.json().messageId }])
    expect((await get('api/phones')).json()).toMatchObject({
      bots: [{ username: shop }, { username: 'other_bot', name: 'Other' }],
      phones: [
        { bot: shop, messages: [], others: [{ bot: 'other_bot', messages: [{ text: 'to the other' }] }] },
        { others: [{ messages: [] }] },
      ],
    })
    expect((await post(`${agent.id}/messages?bot=gone_bot`, { text: 'x' })).json()).toMatchObject({
      error: 'no-bot',
    })
  })

  it('are made by the dialog of a link, under names that Telegram takes', async () => {
    telegram.setCanManageBots(true)
    expect((await post(`${agent.id}/links`, { address: offer })).json()).toEqual({ newBot: alices })
    const refused = await post(`${agent.id}/bots`, { ...alices, username: shop })
    expect([refused.statusCode, refused.json().error]).toEqual([400, 'USERNAME_OCCUPIED'])
    const made = await post(`${agent.id}/bots`, { ...alices, username: 'Alices_Bot' })
    expect(made.json()).toEqual({ bot: 'Alices_Bot' })
    expect(telegram.bot('alices_bot').about().ownerId).toBe(agent.id)
  })

  it('are not offered by a bot that may not manage others', async () => {
    expect((await post(`${agent.id}/links`, { address: offer })).json()).toMatchObject({
      error: 'MANAGER_PERMISSION_MISSING',
    })
  })

  it('are started by a link; one to no bot of the sandbox is refused', async () => {
    const open = (address: string) => post(`${customer.id}/links`, { address })
    expect((await open(`https://t.me/${shop}?start=join_1`)).json()).toEqual({ bot: shop })
    expect(telegram.messages(customer.id)).toMatchObject([{ text: '/start join_1' }])
    for (const address of ['https://t.me/durov', 'https://example.com/', 'nonsense'])
      expect((await open(address)).json()).toMatchObject({ error: 'no-bot' })
  })
})
