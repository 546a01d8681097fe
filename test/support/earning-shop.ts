import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { actorFor } from './notices.ts'
import type { AppOverrides } from '../../src/app.ts'
import { AGENT, CUSTOMER, startProduct } from './product.ts'

export const OPS: EmulatedUser = { id: 700, firstName: 'Olivia', languageCode: 'en' }

/**
 * A shop whose agent has 36 of earnings available, because its sub-user has bought traffic; with the phones of the operator and of the
 * agent.
 *
 * @param user the person who is the agent
 * @param groups more chats of the operator
 * @param given what the product gets in place of the real thing, such as a clock
 */
export async function startEarningShop(
  user: EmulatedUser,
  groups: readonly number[] = [],
  given: AppOverrides = {},
) {
  const product = await startProduct(given, { operatorChats: [OPS.id, ...groups] })
  const { core } = product
  // What the customer has, it has paid: told to nobody, as no chat is logged in.
  for (const paid of [false, true])
    await core.operator.adjustBalance(SHELL, {
      username: CUSTOMER.username,
      amount: paid ? 50 : -50,
      paid,
      remark: 'cash',
    })
  const [ops, boss] = [product.phone(OPS), await product.memberPhone(user, AGENT)]
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  const [agent, customer] = [await actorFor(product, AGENT), await actorFor(product)]
  await core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Traffic', zh: '流量' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  await core.earnings.setPrice(agent, { productNo: 'FLOW', price: 15 })
  await core.orders.createDynamic(customer, { poolId: 'FLOW', userId: customer.id, trafficAmount: 3 })
  return { ...product, core, ops, boss, agent, customer }
}
