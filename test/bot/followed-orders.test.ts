import { describe, expect, it } from 'vitest'
import type { Delivery, SupplyOrder } from '../../src/core/supply/supplier.ts'
import { delivers, scriptedSupplier } from '../support/scripted-supplier.ts'
import { ANN, startProduct } from '../support/product.ts'

/** Ann on the screen of an order for two proxies, which the supplier delivers when the test says so. */
async function ordered() {
  let answer: ((order: SupplyOrder) => Delivery) | undefined
  const slow = scriptedSupplier((order) => answer?.(order) ?? { status: 'pending', retryAfterMs: 50 })
  const product = await startProduct({ suppliers: { slow } })
  await product.edit("UPDATE products SET supplier = 'slow'")
  const ann = await product.memberPhone(ANN)
  await ann.press('🛒 Buy proxies')
  await ann.press('2')
  await ann.press('✅ Buy for 9.00 USD')
  const { messageId } = await ann.waitFor('Order accepted and paid')
  const deliver = (delivery: (order: SupplyOrder) => Delivery) => {
    answer = delivery
  }
  return { product, ann, messageId, deliver }
}

describe('the screen of an order that is prepared (rules 18.8)', () => {
  it('becomes the order right where it is, and the proxies come once, in the message', async () => {
    const { ann, messageId, deliver } = await ordered()
    deliver(delivers(2))
    const notice = await ann.waitFor('Your proxies are ready')
    const order = await ann.waitFor(
      (message) => message.messageId === messageId && message.text.includes('✅ Active'),
    )
    expect(notice.text).toMatch(/10\.200\.\d+\.0:1080:p\d+:secret\n10\.200\.\d+\.1:1080:/)
    expect(order.text).not.toContain('1080')
    expect(notice.messageId).not.toBe(messageId)
    await ann.press('📋 Show the proxies')
    expect(await ann.read('✅ Active')).toMatch(/10\.200\.\d+\.0:1080:p\d+:secret/)
    await ann.press('🔎 Details')
    await ann.waitFor('Which one? There are 2.')
  })

  it('follows it from the order, too, where it was opened; and says when nothing came', async () => {
    const { ann, messageId, deliver } = await ordered()
    await ann.press('📦 Open the order')
    await ann.waitFor('⏳ Preparing')
    deliver(delivers(0))
    const failed = await ann.waitFor(
      (message) => message.messageId === messageId && message.text.includes('Failed'),
    )
    expect(failed.text).toContain('Refunded: 9.00 USD')
    expect(failed.keyboard.flat().map(({ text }) => text)).not.toContain('🔄 Refresh')
  })

  it('is not brought back when it was left', async () => {
    const { product, ann, messageId, deliver } = await ordered()
    await ann.press('🏠 Menu')
    await ann.waitFor('Balance: 41.00 USD')
    deliver(delivers(2))
    await ann.waitFor('Your proxies are ready')
    await product.until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'refresh_screens')")
    const left = product.telegram.messages(ANN.id).find((message) => message.messageId === messageId)
    expect(left?.text).toContain('Balance: 41.00 USD')
  })

  it('leaves the delivered proxies in the chat when their message is closed', async () => {
    const { product, ann, deliver } = await ordered()
    deliver(delivers(2))
    const notice = await ann.waitFor('Your proxies are ready')
    expect(notice.keyboard.flat().map(({ text }) => text)).not.toContain('✖️ Close')
    await ann.press('👌 Got it')
    const kept = product.telegram.messages(ANN.id).find(({ messageId }) => messageId === notice.messageId)
    expect(kept?.text).toBe(notice.text)
    expect(kept?.keyboard).toEqual([])
  })
})
