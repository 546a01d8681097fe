import { createHash } from 'node:crypto'
import bs58check from 'bs58check'

/**
 * Makes the fingerprints (cursors) of a list: where its next page begins, as a text that means nothing to the client. One belongs to one
 * set of parameters and is refused with another.
 */
export function fingerprintsFor<Position>(parameters: unknown) {
  const owner = createHash('sha256').update(JSON.stringify(parameters)).digest('hex')
  return {
    write: (position: Position) => bs58check.encode(Buffer.from(owner + JSON.stringify(position))),
    /** Returns undefined for one that was made for other parameters, or not here at all. */
    read(text: string): Position | undefined {
      const content = Buffer.from(bs58check.decodeUnsafe(text) ?? []).toString()
      return content.startsWith(owner) ? (JSON.parse(content.slice(owner.length)) as Position) : undefined
    },
  }
}
