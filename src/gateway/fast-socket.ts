import type { Socket } from 'node:net'

/** A connection that was opened by us: its bytes are read without the cost of a stream. */
export interface FastSocket {
  /** For writing, ending, destroying and the events `close`, `end`, `error`, `drain`; nobody reads from it as a stream. */
  readonly socket: Socket
  /** Where arriving bytes go; the bytes stay valid. What arrives while there is no reader is not read from the system. */
  read(reader: ((bytes: Buffer) => void) | undefined): void
}
