import type { AddressInfo } from 'node:net'
import {
  conversations,
  createConversation,
  type Conversation,
  type ConversationFlavor,
} from '@grammyjs/conversations'
import Fastify from 'fastify'
import { Bot, GrammyError, HttpError, InlineKeyboard, InputFile, webhookCallback, type Context } from 'grammy'
import { expect, onTestFinished, test } from 'vitest'
import { createPhone } from '../../support/phone.ts'
import { ANN, BEN, pngOf, startTelegram } from './server.ts'

type Chat = ConversationFlavor<Context>

/** A real grammY bot that does not know that it talks to an emulator. */
function createBot(apiRoot: string): Bot<Chat> {
  const bot = new Bot<Chat>('42:secret', { client: { apiRoot } })
  bot.catch(({ error }) => {
    throw error
  })
  return bot
}

/** Starts long polling; it ends with the test. */
function poll(bot: Bot<Chat>): void {
  const running = bot.start()
  onTestFinished(async () => {
    await bot.stop()
    await running
  })
}

test('a bot polls, is asked by commands and buttons, edits its screen and answers the press', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const bot = createBot(apiRoot)
  bot.command('start', (ctx) =>
    ctx.reply(`Hi ${ctx.from?.first_name}, ref <b>${ctx.match}</b>`, {
      parse_mode: 'HTML',
      reply_markup: new InlineKeyboard()
        .text('Balance', 'balance')
        .row()
        .copyText('Copy', 'T123')
        .url('Site', 'https://x.io'),
    }),
  )
  bot.callbackQuery('balance', async (ctx) => {
    await ctx.editMessageText('Balance: 5.00', { reply_markup: new InlineKeyboard().text('Back', 'back') })
    await ctx.answerCallbackQuery({ text: 'Fresh', show_alert: true })
  })
  poll(bot)
  const ann = createPhone(emulator, ANN)
  const ben = createPhone(emulator, BEN)
  ben.send('/start abc')
  ann.send('/start@shop_bot xyz')
  expect(await ann.read(/Hi/)).toBe('Hi Ann, ref xyz')
  expect(await ben.read('ref abc')).toBe('Hi Ben, ref abc')
  expect(ann.screen().keyboard).toEqual([['Balance'], ['Copy', 'Site']])
  expect(await ann.press('Balance')).toEqual({ text: 'Fresh', showAlert: true })
  expect(await ann.read('Balance: 5.00')).toBe('Balance: 5.00')
  expect(ann.buttons()).toEqual(['Back'])
  expect(ben.buttons()).toEqual(['Balance', 'Copy', 'Site'])
})

test('a conversation asks, reads the answer and goes on', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const bot = createBot(apiRoot)
  async function rename(conversation: Conversation, ctx: Context): Promise<void> {
    await ctx.reply('Which name?', { reply_markup: new InlineKeyboard().text('Skip', 'skip') })
    const answer = await conversation.waitFor(['message:text', 'callback_query:data'])
    if (answer.callbackQuery) await answer.answerCallbackQuery('skipped')
    await answer.reply(`Named ${answer.message?.text ?? 'nothing'}`)
  }
  bot.use(conversations())
  bot.use(createConversation(rename))
  bot.command('rename', (ctx) => ctx.conversation.enter('rename'))
  poll(bot)
  const ann = createPhone(emulator, ANN)
  ann.send('/rename')
  await ann.waitFor('Which name?')
  ann.send('Berlin')
  await ann.waitFor('Named Berlin')
  ann.send('/rename')
  await ann.waitFor('Which name?')
  expect(await ann.press('Skip')).toEqual({ text: 'skipped', showAlert: false })
  await ann.waitFor('Named nothing')
})

test('files go both ways: uploads as InputFile, albums, and the download of what a person sent', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const bot = createBot(apiRoot)
  bot.on('message:document', async (ctx) => {
    const { file_path } = await ctx.getFile()
    const text = await (await fetch(`${apiRoot}/file/bot42:secret/${file_path}`)).text()
    const upper = Buffer.from(text.toUpperCase())
    await ctx.replyWithDocument(new InputFile(upper, 'upper.csv'), { caption: 'done' })
    await ctx.replyWithPhoto(new InputFile(pngOf(64, 64)), { caption: 'qr' })
    const part = (name: string) => ({
      type: 'document' as const,
      media: new InputFile(Buffer.from(name), name),
    })
    await ctx.replyWithMediaGroup([part('a.txt'), part('b.txt')])
  })
  poll(bot)
  const ann = createPhone(emulator, ANN)
  ann.sendFile({ fileName: 'x.csv', mimeType: 'text/csv', content: Buffer.from('a;b') })
  const { content, fileName, mimeType } = await ann.file(await ann.waitFor('done'))
  expect([content.toString(), fileName, mimeType]).toEqual(['A;B', 'upper.csv', 'text/csv'])
  expect((await ann.waitFor('qr')).file?.kind).toBe('photo')
  const last = await ann.waitFor(({ file }) => file?.fileName === 'b.txt')
  expect((await ann.file(last)).content.toString()).toBe('b.txt')
})

test('a bot that dies while it handles an update gets it again after its restart', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const first = createBot(apiRoot)
  const died = new Promise<void>((resolve) => {
    first.on('message', () => {
      resolve()
      return new Promise(() => undefined)
    })
  })
  // It never stops in order: the handler hangs for ever, as in a process that was killed.
  void first.start()
  const ann = createPhone(emulator, ANN)
  ann.send('buy 5')
  await died
  const second = createBot(apiRoot)
  second.on('message:text', (ctx) => ctx.reply(`Got ${ctx.message.text}`))
  poll(second)
  await ann.waitFor('Got buy 5')
})

test('a bot with a webhook gets its updates by POST, with the secret', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const bot = createBot(apiRoot)
  bot.on('message:text', (ctx) => ctx.reply(`Echo ${ctx.message.text}`))
  const server = Fastify({ forceCloseConnections: true })
  server.post('/hook', webhookCallback(bot, 'fastify', { secretToken: 's3cret' }))
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const { port } = server.server.address() as AddressInfo
  await bot.api.setWebhook(`http://127.0.0.1:${port}/hook`, { secret_token: 's3cret' })
  const ann = createPhone(emulator, ANN)
  ann.send('one')
  ann.send('two')
  await ann.waitFor('Echo two')
})

test('refusals, rate limits and lost connections look to grammY as those of Telegram do', async () => {
  const { emulator, apiRoot } = await startTelegram()
  const { api } = createBot(apiRoot)
  const send = () => api.sendMessage(ANN.id, 'x')
  const failure = await api.sendMessage(999, 'x').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(GrammyError)
  expect(failure).toMatchObject({
    error_code: 400,
    description: 'Bad Request: chat not found',
    method: 'sendMessage',
  })
  emulator.inject({ kind: 'too-many-requests', retryAfter: 7 })
  await expect(send()).rejects.toMatchObject({ error_code: 429, parameters: { retry_after: 7 } })
  emulator.inject({ kind: 'drop-after' })
  await expect(send()).rejects.toBeInstanceOf(HttpError)
  expect(emulator.messages(ANN.id).at(-1)?.text).toBe('x')
})
