import type { CallbackAnswer } from './types.ts'

interface PendingQuery {
  readonly chatId: number
  readonly timer: NodeJS.Timeout
  readonly resolve: (answer: CallbackAnswer) => void
  readonly reject: (error: Error) => void
}

/** The pressed buttons that the bot has not answered yet. */
export function createCallbackQueries(firstId: number) {
  const pending = new Map<string, PendingQuery>()
  let nextId = firstId

  function take(id: string): PendingQuery | undefined {
    const query = pending.get(id)
    clearTimeout(query?.timer)
    pending.delete(id)
    return query
  }

  return {
    /** Opens a query; `answered` rejects when the bot does not answer in time, or the query expires. */
    open(chatId: number, timeoutMs: number): { id: string; answered: Promise<CallbackAnswer> } {
      const id = String(nextId++)
      const answered = new Promise<CallbackAnswer>((resolve, reject) => {
        // The query itself stays open; only the wait ends.
        const timer = setTimeout(
          () => reject(new Error(`the bot did not answer the pressed button in ${timeoutMs} ms`)),
          timeoutMs,
        )
        timer.unref()
        pending.set(id, { chatId, timer, resolve, reject })
      })
      // Who presses a button need not wait for the answer; a rejection must not end the process then.
      answered.catch(() => undefined)
      return { id, answered }
    },
    /** Returns the chat of the query, or undefined when it is unknown, expired or answered already. */
    answer(id: string, answer: CallbackAnswer): number | undefined {
      const query = take(id)
      query?.resolve(answer)
      return query?.chatId
    },
    expireAll: (): void => {
      for (const id of pending.keys()) take(id)?.reject(new Error('the callback query expired'))
    },
  }
}
