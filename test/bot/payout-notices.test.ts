import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, startProduct } from '../support/product.ts'

const OPS: EmulatedUser = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TXID = 'ab'.repeat(32)

test('the operator hears of a payout that is wanted, and the agent what became of it', async () => {
  const product = await startProduct({}, { operatorChats: [OPS.id] })
  const { core } = product
  const [ops, ann] = [product.phone(OPS), await product.memberPhone(ANN, AGENT)]
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  const [agent, user] = [await actorFor(product, AGENT), await actorFor(product)]
  await core.operator.addProduct(SHELL, {
    productNo: 'payout-traffic',
    nameEn: 'Traffic',
    nameZh: '流量',
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  await core.earnings.setPrice(agent, { productNo: 'payout-traffic', price: 15 })
  await core.orders.createDynamic(user, { poolId: 'payout-traffic', userId: user.id, trafficAmount: 2 })

  const ask = async () => (await core.earnings.requestPayout(agent, { amount: 12, address: ADDRESS })).payout
  const first = await ask()
  const wanted = (await ops.waitFor('agent wants a payout of 12.00 USD')).text
  expect(wanted).toContain(`Payout ${first.payoutNo}: 6.00 USDT (TRC20) to\n${ADDRESS}`)
  expect(wanted).toContain(`payout paid ${first.payoutNo} TXID`)
  await core.operator.payouts.paid(SHELL, { payoutNo: first.payoutNo, txid: TXID })
  const paid = (await ann.waitFor('Your payout of 12.00 USD was sent')).text
  expect(paid).toContain(`6.00 USDT to ${ADDRESS}\nTransaction: ${TXID}`)
  const { payoutNo } = await ask()
  await core.operator.payouts.refuse(SHELL, { payoutNo, reason: 'Wait for Monday' })
  const refused = (await ann.waitFor('Your payout of 12.00 USD was refused')).text
  expect(refused).toContain(`Payout ${payoutNo}\nReason: Wait for Monday`)
})
