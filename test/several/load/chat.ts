import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { stale } from '../../../src/bot/texts/en/general.ts'
import { HANG_MS } from '../../support/patience.ts'
import { createPhone } from '../../support/phone.ts'
import { AGENT, ANN, logIn } from '../../support/product.ts'
import type { Part, Shop } from './part.ts'

/** Not the person who logs in after a fault. */
const BUYER = { ...ANN, id: ANN.id + 1_000, username: 'buyer' }
const POLL_MS = 250
/** The button that pays. */
const SELLS = /Buy for/
/** What is waited for so long is asked for again. */
const ANSWER_MS = 5_000
/** Of the chat, when nothing comes of it. */
const TOLD_LINES = 60

/** A person who buys proxies in the chat, one after the other, and asks and presses again while nothing comes of it. */
export async function startChat({ telegram, db }: Shop): Promise<Part> {
  const phone = createPhone(telegram, BUYER)
  await logIn(phone, AGENT)
  let bought = 0
  /** Whether the bot shows what counts, or is about to. Asking again would make that stale, too. */
  let isShown = false
  const orders = () => db.read.staticOrder.count({ where: { appOrderNo: { startsWith: 'chat-' } } })
  const offered = async () => {
    if (!isShown) phone.send('/buy')
    const { messageId, keyboard } = await phone.waitFor(
      (message) => message.keyboard.flat().some(({ text }) => SELLS.test(text)),
      { timeoutMs: ANSWER_MS, evenOld: isShown },
    )
    const button = keyboard.flat().find(({ text }) => SELLS.test(text))
    return { messageId, data: button?.value ?? '' }
  }
  return {
    name: 'purchases in the chat',
    clients: 1,
    async step() {
      const askedAt = performance.now()
      const offer = await offered().catch(() => undefined)
      isShown = false
      if (!offer) return undefined
      for (const begun = performance.now(); ;) {
        // The button carries the key of what was shown: pressed again, it buys nothing else.
        const answer = await telegram
          .pressStale(BUYER.id, offer.messageId, offer.data, ANSWER_MS)
          .catch(() => undefined)
        if ((await orders().catch(() => -1)) > bought) break
        // What was asked for twice is offered twice, and only the last offer counts.
        isShown = answer?.text === stale
        if (isShown) return undefined
        if (performance.now() - begun > HANG_MS) throw new Error(`pressed in vain\n${phone.dump()}`)
        await sleep(POLL_MS)
      }
      bought += 1
      return askedAt
    },
    async prove() {
      expect(await orders()).toBe(bought)
    },
    tell: () => phone.dump().split('\n').slice(-TOLD_LINES).join('\n'),
  }
}
