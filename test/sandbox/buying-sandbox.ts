import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../../src/sandbox/sandbox.ts'
import type { UpstreamFault, UpstreamState } from '../../src/sandbox/upstream.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from '../support/patience.ts'
import { startProcess } from '../support/process.ts'
import { postTo, sandboxPhone } from '../support/sandbox-phone.ts'

/**
 * A sandbox of its own; its customer can log in and buy from the supplier.
 *
 * @param directory of a sandbox that has run before, or an empty one
 */
export async function sandbox(directory: string, settings: Readonly<Record<string, string>> = {}) {
  const database = join(directory, 'reseller.db')
  const environment = { PORT: '0', DATABASE_URL: `file:${database}`, RATE_LIMIT_CHAT: '0', ...settings }
  return {
    database,
    start: async () => {
      const product = await startProcess(environment, directory)
      const customer = sandboxPhone(product.address, PEOPLE.customer.id)
      const supplier = async () =>
        (await (await fetch(`${product.address}/sandbox/api/supplier`)).json()) as UpstreamState
      /** Asks for a new menu, and returns what it says. */
      const menu = async () => {
        const newest = (await customer.messages()).at(-1)?.messageId ?? 0
        await customer.send('/menu')
        const isNew = ({ messageId, text }: EmulatedMessage) => messageId > newest && /Main menu/.test(text)
        return (await customer.waitFor(isNew)).text
      }
      return {
        ...product,
        customer,
        menu,
        manager: sandboxPhone(product.address, PEOPLE.operator.id),
        supplier,
        switchFault: async (fault: UpstreamFault, isOn: boolean) => {
          const { status } = await postTo(product.address, 'supplier/faults', { fault, isOn })
          expect(status).toBe(200)
        },
        logIn: async () => {
          await customer.send('/login')
          await customer.see(/username/)
          await customer.send(DEMO_ACCOUNTS.customer.username)
          await customer.see(/password/)
          await customer.send(DEMO_ACCOUNTS.customer.password)
          await customer.see(/Main menu/)
        },
        /** Buys proxies in London at 4.16 each: 30 % more than the 3.20 that they cost. */
        buy: async (count: number) => {
          await menu()
          for (const label of [/Buy proxies/, /^🏷/, /^(✓ )?Suppl/]) await customer.choose(label)
          await customer.send('London')
          const number = new RegExp(`^(✓ )?${count}$`)
          // What was bought there before names the city, too.
          await customer.waitFor(
            ({ text, keyboard }) =>
              /London/.test(text) && keyboard.flat().some(({ text: label }) => number.test(label)),
          )
          await customer.choose(number)
          await customer.choose(/Buy for/)
        },
        /** Waits until the supplier shows so many orders, all of which have ended. */
        ended: (orders: number) =>
          vi.waitUntil(async () => {
            const state = await supplier()
            const open = state.orders.filter(({ state: one }) => one === 'open')
            return state.orders.length === orders && open.length === 0 && state
          }, PATIENCE),
      }
    },
  }
}
