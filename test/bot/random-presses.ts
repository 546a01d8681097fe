import fc from 'fast-check'
import { expect } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'
import { SEED } from '../support/seed.ts'
import { startUsdtProduct } from '../support/usdt-product.ts'

/** What ends the walk of a person. */
const AWAY = /^(?:logout|lang)/

/**
 * Two people press at random: twice, late or on an old screen. Telegram is asked for nothing that it refuses.
 *
 * @returns kinds of buttons under pictures that were pressed
 */
export async function pressAtRandom(steps: number): Promise<ReadonlySet<string>> {
  const shop = await startUsdtProduct()
  await shop.core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Traffic', zh: '流量' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  const { telegram } = shop
  const [numbers = []] = fc.sample(fc.array(fc.nat(9999), { minLength: 5 * steps, maxLength: 5 * steps }), {
    seed: SEED,
    numRuns: 1,
  })
  let drawn = 0
  const next = () => (numbers[drawn++ % numbers.length] ?? 0) / 10_000
  const one = <T>(all: readonly T[]): T | undefined => all[Math.floor(next() * all.length)]
  const people = [await shop.memberPhone(ANN, AGENT), await shop.memberPhone(BEN)]
  const pictures = new Set<string>()

  for (let step = 0; step < steps; step += 1) {
    const chatId = one(people)?.chatId ?? 0
    const { screenMessage } = await shop.core.chats.session(chatId, 'en')
    const mine = telegram
      .messages(chatId)
      .filter(({ from, keyboard }) => from === 'bot' && keyboard.length > 0)
    const live = mine.filter(({ messageId }) => messageId === screenMessage)
    const message = one(next() < 0.85 && live.length > 0 ? live : mine)
    const button = one(
      (message?.keyboard.flat() ?? []).filter(({ kind, value }) => kind === 'callback' && !AWAY.test(value)),
    )
    if (!message || !button || next() < 0.05) {
      telegram.send(chatId, one(['5', '/menu', 'abc', '/topup']) ?? '')
      continue
    }
    if (message.file) pictures.add(button.value.split(':')[0] ?? '')
    const presses = next() < 0.3 ? 2 : 1
    const press = () => telegram.pressStale(chatId, message.messageId, button.value)
    await Promise.all(Array.from({ length: presses }, press))
  }

  expect(
    telegram.calls().flatMap(({ method, refused }) => (refused ? [`${method}: ${refused}`] : [])),
  ).toEqual([])
  expect(shop.log.filter((line) => /an update (?:failed|was lost)/.test(line))).toEqual([])
  return pictures
}
