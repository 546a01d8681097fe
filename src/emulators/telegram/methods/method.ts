import type { Uploads } from '../files.ts'

/** What comes with a call besides its parameters. */
export interface Call {
  readonly uploads: Uploads
  /** Aborted when the client closes the connection. */
  readonly gone: AbortSignal
}

/**
 * A method of the Bot API; returns its `result` or throws an ApiError. Each method declares the parameters that it
 * reads; the check against the table (`parameters.ts`) has made sure that they have these types.
 */
export type Method = (parameters: never, call: Call) => unknown
