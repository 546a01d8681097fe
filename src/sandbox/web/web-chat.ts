import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyError, FastifyPluginAsync } from 'fastify'
import { validatorCompiler, type FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { LANGUAGES } from '../../core/languages.ts'
import { projectUrl } from '../../project-url.ts'
import { sendFile, serveFile } from '../../served-file.ts'
import type { PayerWallet } from '../payer-wallet.ts'
import type { SandboxGateway } from '../sandbox-gateway.ts'
import type { Upstream } from '../upstream.ts'
import { isPhoto } from '../../emulators/telegram/files.ts'
import { readBotLink } from '../../emulators/telegram/bot-links.ts'
import type { EmulatedBot, EmulatedUser, TelegramEmulator } from '../../emulators/telegram/types.ts'
import { eventStream } from './event-stream.ts'
import { gatewayPanel } from './gateway-panel.ts'
import { PageError } from './page-error.ts'
import { isSameOrigin } from './same-origin.ts'
import { supplierPanel } from './supplier-panel.ts'
import { walletPanel } from './wallet-panel.ts'

/** What the page shows above a phone: whose it is, and demo credentials. */
interface PhoneHint {
  readonly userId: number
  readonly title: string
  /** Username of the demo account; missing where no log-in is needed. */
  readonly login?: string
  readonly password?: string
}

/** No scripts, styles or connections but the page's own; nobody may frame it or load its files. */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Telegram's limit for a text message. */
const maxText = 4096
/** Telegram's limit for what is written below a file. */
const maxCaption = 1024
/** Telegram's limit for files that a bot can download. */
const maxFileBytes = 20 * 1024 * 1024
/** Media types of the page's own files. */
const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}
/** Most pages that may be open at once. */
const maxStreams = 100
/** Images that a browser shows without running anything in them. */
const inlineTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const captionText = z.string().trim().max(maxCaption).catch('')
const phoneParams = z.object({ userId: z.coerce.number().int() })
const messageBody = z.object({ text: z.string().trim().min(1).max(maxText) })
const pressBody = z.object({ messageId: z.number().int(), data: z.string().min(1) })
const blockedBody = z.object({ blocked: z.boolean() })
const languageBody = z.object({ language: z.enum(LANGUAGES) })
const fileParams = z.object({ fileId: z.string() })
/** The bot of the chat that is meant; default: the shop's. */
const chatQuery = z.object({ bot: z.string().optional() })
const linkBody = z.object({ address: z.string() })
const newBotBody = z.object({ manager: z.string(), username: z.string(), name: z.string() })
/** How Telegram refuses a new bot, with the words for the person where the page has none. */
const botRefusals: Readonly<Record<string, string>> = {
  USERNAME_INVALID: 'A username has 5 to 32 letters, digits and underscores',
  USERNAME_SUFFIX_MISSING: 'A username ends in "bot"',
  USERNAME_OCCUPIED: 'This username is taken',
  NAME_INVALID: 'A name has 1 to 64 characters',
  MANAGER_PERMISSION_MISSING: 'That bot may not manage others',
  BOT_CREATE_LIMIT_EXCEEDED: 'Nobody owns more than 20 bots',
}

/**
 * Registers the web chat page of the sandbox and the routes behind it: each sandbox user is a phone in the browser, with a wallet to
 * pay from, a supplier and a gateway beside them. Mount it under a prefix; every address of the page is relative to it.
 */
export function webChat(options: {
  telegram: TelegramEmulator
  hints: readonly PhoneHint[]
  wallet: PayerWallet
  upstream: Upstream
  gateway: SandboxGateway
}): FastifyPluginAsync {
  const { telegram, hints, wallet, upstream, gateway } = options

  const chat = (bot: EmulatedBot, { id }: EmulatedUser) => ({
    bot: bot.botUsername,
    blocked: bot.isBlocked(id),
    commands: bot.commands(id),
    messages: bot.messages(id),
  })
  const others = () => telegram.bots().filter(({ botUsername }) => botUsername !== telegram.botUsername)
  const phone = (user: EmulatedUser) => ({
    user,
    hint: hints.find(({ userId }) => userId === user.id),
    ...chat(telegram, user),
    others: others().map((bot) => chat(bot, user)),
  })
  const bots = () =>
    telegram.bots().map((bot) => ({ username: bot.botUsername, name: bot.about().texts.name[''] }))
  const state = () => ({
    botUsername: telegram.botUsername,
    bots: bots(),
    phones: telegram.users().map(phone),
    wallet: wallet.state(),
    supplier: upstream.state(),
    gateway: gateway.state(),
  })

  const requireUser = (userId: number) => {
    if (!telegram.users().some(({ id }) => id === userId))
      throw new PageError(404, 'no-phone', `There is no phone ${userId}`)
  }
  const requireBot = (username = telegram.botUsername) => {
    const bot = telegram.bots().find(({ botUsername }) => botUsername === username)
    if (!bot) throw new PageError(404, 'no-bot', `There is no bot @${username}`)
    return bot
  }
  const requireUnblocked = (bot: EmulatedBot, userId: number) => {
    if (bot.isBlocked(userId))
      throw new PageError(409, 'bot-blocked', 'The bot is blocked; unblock it to write to it')
  }

  const routes: FastifyPluginAsyncZod = async (app) => {
    app.setValidatorCompiler(validatorCompiler)
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      const { statusCode = 500, code, message } = error
      if (statusCode < 500 || error instanceof PageError)
        return reply.status(statusCode).send({ error: code, message })
      request.log.error(error)
      return reply.status(statusCode).send({ error: 'internal', message: 'The sandbox failed' })
    })
    app.addHook('onRequest', async (request, reply) => {
      reply.headers(securityHeaders)
      if (request.method !== 'GET' && request.method !== 'HEAD' && !isSameOrigin(request.headers))
        throw new PageError(403, 'cross-site', 'Requests from other sites are refused')
    })
    if (!app.hasContentTypeParser('multipart/form-data')) await app.register(multipart)

    const page = projectUrl('src/sandbox/web/page/')
    for (const name of await readdir(page, { recursive: true })) {
      if (extname(name) === '') continue
      const file = serveFile(mediaTypes[extname(name)] ?? '', await readFile(new URL(name, page)))
      const url = name === 'index.html' ? '/' : `/${name}`
      app.get(url, { prefixTrailingSlash: 'slash' }, (request, reply) => sendFile(request, reply, file))
    }
    // The page finds its files relative to its own address, which therefore ends with a slash.
    if (app.prefix) app.get('', (_request, reply) => reply.redirect(`${app.prefix}/`))

    await app.register(walletPanel(wallet))
    await app.register(supplierPanel(upstream))
    await app.register(gatewayPanel(gateway))
    app.get('/api/phones', (_request, reply) => reply.header('cache-control', 'no-store').send(state()))

    const streams = new Set<Readable>()
    app.get('/api/events', { exposeHeadRoute: false }, (_request, reply) => {
      if (streams.size >= maxStreams) throw new PageError(503, 'too-many-pages', 'Too many pages are open')
      const stream = eventStream(telegram, state(), bots)
      streams.add(stream)
      stream.once('close', () => streams.delete(stream))
      return reply.type('text/event-stream').header('cache-control', 'no-store').send(stream)
    })
    // Open streams would keep the server from closing.
    app.addHook('preClose', async () => {
      for (const stream of streams) stream.destroy()
    })

    // The language of the page becomes that of each phone's Telegram user, which the bot is told.
    app.post('/api/language', { schema: { body: languageBody } }, ({ body: { language } }) => {
      for (const user of telegram.users()) telegram.addUser({ ...user, languageCode: language })
      return { language }
    })

    app.post(
      '/api/phones/:userId/messages',
      { schema: { params: phoneParams, querystring: chatQuery, body: messageBody } },
      ({ params: { userId }, query, body }) => {
        requireUser(userId)
        const bot = requireBot(query.bot)
        requireUnblocked(bot, userId)
        return { messageId: bot.send(userId, body.text) }
      },
    )

    const fileSchema = { params: phoneParams, querystring: chatQuery }
    app.post('/api/phones/:userId/files', { schema: fileSchema }, async (upload) => {
      const { userId } = upload.params
      requireUser(userId)
      const bot = requireBot(upload.query.bot)
      requireUnblocked(bot, userId)
      const part = await upload.file({ limits: { fileSize: maxFileBytes, files: 1 } })
      if (!part) throw new PageError(400, 'no-file', 'The form has no file')
      const { filename: fileName, mimetype: mimeType } = part
      const content = await part.toBuffer()
      if (content.length === 0) throw new PageError(400, 'empty-file', 'The file is empty')
      const { caption } = part.fields
      const typed = caption && 'value' in caption ? captionText.parse(caption.value) : ''
      const kind = isPhoto(content) ? 'photo' : 'document'
      const sent = { fileName, mimeType, content, kind, caption: typed } as const
      return { messageId: bot.sendFile(userId, sent) }
    })

    app.post(
      '/api/phones/:userId/presses',
      { schema: { params: phoneParams, querystring: chatQuery, body: pressBody } },
      async ({ params: { userId }, query, body: { messageId, data } }) => {
        requireUser(userId)
        const bot = requireBot(query.bot)
        const message = bot.messages(userId).find((message) => message.messageId === messageId)
        const buttons = message?.keyboard.flat() ?? []
        if (!buttons.some(({ kind, value }) => kind === 'callback' && value === data))
          throw new PageError(409, 'button-gone', 'This button is no longer there')
        return bot.press(userId, messageId, data).catch(() => {
          throw new PageError(504, 'no-answer', 'The bot did not answer')
        })
      },
    )

    app.post(
      '/api/phones/:userId/blocked',
      { schema: { params: phoneParams, querystring: chatQuery, body: blockedBody } },
      ({ params: { userId }, query, body: { blocked } }) => {
        requireUser(userId)
        requireBot(query.bot).setBlocked(userId, blocked)
        return { blocked }
      },
    )

    // Opens a link to one of the bots: its chat, which is started, or the dialog for a new bot.
    app.post(
      '/api/phones/:userId/links',
      { schema: { params: phoneParams, body: linkBody } },
      ({ params: { userId }, body: { address } }) => {
        requireUser(userId)
        const link = readBotLink(address)
        const wanted = link?.kind === 'chat' ? link.username : link?.dialog.manager
        const known = telegram.bots().find((bot) => isSameName(bot.botUsername, wanted))
        if (!link || !known) throw new PageError(404, 'no-bot', 'This link leads to no bot of the sandbox')
        if (link.kind === 'chat') return { bot: telegram.followLink(userId, address).botUsername }
        return { newBot: refusing(() => telegram.newBotDialog(address)) }
      },
    )

    app.post(
      '/api/phones/:userId/bots',
      { schema: { params: phoneParams, body: newBotBody } },
      ({ params: { userId }, body }) => {
        requireUser(userId)
        requireBot(body.manager)
        return { bot: refusing(() => telegram.createManagedBot(userId, body)).botUsername }
      },
    )

    app.get(
      '/api/files/:fileId',
      { schema: { params: fileParams } },
      async ({ params: { fileId } }, reply) => {
        const files = await Promise.all(telegram.bots().map((bot) => bot.file(fileId)))
        const file = files.find(Boolean)
        if (!file) throw new PageError(404, 'no-file', 'There is no such file')
        const disposition = inlineTypes.has(file.mimeType) ? 'inline' : 'attachment'
        return reply
          .type(file.mimeType)
          .header('content-disposition', `${disposition}; ${fileNameParameters(file.fileName)}`)
          .header('cache-control', 'private, max-age=3600')
          .send(file.content)
      },
    )
  }
  return routes
}

/** Whether two usernames are the same: Telegram ignores their case. */
function isSameName(one: string, other = ''): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Turns Telegram's refusal of a new bot into words for the person. */
function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = (error as Error).message
    const words = botRefusals[code]
    throw words === undefined ? error : new PageError(400, code, words)
  }
}

/** Both spellings of a file name in Content-Disposition: ASCII for old clients, and RFC 5987 for the real name. */
function fileNameParameters(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(Buffer.from(fileName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}
