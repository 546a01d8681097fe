import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import type { Actor } from '../../src/core/access.ts'
import { stale } from '../../src/bot/kit/texts.en.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { batch } from '../support/gateway-wire.ts'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import { AGENT, ANN, logIn, SECRET } from '../support/product.ts'
import { type Asking, post } from './buyer.ts'
import type { openSeveralShop } from './several-shop.ts'

type Shop = Awaited<ReturnType<typeof openSeveralShop>>

/** Not the person who logs in after a fault. */
const BUYER = { ...ANN, id: ANN.id + 1_000, username: 'buyer' }
/** What each batch of the gateway reports. */
const BYTES = 12_345
const POLL_MS = 250
/** The button that pays. */
const SELLS = /Buy for/
/** A press, or what follows from it, is waited for so long before it is pressed again. */
const PRESS_MS = 5_000

/** An agent that orders top-ups over REST and pays them on the chain, one after the other. */
export function startPayments(shop: Shop, asking: Asking) {
  let paid = 0
  async function step(): Promise<void> {
    const number = randomUUID()
    const { order_no: orderNo, pay_amount: amount } = await asking.ask((server, sending) =>
      post<{ order_no: string; pay_amount: string }>(
        server,
        '/usdt/create-order',
        { amount: '1', client_order_no: number },
        sending,
      ),
    )
    shop.pay(BigInt(Math.round(Number(amount) * 1e6)))
    paid += 1
    // Only so many may be open.
    await vi.waitUntil(
      async () =>
        (await shop.db.read.topUp.findUnique({ where: { orderNo } }).catch(() => null))?.status === 'paid',
      { ...PATIENCE, interval: POLL_MS },
    )
  }
  return {
    step,
    async prove(): Promise<void> {
      const topUps = await shop.db.read.topUp.findMany()
      expect(topUps.map(({ status }) => status)).toEqual(Array.from({ length: paid }, () => 'paid'))
      const transfers = await shop.db.read.usdtTransfer.findMany()
      expect(transfers).toHaveLength(paid)
      expect(paid).toBeGreaterThan(0)
    },
  }
}

/** A gateway that reports use, each batch under its number until it is counted. */
export async function startReports(shop: Shop, actor: Actor, asking: Asking) {
  const { core, db } = shop
  await core.operator.addProduct(SHELL, {
    productNo: 'DYN',
    nameEn: 'Dynamic',
    nameZh: '动态',
    price: 1,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gateway.example:8000',
  })
  await core.orders.createDynamic(actor, { poolId: 'DYN', trafficAmount: 1 })
  const { username } = await db.read.traffic.findFirstOrThrow()
  let sequence = 0
  return {
    async step(): Promise<void> {
      sequence += 1
      const day = new Date().toISOString().slice(0, 10)
      const usage = batch(sequence, { items: [{ account: username, day, bytes: BYTES, targets: [] }] })
      const headers = { authorization: `Bearer ${SECRET}`, 'gateway-id': 'gateway-of-the-load' }
      await asking.ask((server, { patienceMs }) =>
        post(server, '/gateway/v1/usage', usage, { headers, patienceMs }),
      )
    },
    async prove(): Promise<void> {
      const { usedBytes } = await db.read.traffic.findFirstOrThrow()
      expect(Number(usedBytes)).toBe(sequence * BYTES)
      expect(sequence).toBeGreaterThan(0)
    },
  }
}

/** Marks orders over REST: all others come from the chat. */
export const BY_REST = 'rest-'

/** A person who buys proxies in the chat, one after the other, and presses again while nothing comes of it. */
export async function startChat({ telegram, db }: Shop) {
  const phone = createPhone(telegram, BUYER)
  await logIn(phone, AGENT)
  const pressed = new Set<string>()
  const orders = () =>
    db.read.staticOrder.count({ where: { NOT: { appOrderNo: { startsWith: BY_REST } } } }).catch(() => -1)
  /** A screen that sells; each has a key of its own. */
  const offered = async () => {
    phone.send('/buy')
    const { messageId, keyboard } = await phone.waitFor(
      (message) => message.keyboard.flat().some(({ text }) => SELLS.test(text)),
      { timeoutMs: PRESS_MS },
    )
    const { value: data = '' } = keyboard.flat().find(({ text }) => SELLS.test(text)) ?? {}
    return { messageId, data }
  }
  /** @returns whether it may be pressed again; a screen that came later has made it old */
  const press = async ({ messageId, data }: { messageId: number; data: string }) => {
    const answer = await telegram.pressStale(BUYER.id, messageId, data, PRESS_MS).catch(() => undefined)
    return answer?.text !== stale
  }
  return {
    async step(): Promise<void> {
      const offer = await offered().catch(() => undefined)
      if (!offer || pressed.has(offer.data)) return
      const bought = pressed.size
      pressed.add(offer.data)
      // The button carries the key of what was shown: pressed again, it buys nothing else.
      let isOpen = true
      let count = -1
      while (count < 0 || (isOpen && count <= bought)) {
        if (isOpen) isOpen = await press(offer)
        await sleep(POLL_MS)
        count = await orders()
      }
      if (count <= bought) pressed.delete(offer.data)
    },
    async prove(): Promise<void> {
      expect(pressed.size).toBeGreaterThan(0)
      expect(await orders()).toBe(pressed.size)
    },
  }
}
