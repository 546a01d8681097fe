import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import { GatewayId, UsageBatch } from '../core/gateway/wire.ts'

/** Length of the file in bytes from which on it is rewritten without the counted batches. */
const COMPACT_BYTES = 1_000_000

/** First line of the file. */
const Header = z.object({
  gateway: GatewayId,
  /** Number of the last batch before those that follow. */
  after: z.int().min(0),
})

/** What a batch says, before it has its number. */
export type Usage = Omit<UsageBatch, 'sequence'>

/**
 * The batches of usage that the shop may not have counted yet, in a file of JSON lines: what was appended is on disk before it is
 * posted, and gets its number there. After a kill -9 the same batches are posted again under the same numbers.
 *
 * Without room on the disk it goes on in memory. Then a kill loses what was not counted, and the numbers of what was: the shop knows
 * a later one than the journal, and the journal is {@link renamed}.
 */
export class Journal {
  readonly #directory: string
  readonly #logger: Logger
  #file: FileHandle | undefined
  #bytes = 0
  /** Whether the file may be damaged: then the next write replaces it. */
  #broken = false
  #work: Promise<unknown> = Promise.resolve()
  #id: string
  #pending: UsageBatch[]
  #last: number

  private constructor(directory: string, logger: Logger, { id, after, batches }: Content) {
    this.#directory = directory
    this.#logger = logger
    this.#id = id
    this.#pending = batches
    this.#last = batches.at(-1)?.sequence ?? after
  }

  /**
   * Opens the journal of a folder, or begins one.
   *
   * @throws when the folder cannot be written
   */
  static async open(directory: string, logger: Logger): Promise<Journal> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const content = await contentOf(join(directory, FILE))
    if (content.damaged) {
      logger.error('the journal of usage is damaged: what follows the damage is kept in journal.damaged')
      await rename(join(directory, FILE), join(directory, `${FILE}.damaged`))
    }
    const journal = new Journal(directory, logger, content)
    try {
      await journal.#rewrite([])
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!['ENOSPC', 'EDQUOT'].includes(code)) throw error
      journal.#goOnInMemory(error)
    }
    return journal
  }

  /** The id under which the shop knows the gateway. */
  get id(): string {
    return this.#id
  }

  /** Number of the last batch. */
  get last(): number {
    return this.#last
  }

  /** Batches that the shop has not counted, as far as is known; oldest first. */
  get pending(): readonly UsageBatch[] {
    return this.#pending
  }

  /** Numbers a batch, and settles when it is on disk; a disk that takes nothing is logged, and it stays in memory. */
  append(usage: Usage): Promise<void> {
    return this.#inTurn(async () => {
      const batch = { sequence: this.#last + 1, ...usage }
      await this.#store([batch])
      this.#pending.push(batch)
      this.#last = batch.sequence
    })
  }

  /** Drops the batches up to this one, which the shop has counted. */
  counted(sequence: number): void {
    const first = this.#pending[0]?.sequence
    if (first !== undefined && first <= sequence) this.#pending.splice(0, sequence - first + 1)
  }

  /**
   * Begins a journal under another id, with the batches that the shop has not counted, numbered from 1.
   *
   * @param shifted called at once with how much lower their numbers are, and those of all batches to come
   */
  renamed(shifted: (by: number) => void): Promise<void> {
    return this.#inTurn(async () => {
      const by = this.#last - this.#pending.length
      this.#id = newId()
      this.#pending = this.#pending.map((batch) => ({ ...batch, sequence: batch.sequence - by }))
      this.#last -= by
      shifted(by)
      this.#broken = true
      await this.#store([])
    })
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => this.#file?.close())
  }

  async #store(batches: readonly UsageBatch[]): Promise<void> {
    try {
      if (this.#broken || this.#bytes > COMPACT_BYTES) await this.#rewrite(batches)
      else await this.#write(linesOf(batches))
      if (this.#broken) this.#logger.info('the journal of usage can be written again')
      this.#broken = false
    } catch (error) {
      this.#goOnInMemory(error)
    }
  }

  #goOnInMemory(error: unknown): void {
    if (!this.#broken)
      this.#logger.error({ err: error }, 'the journal of usage cannot be written: usage is kept in memory')
    // Whatever part was written: after a failed fsync nobody knows what is on the disk.
    this.#broken = true
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    await this.#file?.appendFile(bytes)
    await this.#file?.datasync()
    this.#bytes += bytes.length
  }

  /** Replaces the file atomically by one that holds what is pending and what is new. */
  async #rewrite(batches: readonly UsageBatch[]): Promise<void> {
    const path = join(this.#directory, FILE)
    // Both without an await between them: batches may be counted while the file is opened, and the two must agree.
    const header = JSON.stringify({ gateway: this.#id, after: this.#last - this.#pending.length })
    const bytes = Buffer.from(`${header}\n${linesOf([...this.#pending, ...batches])}`)
    const file = await open(`${path}.new`, 'w', 0o600)
    try {
      await file.appendFile(bytes)
      await file.datasync()
      await rename(`${path}.new`, path)
      await synced(this.#directory)
      await this.#file?.close()
      this.#file = file
      // Much that is pending must not be written anew each time.
      this.#bytes = bytes.length > COMPACT_BYTES / 2 ? 0 : bytes.length
    } catch (error) {
      await file.close()
      throw error
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }
}

const FILE = 'journal'

interface Content {
  readonly id: string
  readonly after: number
  readonly batches: UsageBatch[]
  readonly damaged: boolean
}

/** Reads up to the first line that is not whole: the last one, unless the file was damaged. */
async function contentOf(path: string): Promise<Content> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  const [first = '', ...lines] = (text ?? '').split('\n')
  const header = parsed(Header, first)
  if (!header) return { id: newId(), after: 0, batches: [], damaged: text !== undefined }
  const batches: UsageBatch[] = []
  for (const line of lines) {
    const batch = parsed(UsageBatch, line)
    if (batch?.sequence !== header.after + batches.length + 1) break
    // The run that wrote it has ended, but the gateway goes on.
    batches.push({ ...batch, ended: false })
  }
  return {
    id: header.gateway,
    after: header.after,
    batches,
    damaged: batches.length < lines.length - 1,
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, line: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

function linesOf(batches: readonly UsageBatch[]): string {
  return batches.map((batch) => `${JSON.stringify(batch)}\n`).join('')
}

function newId(): string {
  return randomBytes(16).toString('base64url')
}

/** Syncs a folder, which brings a renaming in it to the disk. */
async function synced(directory: string): Promise<void> {
  const folder = await open(directory, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
