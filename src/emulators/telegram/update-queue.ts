import type { Update } from 'grammy/types'

export type UpdateQueue = ReturnType<typeof createUpdateQueue>
export type UpdateContent = Omit<Update, 'update_id'>

/** Telegram sends these only to bots that ask for them. */
const NOT_BY_DEFAULT = new Set(['chat_member', 'message_reaction', 'message_reaction_count'])

/**
 * The updates that wait for the bot. Each stays until it is confirmed, so that a bot that was killed gets it again.
 *
 * @param firstId id of the first update; the ids grow by one
 */
export function createUpdateQueue(firstId: number) {
  const waiting: Update[] = []
  const listeners = new Set<() => void>()
  let nextId = firstId
  let allowed: readonly string[] = []

  return {
    /** Adds an update, unless the bot did not ask for its kind. */
    push(content: UpdateContent): void {
      const isAllowed = (kind: string) =>
        allowed.length > 0 ? allowed.includes(kind) : !NOT_BY_DEFAULT.has(kind)
      if (!Object.keys(content).every(isAllowed)) return
      waiting.push({ ...content, update_id: nextId++ })
      for (const listener of listeners) listener()
    },
    /** The oldest waiting updates. */
    first: (limit: number): readonly Update[] => waiting.slice(0, limit),
    all: (): readonly Update[] => waiting,
    size: () => waiting.length,
    /** Confirms all updates below the offset; a negative one (-n) keeps only the n newest, as in Telegram. */
    confirmBelow(offset: number): void {
      const keep = offset < 0 ? -offset : waiting.filter((update) => update.update_id >= offset).length
      waiting.splice(0, waiting.length - keep)
    },
    /** Confirms one update, wherever it stands. */
    confirm(id: number): void {
      const index = waiting.findIndex(({ update_id }) => update_id === id)
      if (index >= 0) waiting.splice(index, 1)
    },
    clear: () => void waiting.splice(0),
    /** An empty list is the default; undefined keeps what was set before, for polling and webhooks alike. */
    allow(kinds: readonly string[] | undefined): void {
      if (kinds) allowed = kinds
    },
    allowed: () => allowed,
    /** Calls the listener after every added update. */
    onPush: (listener: () => void) => void listeners.add(listener),
  }
}
