import type { OrderRecord } from './records.ts'
import type { Behaviour } from './types.ts'

const PATIENCE_MS = 5_000

interface Callback {
  readonly url: string
  accepted: boolean
}

/** Tells the buyers' addresses that orders have ended. What is not answered with success is sent again with the next ones. */
export function createCallbacks(behaviour: Behaviour) {
  const waiting: string[] = []
  const sent: Callback[] = []
  let sending: Promise<void> = Promise.resolve()

  async function sendWaiting(): Promise<void> {
    const batch = waiting.splice(0)
    if (behaviour.callbacks.reordered) batch.reverse()
    const times = behaviour.callbacks.doubled ? [1, 2] : [1]
    for (const url of batch) {
      const answers: boolean[] = []
      for (const _ of times) {
        const callback: Callback = { url, accepted: false }
        sent.push(callback)
        callback.accepted = await isAccepted(url)
        answers.push(callback.accepted)
      }
      if (!answers.includes(true)) waiting.push(url)
    }
  }

  return {
    /** Adds a callback that is sent with the next `send`. */
    add({ account, appOrderNo, orderNo }: OrderRecord): void {
      if (account.callbackUrl === undefined) return
      const url = new URL(account.callbackUrl)
      url.searchParams.set('type', 'order')
      url.searchParams.set('no', behaviour.callbackNumber === 'ours' ? appOrderNo : orderNo)
      url.searchParams.set('op', 'update')
      waiting.push(url.href)
    },
    /** Sends what waits; settles when all answers are there. */
    send(): Promise<void> {
      sending = sending.then(sendWaiting)
      return sending
    },
    sent: (): readonly Callback[] => [...sent],
  }
}

async function isAccepted(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    const answer = (await response.json()) as { code?: unknown }
    return response.status === 200 && answer.code === 'success'
  } catch {
    return false
  }
}
