import { describe, expect, it, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import type { Fault } from '../src/emulators/telegram/types.ts'
import { PATIENCE } from './support/patience.ts'
import { ANN, CUSTOMER, type Product, startProduct } from './support/product.ts'
import { runningMs } from './support/times.ts'

const silenceOf = (method: string): Fault => ({ method, kind: 'silence', times: Infinity })
/** After which a process would end anyway, and say so by its status. */
const STOP_LIMIT_MS = 10_000

/** Waits until a call of Telegram has met a fault. */
const atFault = ({ telegram }: Pick<Product, 'telegram'>) =>
  vi.waitUntil(() => telegram.calls().some(({ refused }) => refused), PATIENCE)

async function expectCleanStop({ stop }: Pick<Product, 'stop'>) {
  const begun = runningMs()
  await stop()
  expect(runningMs() - begun).toBeLessThan(STOP_LIMIT_MS)
}

describe('a stop while Telegram does not answer', () => {
  it('is clean when the bot has not reached it yet', async () => {
    const product = await startProduct()
    await product.stop()
    const { telegram } = product
    telegram.inject({ method: 'getMe', kind: 'server-error' })
    telegram.inject(silenceOf('getMe'))
    const asked = () => telegram.calls().filter(({ method }) => method === 'getMe').length
    const before = asked()
    await product.start()
    await vi.waitUntil(() => asked() > before + 1, PATIENCE)
    await expectCleanStop(product)
  })

  it.each([
    ['no answer', silenceOf('sendMessage')],
    ['a pause', { ...silenceOf('sendMessage'), kind: 'too-many-requests', retryAfter: 8 }],
  ] as const)(
    'is clean when an update has got %s, which is handled after the next start',
    async (_, fault) => {
      const product = await startProduct()
      await product.untilPolling()
      const phone = product.phone(ANN)
      product.telegram.inject(fault)
      phone.send('/help')
      await atFault(product)
      await expectCleanStop(product)
      product.telegram.clearFaults()
      await product.start()
      await phone.waitFor('Help')
    },
  )

  it('is clean when a notice waits for it', async () => {
    const product = await startProduct()
    await product.memberPhone(ANN)
    product.telegram.inject(silenceOf('sendMessage'))
    const present = { username: CUSTOMER.username, amount: 5, paid: false, remark: 'a present' }
    await product.core.operator.adjustBalance(SHELL, present)
    await atFault(product)
    await expectCleanStop(product)
  })
})
