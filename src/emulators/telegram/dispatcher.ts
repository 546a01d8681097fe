import { ApiError, notImplemented } from './api-error.ts'
import { createFaults, type Faults } from './faults.ts'
import { chatMethods } from './methods/chat.ts'
import { editMethods } from './methods/edit.ts'
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

/** Carries out calls by name, with the injected faults, and records them. */
export function createDispatcher(state: TelegramState) {
  const methods: Readonly<Record<string, Method>> = {
    ...receiveMethods(state),
    ...sendMethods(state),
    ...editMethods(state),
    ...chatMethods(state),
    ...profileMethods(state),
  }
  const faults: Faults = createFaults()
  const calls: Recording[] = []

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

  return {
    dispatch,
    inject: faults.inject,
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

function errorOf({ kind, retryAfter = 1, refusal }: Fault): ApiError {
  if (kind === 'refusal' && refusal) return new ApiError(refusal.code, refusal.description)
  if (kind === 'drop-before') return new ApiError(502, 'connection closed by a fault')
  if (kind === 'silence') return new ApiError(502, 'not answered by a fault')
  return kind === 'too-many-requests'
    ? new ApiError(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter })
    : new ApiError(502, 'Bad Gateway')
}
