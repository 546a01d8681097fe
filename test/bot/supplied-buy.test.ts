import { onTestFinished, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/core/database/database.ts'
import { systemClock } from '../../src/core/clock.ts'
import { ANN, BEN, startProduct } from '../support/product.ts'
import { changeOffer, LOS_ANGELES, NEW_YORK, suppliedProduct } from '../support/supplied-product.ts'

const TOKYO = { offerNo: 'TYO', countryCode: 'JP', cityCode: 'JPTYO', cost: 1, stock: 3 }

/** The shop with a supplied product beside its own one. */
async function start() {
  const product = await startProduct()
  const db = await openDatabase(product.config.databaseUrl)
  onTestFinished(() => db.close())
  await suppliedProduct(
    { db, clock: systemClock, core: product.core },
    { offers: [LOS_ANGELES, { ...NEW_YORK, stock: 40 }, TOKYO] },
  )
  return { ...product, db }
}

describe('buying what a supplier delivers', () => {
  it('shows the price of each place, and orders at most what one place has', async () => {
    const product = await start()
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.press('🏷 Residential ISP')
    await ann.waitFor('Which product?')
    expect(ann.buttons()).toContain('Supplied · from 1.50')
    await ann.press(/^Supplied/)
    await ann.press('🇺🇸 United States')
    expect(await ann.read('Which country?')).toContain(
      'Next to each place: how many there are, and the price of one in USD / month.',
    )
    expect(ann.buttons().slice(0, 2)).toEqual(['✓ 🇺🇸 United S… · 140 · 3.00+', '🇯🇵 Japan · 3 · 1.50'])
    await ann.press(/United S/)
    await ann.press('🌍 Any city')
    await ann.waitFor('Which city?')
    expect(ann.buttons().slice(0, 3)).toEqual([
      '✓ 🌍 Any city · 140 · 3.00+',
      'Los Angeles · 100 · 3.00',
      'New York · 40 · 4.50',
    ])
    await ann.press(/Any city/)
    expect(await ann.read('Quantity: 1')).toContain(
      'All proxies of an order come from the same place: at most 100.',
    )
    await ann.press('5')
    const confirm = await ann.read('Total: 15.00 USD')
    expect(confirm).toContain('Unit price: 3.00 USD / month')
  })

  it('names a place that has sold out while it was chosen', async () => {
    const product = await start()
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.press('🏷 Residential ISP')
    await ann.press(/^Supplied/)
    await ann.press('🌍 Any city')
    await ann.waitFor('Which city?')
    await changeOffer(product, 'LA', { stock: 0 })
    await ann.press(/Los Angeles/)
    expect(await ann.read('Los Angeles has sold out meanwhile')).toContain('Which city?')
    expect(ann.buttons()).not.toContain('Los Angeles · 100 · 3.00')
    await ann.press(/New York/)
    await ann.waitFor('Location: 🇺🇸 United States, New York')
    // Between the choice of the place and that of the number.
    await changeOffer(product, 'NY', { stock: 4 })
    await ann.press('5')
    expect(await ann.read('no longer available')).toContain('4 in stock, 4.50 USD / month each.')
  })

  it('says the same in Chinese', async () => {
    const product = await start()
    const ben = await product.memberPhone(BEN)
    ben.send('/buy')
    await ben.press('🏷 住宅静态代理')
    await ben.press('供应 · 1.50 起')
    await ben.press('🇺🇸 美国')
    expect(await ben.read('请选择国家或地区')).toContain('每个地区后依次为库存数量和单价（USD / 月）。')
    expect(ben.buttons()[0]).toBe('✓ 🇺🇸 美国 · 140 · 3.00 起')
  })
})
