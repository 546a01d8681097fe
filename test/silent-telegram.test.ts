import { describe, expect, it, vi } from 'vitest'
import type { Fault } from '../src/emulators/telegram/types.ts'
import { PATIENCE } from './support/patience.ts'
import { createPhone } from './support/phone.ts'
import { operator } from './support/processes.ts'
import { AGENT, ANN, logIn } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const silenceOf = (method: string): Fault => ({ method, kind: 'silence', times: Infinity })

/** A shop with an agent; the bot polls. */
async function openShop() {
  const shop = await openShopToKill([{ ...AGENT, balance: 100 }], {})
  return {
    ...shop,
    /** Waits until a call of Telegram has met a fault. */
    atFault: () => vi.waitUntil(() => shop.telegram.calls().some(({ refused }) => refused), PATIENCE),
  }
}

describe('a stop while Telegram does not answer', () => {
  it('is clean when the bot has not reached it yet', async () => {
    const { telegram, start } = await openShop()
    telegram.inject({ method: 'getMe', kind: 'server-error' })
    telegram.inject(silenceOf('getMe'))
    const shop = await start()
    await vi.waitUntil(() => telegram.calls().length > 1, PATIENCE)
    expect(await shop.terminate()).toBe(0)
  })

  it.each([
    ['no answer', silenceOf('sendMessage')],
    ['a pause', { ...silenceOf('sendMessage'), kind: 'too-many-requests', retryAfter: 8 }],
  ] as const)(
    'is clean when an update has got %s, which is handled after the next start',
    async (_, fault) => {
      const { telegram, start, atFault } = await openShop()
      const first = await start()
      const phone = createPhone(telegram, ANN)
      telegram.inject(fault)
      phone.send('/help')
      await atFault()
      expect(await first.terminate()).toBe(0)
      telegram.clearFaults()
      const second = await start()
      await phone.waitFor('Help')
      expect(await second.terminate()).toBe(0)
    },
  )

  it('is clean when a notice waits for it', async () => {
    const { database, telegram, start, atFault } = await openShop()
    const shop = await start()
    await logIn(createPhone(telegram, ANN), AGENT)
    telegram.inject(silenceOf('sendMessage'))
    const args = ['balance', AGENT.username, '5', '--remark', 'a present']
    expect(await operator(args, { database })).toMatchObject({ status: 0 })
    await atFault()
    expect(await shop.terminate()).toBe(0)
  })
})
