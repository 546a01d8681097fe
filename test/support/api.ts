import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { errorSchema } from '../../src/api/envelope.ts'
import { ERROR_STATUS } from '../../src/api/errors.ts'
import type { ApiOptions } from '../../src/api/server.ts'
import type { FieldError } from '../../src/api/field-errors.ts'
import type { Actor } from '../../src/core/access/actor.ts'
import { atTheEnd } from './clean-up.ts'
import { checkingServer, pooledServer } from './pooled-server.ts'
import { openService, PASSWORD, type ServiceOptions } from './service.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: {
    readonly code: number
    readonly error?: string
    readonly message: string
    readonly msg: string
    readonly request_id?: string
    readonly data: Data
  }
}

/** What tests pick out of the data of answers by name; the server has checked the answers against their schemas. */
interface Data {
  readonly token: string
  readonly orderNo: string
  readonly appOrderNo: string
  readonly balance: number
  readonly total: number
  readonly items: readonly Item[]
  readonly list: readonly Item[]
  readonly errors: readonly FieldError[]
  readonly supported_regions: unknown
}

interface Item {
  readonly orderNo: string
  readonly productId: string
  readonly cityCode: string
  readonly price: number
  readonly tiers: unknown
  readonly instances: readonly unknown[]
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly base?: '/api' | '/a/api' | '/b/api'
}

export const CREATE = '/open/app/static/order/create-standard/v2'
export const LIST = '/open/app/static/order/list/v2'
export const STATISTICS = '/open/app/static/order/statistics'
export const RENEW = '/open/app/static/order/renew'
export const QUOTE = '/open/app/order/quote'
export const PRODUCTS = '/open/app/product/query-standard/v2'
export const RANGES = '/open/app/product/ip-ranges/v2'
export const BALANCE = '/open/app/user/balance/current'

/**
 * The service behind its HTTP face, which holds every answer against its schema; all of it ends with the test.
 *
 * @param options.api how the server differs from others; with it, even an empty one, the server is made for this service alone
 */
export async function openApi({ api, ...options }: ServiceOptions & { api?: Partial<ApiOptions> } = {}) {
  const service = await openService(options)
  const log: Record<string, unknown>[] = []
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>)
  const { core } = service
  const server = await (api ? checkingServer({ core, write }, api) : pooledServer({ core, write }))
  if (api) atTheEnd(() => server.close())

  async function call(
    method: Method,
    path: string,
    { payload, base = '/api', headers = {} }: CallOptions & { payload?: object | string | Buffer } = {},
  ): Promise<Answer> {
    const response = await server.inject({
      method,
      url: base + path,
      headers,
      ...(payload === undefined ? {} : { payload }),
    })
    const body = response.json<Answer['body']>()
    expectEnvelope(response.statusCode, response.headers, body)
    return { status: response.statusCode, headers: response.headers, body }
  }

  /** Calls in the name of an account. */
  async function as(actor: Actor) {
    const { token } = await service.core.accounts.logIn({
      username: actor.username,
      password: PASSWORD,
      address: 'test',
    })
    const authorization = `Bearer ${token}`
    const withToken = ({ headers, ...rest }: CallOptions = {}) => ({
      ...rest,
      headers: { authorization, ...headers },
    })
    return {
      token,
      get: (path: string, options?: CallOptions) => call('GET', path, withToken(options)),
      post: (path: string, payload?: object, options?: CallOptions) =>
        call('POST', path, { ...withToken(options), ...(payload && { payload }) }),
      put: (path: string, payload?: object, options?: CallOptions) =>
        call('PUT', path, { ...withToken(options), ...(payload && { payload }) }),
      patch: (path: string, payload?: object, options?: CallOptions) =>
        call('PATCH', path, { ...withToken(options), ...(payload && { payload }) }),
      delete: (path: string, options?: CallOptions) => call('DELETE', path, withToken(options)),
    }
  }

  return { ...service, server, log, call, as }
}

export type Api = Awaited<ReturnType<typeof openApi>>

function expectEnvelope(status: number, headers: Answer['headers'], body: Answer['body']): void {
  expect(body.msg).toBe(body.message)
  if (status === 200) {
    expect(body.code).toBe(0)
  } else {
    expect(Object.keys(ERROR_STATUS)).toContain(body.error)
    errorSchema(body.error as ErrorCode).parse(body)
    expect(body.code).toBe(status)
    expect(body.request_id).toBe(headers['x-request-id'])
  }
}

/** The body of a static order: one IP for a month, unless said otherwise. */
export function orderBody(userId: number, change: object = {}) {
  return {
    orderType: 'static_proxy',
    poolId: 'static',
    userId,
    unitPrice: 0,
    totalAmount: 0,
    ipCount: 1,
    cycleTimes: 1,
    duration: 1,
    unit: 3,
    ...change,
  }
}

/** Expects a refusal. */
export function expectRefusal({ status, body }: Answer, code: number, error: string): void {
  expect({ status, error: body.error }).toEqual({ status: code, error })
}

/** How often which outcome occurred: `ok` or the name of an error. */
export function outcomes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { body } of answers) {
    const outcome = body.error ?? 'ok'
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
