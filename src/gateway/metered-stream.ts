import { Duplex } from 'node:stream'
import type { Connection } from './connection.ts'
import { Refused } from './exit.ts'
import type { Passage } from './passage.ts'
import { ResponseHeads } from './response-heads.ts'
import { IdleWatch, type Swept, type Sweeper } from './sweeper.ts'

/**
 * A connection to a target as a stream, for Node's HTTP client, which gets the heads of answers in the spelling that it takes. Both ways
 * each byte is taken from the allowance before it is passed on. When nothing is left to write, the stream fails with
 * `traffic_exhausted`. When nothing is left to read, it emits `exhausted` after the last byte that was left, and nothing more: the reader
 * ends it, once what was read is passed on.
 */
export class MeteredStream extends Duplex implements Swept {
  place = -1
  readonly #target: Connection
  readonly #passage: Passage
  readonly #sweeper: Sweeper
  readonly #idle: IdleWatch
  readonly #heads = new ResponseHeads()
  /** Whether arrived bytes are being passed on; nothing more is read until then. */
  #isBusy = false
  #isWanted = false
  #hasEnded = false

  /** @param idleMs when nothing is passed on for that long, the stream fails with `target_timeout` */
  constructor(target: Connection, passage: Passage, sweeper: Sweeper, idleMs: number) {
    super({ allowHalfOpen: true })
    this.#target = target
    this.#passage = passage
    this.#sweeper = sweeper
    this.#idle = new IdleWatch(idleMs)
    sweeper.add(this)
    target.socket.once('end', () => this.#pushEnd())
    target.socket.once('close', () => this.#hasEnded || this.destroy())
    if (target.socket.destroyed) this.destroy()
  }

  sweep(now: number): void {
    if (this.#idle.isOver(now)) this.destroy(new Refused('target_timeout', 'nothing came for too long'))
  }

  override _read(): void {
    this.#isWanted = true
    if (!this.#isBusy) this.#target.read(this.#arrived)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const written = (bytes: Buffer) =>
      new Promise<void>((resolve, reject) => {
        this.#target.socket.write(bytes, (error) => (error ? reject(error) : resolve()))
      })
    const passed = (isWhole: boolean) => done(isWhole ? undefined : new Refused('traffic_exhausted'))
    this.#passBytes(chunk, written).then(passed, done)
  }

  override _final(done: () => void): void {
    this.#target.socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#sweeper.delete(this)
    this.#target.socket.destroy()
    this.#passage.leave()
    done(error)
  }

  readonly #arrived = (bytes: Buffer): void => {
    this.#isBusy = true
    this.#isWanted = false
    this.#target.read(undefined)
    void this.#passArrived(bytes)
  }

  async #passArrived(bytes: Buffer): Promise<void> {
    if (!(await this.#passBytes(bytes, (taken) => this.#pushBytes(taken)))) return void this.emit('exhausted')
    this.#isBusy = false
    if (this.#hasEnded) this.push(null)
    else if (this.#isWanted) this.#target.read(this.#arrived)
  }

  #pushBytes(taken: Buffer): void {
    const bytes = this.#heads.take(taken)
    if (bytes.length > 0) this.push(bytes)
    // `_read` is not called again before something was pushed.
    else this.#isWanted = true
  }

  #pushEnd(): void {
    this.#hasEnded = true
    if (!this.#isBusy) this.push(null)
  }

  /** @returns false: nothing is left, and the rest of the bytes was not passed on */
  async #passBytes(bytes: Buffer, on: (bytes: Buffer) => unknown): Promise<boolean> {
    this.#idle.touch()
    let rest = bytes
    while (rest.length > 0) {
      if (this.destroyed) return true
      const granted = this.#passage.take(rest.length)
      if (granted > 0) await on(rest.subarray(0, granted))
      rest = rest.subarray(granted)
      if (rest.length > 0 && !(await this.#passage.allowance.more())) return false
    }
    return true
  }
}
