/** `ResponseParameters` of the Bot API. */
interface Parameters {
  readonly retry_after?: number
  readonly migrate_to_chat_id?: number
}

/** A refusal as the Bot API words it; becomes `{ok: false, error_code, description, parameters}`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: number
  readonly parameters: Parameters

  constructor(code: number, description: string, parameters: Parameters = {}) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/**
 * A 400 with Telegram's prefix. Telegram lower-cases the first letter of the reason, except in codes that are
 * written in capitals (`BUTTON_DATA_INVALID`).
 */
export function badRequest(reason: string, parameters?: Parameters): ApiError {
  const isCode = /^.[A-Z_]/.test(reason)
  return new ApiError(
    400,
    `Bad Request: ${isCode ? reason : reason.charAt(0).toLowerCase() + reason.slice(1)}`,
    parameters,
  )
}

/** A 400 for something that Telegram can do and this emulator cannot; never a pretended success. */
export function notImplemented(what: string): ApiError {
  return badRequest(`not implemented in the emulator: ${what}`)
}
