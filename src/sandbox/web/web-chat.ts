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
import type { EmulatedUser, TelegramEmulator } from '../../emulators/telegram/types.ts'
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

  const phone = (user: EmulatedUser) => ({
    user,
    hint: hints.find(({ userId }) => userId === user.id),
    blocked: telegram.isBlocked(user.id),
    commands: telegram.commands(user.id),
    messages: telegram.messages(user.id),
  })
  const state = () => ({
    botUsername: telegram.botUsername,
    phones: telegram.users().map(phone),
    wallet: wallet.state(),
    supplier: upstream.state(),
    gateway: gateway.state(),
  })

  const requireUser = (userId: number) => {
    if (!telegram.users().some(({ id }) => id === userId))
      throw new PageError(404, 'no-phone', `There is no phone ${userId}`)
  }
  const requireUnblocked = (userId: number) => {
    if (telegram.isBlocked(userId))
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
      const stream = eventStream(telegram, state())
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
      { schema: { params: phoneParams, body: messageBody } },
      ({ params: { userId }, body }) => {
        requireUser(userId)
        requireUnblocked(userId)
        return { messageId: telegram.send(userId, body.text) }
      },
    )

    app.post('/api/phones/:userId/files', { schema: { params: phoneParams } }, async (upload) => {
      const { userId } = upload.params
      requireUser(userId)
      requireUnblocked(userId)
      const part = await upload.file({ limits: { fileSize: maxFileBytes, files: 1 } })
      if (!part) throw new PageError(400, 'no-file', 'The form has no file')
      const { filename: fileName, mimetype: mimeType } = part
      const content = await part.toBuffer()
      if (content.length === 0) throw new PageError(400, 'empty-file', 'The file is empty')
      const { caption } = part.fields
      const typed = caption && 'value' in caption ? captionText.parse(caption.value) : ''
      const kind = isPhoto(content) ? 'photo' : 'document'
      const sent = { fileName, mimeType, content, kind, caption: typed } as const
      return { messageId: telegram.sendFile(userId, sent) }
    })

    app.post(
      '/api/phones/:userId/presses',
      { schema: { params: phoneParams, body: pressBody } },
      async ({ params: { userId }, body: { messageId, data } }) => {
        requireUser(userId)
        const message = telegram.messages(userId).find((message) => message.messageId === messageId)
        const buttons = message?.keyboard.flat() ?? []
        if (!buttons.some(({ kind, value }) => kind === 'callback' && value === data))
          throw new PageError(409, 'button-gone', 'This button is no longer there')
        return telegram.press(userId, messageId, data).catch(() => {
          throw new PageError(504, 'no-answer', 'The bot did not answer')
        })
      },
    )

    app.post(
      '/api/phones/:userId/blocked',
      { schema: { params: phoneParams, body: blockedBody } },
      ({ params: { userId }, body: { blocked } }) => {
        requireUser(userId)
        telegram.setBlocked(userId, blocked)
        return { blocked }
      },
    )

    app.get(
      '/api/files/:fileId',
      { schema: { params: fileParams } },
      async ({ params: { fileId } }, reply) => {
        const file = await telegram.file(fileId)
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

/** Both spellings of a file name in Content-Disposition: ASCII for old clients, and RFC 5987 for the real name. */
function fileNameParameters(fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(Buffer.from(fileName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}
