import { describe, expect, it } from 'vitest'
import { ANN, BEN, CUSTOMER, logIn, type Product, startProduct } from '../support/product.ts'

/** Buys one proxy over the core, as a developer over REST would, so that only the notice touches the chat. */
async function buyOne({ core }: Product): Promise<string> {
  const { token } = await core.accounts.logIn({ ...CUSTOMER, address: 'test' })
  const actor = await core.accounts.authenticate(token)
  const { orderNo } = await core.orders.createStatic(actor, {
    poolId: 'ISP',
    userId: actor.id,
    ipCount: 1,
    duration: 1,
    unit: 3,
  })
  return orderNo
}

/** How often the chat was told about this order. */
function timesTold(product: Product, chatId: number, orderNo: string): number {
  return product.telegram
    .messages(chatId)
    .filter(({ from, text }) => from === 'bot' && text.includes('ready') && text.includes(orderNo)).length
}

describe('the outbox of notices', () => {
  it('tells every chat in which the account is logged in, once', async () => {
    const product = await startProduct()
    const [ann, ben] = [await product.memberPhone(ANN), await product.memberPhone(BEN)]
    const orderNo = await buyOne(product)
    await Promise.all([ann.waitFor(orderNo), ben.waitFor(orderNo)])
    await product.stop()
    await product.start()
    ann.send('/help')
    await ann.waitFor('takes you to')
    expect(timesTold(product, ANN.id, orderNo)).toBe(1)
  })

  it('waits as long as Telegram says when there were too many requests', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    product.telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 1, times: 4 })
    const orderNo = await buyOne(product)
    await ann.waitFor(orderNo)
    expect(timesTold(product, ANN.id, orderNo)).toBe(1)
  })

  it.each(['server-error', 'drop-before'] as const)('arrives after a fault of the kind %s', async (kind) => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    product.telegram.inject({ method: 'sendMessage', kind })
    const orderNo = await buyOne(product)
    await ann.waitFor(orderNo)
    expect(timesTold(product, ANN.id, orderNo)).toBe(1)
  })

  it('arrives when the answer to it was lost; that it then comes twice, nobody can know', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    product.telegram.inject({ method: 'sendMessage', kind: 'drop-after' })
    const orderNo = await buyOne(product)
    await ann.waitFor(orderNo)
    expect(timesTold(product, ANN.id, orderNo)).toBeGreaterThanOrEqual(1)
  })

  it('waits for people who blocked the bot until they unblock it', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    product.telegram.setBlocked(ANN.id, true)
    const orderNo = await buyOne(product)
    await product.until(`SELECT 1 FROM notices WHERE subject = '${orderNo}' AND status = 'blocked'`)
    expect(timesTold(product, ANN.id, orderNo)).toBe(0)
    product.telegram.setBlocked(ANN.id, false)
    await ann.waitFor(orderNo)
  })

  it('is kept while the process is down', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    // Telegram does not answer until the process is stopped.
    product.telegram.inject({ method: 'sendMessage', kind: 'drop-before', times: 1000 })
    const orderNo = await buyOne(product)
    await product.until(`SELECT 1 FROM jobs WHERE kind = 'deliver_notice' AND attempts > 0`)
    await product.stop()
    product.telegram.clearFaults()
    await product.start()
    await ann.waitFor(orderNo)
    expect(timesTold(product, ANN.id, orderNo)).toBe(1)
  })

  it('tells nobody who has logged out, or whose password was changed', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await product.edit(
      'UPDATE accounts SET token_version = token_version + 1 WHERE username = ?',
      CUSTOMER.username,
    )
    const orderNo = await buyOne(product)
    await product.until(`SELECT 1 FROM static_orders WHERE order_no = '${orderNo}' AND status = 'active'`)
    ann.send('/balance')
    await ann.waitFor('password was changed')
    await logIn(ann, CUSTOMER)
    expect(timesTold(product, ANN.id, orderNo)).toBe(0)
  })
})
