import { ApiError, notImplemented } from './api-error.ts'
import { createFaults, type Faults } from './faults.ts'
import { CONFLICTS } from './long-poll.ts'
import { chatMethods } from './methods/chat.ts'
import { editMethods } from './methods/edit.ts'
import { managerMethods, type ManagedBots } from './methods/manager.ts'
import type { Call, Method } from './methods/method.ts'
import { profileMethods } from './methods/profile.ts'
import { receiveMethods } from './methods/receive.ts'
import { sendMethods } from './methods/send.ts'
import { checkParameters, findMethod, isImplemented } from './parameters.ts'
import type { TelegramState } from './state.ts'
import type { Fault, RecordedCall } from './types.ts'

/** What the HTTP side does with a call: send an answer, close the connection without one, or leave it open. */
type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: object }
  | { readonly kind: 'drop' }
  | { readonly kind: 'silence' }

export type Dispatcher = ReturnType<typeof createDispatcher>

/** A recorded call while it is carried out. */
interface Recording {
  readonly method: string
  /** The parameters as they came; after the check, as the method reads them. */
  parameters: Readonly<Record<string, unknown>>
  refused?: string
}

/** An emulator may run for weeks: only the newest calls are kept. */
const MAX_RECORDED = 10_000

/** What a server that restarts says (telegram-bot-api), and what the gateways before it say. */
const SERVER_ERRORS = {
  500: 'Internal Server Error: restart',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
} as const

/**
 * Carries out the calls of one bot by name, with the faults that are injected into them, and records them.
 *
 * @param managed the bots that this bot may manage
 */
export function createDispatcher(state: TelegramState, managed: ManagedBots) {
  const methods: Readonly<Record<string, Method>> = {
    ...receiveMethods(state),
    ...sendMethods(state),
    ...editMethods(state),
    ...chatMethods(state),
    ...profileMethods(state),
    ...managerMethods(managed),
  }
  const faults: Faults = createFaults()
  const calls: Recording[] = []
  let wasFaulty = false

  async function run(record: Recording, call: Call): Promise<unknown> {
    const { method } = record
    if (findMethod(method) === undefined) throw new ApiError(404, 'Not Found: method not found')
    const implementation = methods[method]
    if (!isImplemented(method) || !implementation) throw notImplemented(`method ${method}`)
    record.parameters = checkParameters(method, record.parameters, new Set(call.uploads.keys()))
    return implementation(record.parameters as never, call)
  }

  /** Never throws: refusals, and failures of the emulator itself, are answers too. */
  async function dispatch(name: string, parameters: Recording['parameters'], call: Call): Promise<Outcome> {
    const record: Recording = { method: findMethod(name) ?? name, parameters }
    calls.push(record)
    if (calls.length > MAX_RECORDED) calls.shift()
    const fault = faults.take(record.method, parameters.chat_id)
    const outcome = await carryOut(record, call, fault)
    if (fault?.kind === 'silence') return { kind: 'silence' }
    return fault?.kind === 'drop-before' || fault?.kind === 'drop-after' ? { kind: 'drop' } : outcome
  }

  async function carryOut(record: Recording, call: Call, fault: Fault | undefined): Promise<Outcome> {
    try {
      if (fault && fault.kind !== 'drop-after') throw errorOf(fault)
      return { kind: 'answer', status: 200, body: { ok: true, result: await run(record, call) } }
    } catch (error) {
      const isRefusal = error instanceof ApiError
      const refusal = isRefusal ? error : new ApiError(500, `Internal Server Error: ${String(error)}`)
      record.refused = refusal.message
      return { kind: 'answer', status: refusal.code, body: errorBody(refusal) }
    }
  }

  function inject(fault: Fault): void {
    wasFaulty = true
    const isHit = fault.kind === 'conflict' && state.longPoll.refuse(409, CONFLICTS.poller)
    const times = (fault.times ?? 1) - (isHit ? 1 : 0)
    if (times > 0) faults.inject({ ...fault, times })
  }

  return {
    dispatch,
    inject,
    /** Whether a fault was ever injected. */
    wasFaulty: () => wasFaulty,
    clearFaults: faults.clear,
    calls: (): readonly RecordedCall[] => [...calls],
    clearCalls: () => void calls.splice(0),
  }
}

/** Returns the body of a refusal, as all methods answer it. */
export function errorBody({ code, message, parameters }: ApiError): object {
  const extra = Object.keys(parameters).length > 0 ? { parameters } : {}
  return { ok: false, error_code: code, description: message, ...extra }
}

function errorOf({ kind, retryAfter = 1, code = 502, refusal }: Fault): ApiError {
  switch (kind) {
    case 'too-many-requests':
      return new ApiError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter })
    case 'server-error':
      return new ApiError(code, SERVER_ERRORS[code])
    case 'unauthorized':
      return new ApiError(401, 'Unauthorized')
    case 'conflict':
      return new ApiError(409, CONFLICTS.poller)
    case 'silence':
      return new ApiError(502, 'not answered by a fault')
    case 'refusal':
      if (refusal) return new ApiError(refusal.code, refusal.description)
      throw new Error('a fault of the kind refusal needs the refusal')
    default:
      return new ApiError(502, 'connection closed by a fault')
  }
}
