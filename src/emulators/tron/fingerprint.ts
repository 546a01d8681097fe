import { createHash } from 'node:crypto'
import bs58check from 'bs58check'

/**
 * Where the next page of a list begins, as a text that means nothing to the client. It belongs to one set of parameters and
 * is refused with another.
 */
export function fingerprintsFor<Position>(parameters: unknown) {
  const owner = createHash('sha256').update(JSON.stringify(parameters)).digest('hex')
  return {
    write: (position: Position) => bs58check.encode(Buffer.from(owner + JSON.stringify(position))),
    /** Undefined: not made for these parameters, or not made here at all. */
    read(text: string): Position | undefined {
      const content = Buffer.from(bs58check.decodeUnsafe(text) ?? []).toString()
      return content.startsWith(owner) ? (JSON.parse(content.slice(owner.length)) as Position) : undefined
    },
  }
}
