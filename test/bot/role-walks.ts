import { expect } from 'vitest'
import { AGENTS } from '../../src/bot/actions/agents.ts'
import { CATALOG } from '../../src/bot/actions/catalog.ts'
import { OPERATOR } from '../../src/bot/actions/operator.ts'
import { STOCK } from '../../src/bot/actions/stock.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { OLIVIA, startBusyOperator } from '../support/busy-operator.ts'
import { pressEverything } from '../support/press-everything.ts'

const REFUSAL = /Your role in this shop/

/** What each role finds in the screens, and what it does not. */
const FINDS = {
  manager: {
    does: [CATALOG.edit, OPERATOR.pauseSupplier, OPERATOR.allow],
    not: [OPERATOR.assign, OPERATOR.profit, AGENTS.adjust],
  },
  support: {
    does: [OPERATOR.allow],
    not: [CATALOG.create, OPERATOR.assign, OPERATOR.broadcast, OPERATOR.backUp, OPERATOR.addExit],
  },
  finance: {
    does: [OPERATOR.assign, OPERATOR.profit],
    not: [OPERATOR.allow, CATALOG.edit, STOCK.use, OPERATOR.callFound],
  },
} as const

/** Presses every button that somebody of a role sees: none leads to a refusal. */
export async function walkOfRole(role: keyof typeof FINDS): Promise<void> {
  const shop = await startBusyOperator()
  await shop.core.operator.people.edit(SHELL, 'Olivia', { role })
  shop.phone.send('/operator')
  await shop.phone.waitFor('Operator')
  const { kinds, answers } = await pressEverything(shop, OLIVIA.id, OPERATOR.home.data())
  expect([...answers].filter(([, text]) => REFUSAL.test(text))).toEqual([])
  const pressed = [...kinds].map((kind) => kind.split(':')[0])
  expect(pressed).toEqual(expect.arrayContaining(FINDS[role].does.map(({ name }) => name)))
  for (const { name } of FINDS[role].not) expect(pressed).not.toContain(name)
  // A button that somebody else was shown is refused before it asks anything.
  const forged = FINDS[role].not[0]
  const { text } = await shop.telegram.pressStale(
    OLIVIA.id,
    shop.phone.screen().message.messageId,
    `${forged.name}:1`,
  )
  expect(text).toMatch(REFUSAL)
  expect(shop.bugs()).toEqual([])
}
