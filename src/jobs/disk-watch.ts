import type { Logger } from 'pino'
import type { ChatLocale } from '../core/chat-locale.ts'
import type { OperatorFacts } from '../core/facts/operator-facts.ts'
import type { Messenger } from '../core/notices/messenger.ts'
import { diskLevel, type DiskLevel, type DiskSpace } from '../core/operator/disk-space.ts'

interface DiskWatchOptions {
  /** Reads the space of the disk with the database. */
  readonly space: () => Promise<DiskSpace>
  readonly messenger: Messenger
  /** The operator's chats. */
  readonly chats: () => Promise<readonly ChatLocale[]>
  /** Notes that a chat cannot be written to, so that others are told in its place. */
  readonly gone: (chatId: number) => Promise<unknown>
  readonly logger: Logger
}

/**
 * Watches the free space of the disk with the database. Operator chats and the log are told once when it becomes low, once when the
 * disk is full, and again only after there was enough. Notices bypass the outbox: on a full disk nothing can be written there. Whoever
 * could not be told, or runs the shop since then, is told by a later check.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions
  #level: DiskLevel = 'enough'
  /** Chats that have been told. */
  readonly #told = new Set<number>()

  constructor(options: DiskWatchOptions) {
    this.#options = options
  }

  /** Checks once; a sweep of the job loop. */
  async check(): Promise<void> {
    const { space, chats, logger } = this.#options
    const { freeBytes, totalBytes } = await space()
    const before = this.#level
    this.#level = diskLevel({ freeBytes, totalBytes }, before)
    if (this.#level === 'enough') {
      if (before !== 'enough') logger.info({ freeBytes }, 'there is enough room on the disk again')
      return
    }
    if (this.#level === 'full' ? before !== 'full' : before === 'enough') {
      const text =
        this.#level === 'full' ? 'the disk is full: nothing can be written' : 'the disk is nearly full'
      logger.error({ freeBytes, totalBytes }, text)
      this.#told.clear()
    }
    const facts = { full: this.#level === 'full', freeBytes, totalBytes }
    for (const chat of await chats()) if (!this.#told.has(chat.chatId)) await this.#tell(chat, facts)
  }

  async #tell(chat: ChatLocale, facts: OperatorFacts['disk_low']): Promise<void> {
    const notice = { ...chat, proxyFormat: 'colon', subject: '' } as const
    const { messenger, gone } = this.#options
    const { status } = await messenger.tellOperator({ ...notice, kind: 'disk_low', facts })
    if (status === 'sent') this.#told.add(chat.chatId)
    // On a full disk it cannot be noted.
    if (status === 'blocked') await gone(chat.chatId).catch(() => {})
  }
}
