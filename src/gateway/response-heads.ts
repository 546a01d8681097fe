/** The longest head that Node's HTTP client takes. */
const MOST_HEAD_BYTES = 65_536
const NONE = Buffer.alloc(0)
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/
/** A space before a colon, a line that is continued, or one that ends without a carriage return. */
const UNUSUAL = /^[^:\r\n]*[ \t]:|\n[ \t]|(?<!\r)\n/m

/**
 * The heads of the answers on one connection, in the spelling that Node's strict parser takes. An intermediary has to mend two things
 * of an answer: it removes spaces before colons (RFC 9112, 5.1) and joins continued lines (5.2); and it may take a line feed for the
 * end of a line (2.2). The parser could be told to take them, but only together with lengths that contradict each other. Everything
 * else is left as it is, so that the parser refuses what is wrong with it.
 */
export class ResponseHeads {
  /** The beginning of a head whose end has not come. */
  #held: Buffer = NONE
  /** Whether the last head has passed: what comes now is no head. */
  #isBody = false

  /** @returns what can be handed on by now; the beginning of a head is kept until its end has come */
  take(bytes: Buffer): Buffer {
    if (this.#isBody) return bytes
    const known = this.#held.length
    this.#held = known === 0 ? bytes : Buffer.concat([this.#held, bytes])
    const passed: Buffer[] = []
    let end = endOfHead(this.#held, Math.max(0, known - 2))
    while (end > 0 && !this.#isBody) {
      const head = this.#held.subarray(0, end)
      const text = head.toString('latin1')
      passed.push(UNUSUAL.test(text) ? Buffer.from(mended(text), 'latin1') : head)
      this.#held = this.#held.subarray(end)
      this.#isBody = !INTERIM.test(text)
      end = endOfHead(this.#held, 0)
    }
    if (this.#isBody || this.#held.length > MOST_HEAD_BYTES) {
      this.#isBody = true
      passed.push(this.#held)
      this.#held = NONE
    }
    return passed.length === 1 ? (passed[0] ?? NONE) : Buffer.concat(passed)
  }
}

/** @returns where the empty line after a head ends; -1: it has not come yet */
function endOfHead(bytes: Buffer, from: number): number {
  const ends = ['\n\r\n', '\n\n'].flatMap((end) => {
    const at = bytes.indexOf(end, from, 'latin1')
    return at < 0 ? [] : at + end.length
  })
  return ends.length === 0 ? -1 : Math.min(...ends)
}

function mended(head: string): string {
  const lineEnd = head.indexOf('\n') + 1
  // A line that continues the first one is left to the parser to refuse.
  const fields = head
    .slice(lineEnd)
    .replaceAll(/(?<=[^\s])[ \t]*\r?\n[ \t]+/g, ' ')
    .replaceAll(/^([^:\s]+)[ \t]+:/gm, '$1:')
  return (head.slice(0, lineEnd) + fields).replaceAll(/\r?\n/g, '\r\n')
}
