import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { ApiMethods } from 'grammy/types'
import { onTestFinished } from 'vitest'
import { createTelegramEmulator } from '../../../src/emulators/telegram/telegram-emulator.ts'
import type { EmulatedUser } from '../../../src/emulators/telegram/types.ts'

export const ANN: EmulatedUser = { id: 501, firstName: 'Ann', username: 'ann', languageCode: 'en' }
export const BEN: EmulatedUser = { id: 502, firstName: 'Ben', languageCode: 'ru' }

type ResultOf<Method extends string> = Method extends keyof ApiMethods
  ? ReturnType<ApiMethods[Method]>
  : unknown

export interface Answer<Result> {
  readonly ok: boolean
  /** Only there when the call was not refused. */
  readonly result: Result
  readonly error_code?: number
  readonly description?: string
  readonly parameters?: { readonly retry_after?: number }
}

/** A running emulator with a chat in which Ann wrote already; it ends with the test. */
export async function startTelegram(options: { now?: () => Date } = {}) {
  const emulator = createTelegramEmulator({ token: '42:secret', botUsername: 'shop_bot', ...options })
  const server = Fastify({ forceCloseConnections: true })
  await server.register(emulator.botApi, { prefix: '/telegram' })
  await server.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const apiRoot = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/telegram`

  const call = <Method extends string>(method: Method, parameters?: object, signal?: AbortSignal) =>
    callAs('42:secret', method, parameters, signal)

  /** Calls with the token of another bot. */
  async function callAs<Method extends string>(
    token: string,
    method: Method,
    parameters: object = {},
    signal?: AbortSignal,
  ): Promise<Answer<ResultOf<Method>>> {
    const response = await fetch(`${apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
      ...(signal && { signal }),
    })
    return (await response.json()) as Answer<ResultOf<Method>>
  }

  /** Uploads by multipart/form-data, as clients other than grammY do. */
  async function upload<Method extends string>(
    method: Method,
    parts: Record<string, string | File>,
    token = '42:secret',
  ): Promise<Answer<ResultOf<Method>>> {
    const body = new FormData()
    for (const [name, value] of Object.entries(parts)) body.append(name, value)
    const response = await fetch(`${apiRoot}/bot${token}/${method}`, { method: 'POST', body })
    return (await response.json()) as Answer<ResultOf<Method>>
  }

  emulator.addUser(ANN)
  emulator.send(ANN.id, 'hello')
  await call('deleteWebhook', { drop_pending_updates: true })
  emulator.clearCalls()
  return { emulator, server, apiRoot, call, callAs, upload }
}

/** The smallest header of a PNG of this size; the emulator does not look at the pixels. */
export function pngOf(width: number, height: number): Buffer<ArrayBuffer> {
  const png = Buffer.alloc(33)
  png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

/** A JPEG as far as its headers go: an application segment of odd length, then the frame. */
export function jpegOf(width: number, height: number): Buffer<ArrayBuffer> {
  const frame = Buffer.from([
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    0,
    17,
    0,
  ])
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 5, 1, 2, 3]), frame])
}
