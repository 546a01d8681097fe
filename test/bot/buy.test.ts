import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { Supplier } from '../../src/core/supply/supplier.ts'
import { AGENT, ANN, BEN, stockFile, startProduct } from '../support/product.ts'

/** The one screen of a purchase, with two proxies chosen. */
async function chooseTwo(
  phone: Awaited<ReturnType<Awaited<ReturnType<typeof startProduct>>['memberPhone']>>,
) {
  await phone.press('🛒 Buy proxies')
  await phone.waitFor('Quantity: 1')
  await phone.press('2')
  await phone.waitFor('Total: 9.00 USD')
}

describe('buying static proxies', () => {
  it('leads from the menu to the proxies in the chat', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    expect(ann.screen().text).toContain('Balance after: 41.00 USD')
    await ann.press('✅ Buy for 9.00 USD')
    const notice = await ann.waitFor('Your proxies are ready')
    expect(notice.text).toContain('192.0.2.1:8000:user1:pass1\n192.0.2.2:8000:user2:pass2')
    expect(notice.keyboard.flat().find((button) => button.kind === 'copy')?.value).toBe(
      '192.0.2.1:8000:user1:pass1\n192.0.2.2:8000:user2:pass2',
    )
    await ann.press('📦 Open the order')
    const order = await ann.waitFor('✅ Active')
    expect(order.text).toContain('Proxies: 2')
    expect(await product.core.operator.audit()).toEqual([])
  })

  it('offers country, city and term as lists that lead back to the one screen', async () => {
    const product = await startProduct()
    await product.core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 3, 'US,CA,USLAX'))
    await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 4, 'JP,,JPTYO'))
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    // Where most is in stock.
    expect(await ann.read('Total: 4.50 USD')).toContain('Location: 🇺🇸 United States\n')
    await ann.press('🇺🇸 United States')
    await ann.waitFor('Which country?')
    expect(ann.buttons().slice(0, 2)).toEqual(['✓ 🇺🇸 United States · 33', '🇯🇵 Japan · 4'])
    await ann.press('‹ Back')
    await ann.press('🌍 Any city')
    await ann.waitFor('Which city?')
    expect(ann.buttons().slice(0, 3)).toEqual(['✓ 🌍 Any city · 33', 'New York · 30', 'Los Angeles · 3'])
    await ann.press(/Los Angeles/)
    await ann.waitFor('Location: 🇺🇸 United States, Los Angeles')
    await ann.press('🗓 1 month')
    await ann.waitFor('For how long?')
    await ann.press('3 months')
    await ann.waitFor('Total: 13.50 USD')
    await ann.press(/Buy for/)
    expect(await ann.read('Your proxies are ready')).toContain('198.51.100.1:')
  })

  it('shows many places in pages, the most stocked first and the others by their names', async () => {
    const product = await startProduct()
    const countries = 'DE FR GB IT ES PT NL BE CH AT PL CZ HU RO SE NO DK FI'.split(' ')
    for (const [index, country] of countries.entries()) {
      const count = country === 'SE' ? 9 : 1
      await product.core.operator.importStock(SHELL, stockFile('ISP', `10.0.${index}`, count, `${country},,`))
    }
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.press('🇺🇸 United States')
    await ann.waitFor('Which country?')
    expect(ann.buttons().slice(0, 2)).toEqual(['✓ 🇺🇸 United States · 30', '🇸🇪 Sweden · 9'])
    expect(ann.buttons()).toContain('1 / 3')
    await ann.press('‹')
    await ann.press('›')
    await ann.waitForButton('2 / 3')
    await ann.press(/Netherlands/)
    await ann.waitFor('Location: 🇳🇱 Netherlands')
  })

  it('says so when there is nothing to sell', async () => {
    const product = await startProduct()
    await product.edit('UPDATE stock_ips SET disabled = true')
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('nothing in stock')
    await ann.press('🏠 Menu')
    await ann.waitFor('Main menu')
  })

  it('understands what is typed at its screen, and keeps the screen when it does not', async () => {
    const product = await startProduct()
    await product.core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 3, 'US,CA,USLAX'))
    await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 4, 'JP,,JPTYO'))
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    const screen = await ann.waitFor('Quantity: 1')
    const typed = async (text: string, expected: string) => {
      ann.send(text)
      expect((await ann.waitFor(expected)).messageId).toBe(screen.messageId)
    }
    await typed('5个', 'Quantity: 5\n')
    await typed('１０', 'Quantity: 10\n')
    await typed('7 шт', 'Quantity: 7\n')
    await typed('日本', 'Location: 🇯🇵 Japan, Tokyo')
    await typed('4', 'Quantity: 4\n')
    await typed('united states', 'Location: 🇺🇸 United States\n')
    await typed('япония', 'Location: 🇯🇵 Japan')
    await typed('Лос-Анджелес', 'Location: 🇺🇸 United States, Los Angeles')
    await typed('3个月', 'Term: 3 months')
    await typed('半年', 'Term: 6 months')
    await typed('3 месяца', 'Term: 3 months')
    await typed('полгода', 'Term: 6 months')
    await typed('30 days', 'Term: 1 month\n')
    await typed('US', 'Location: 🇺🇸 United States\n')
    for (const impossible of ['0', '34', '1,000'])
      await typed(impossible, 'Only 33 are left here. Send a number from 1 to 33.')
    await typed('hello', 'I do not understand “hello” here.')
    // The same again must not look as if nothing had happened.
    await typed('hello', 'That does not work either. I do not understand “hello” here.')
    ann.sendFile({ fileName: 'voice.ogg', mimeType: 'audio/ogg', content: Buffer.from('x') })
    expect((await ann.waitFor('Please send it as a text message.')).messageId).toBe(screen.messageId)
    expect(ann.screen().text).toContain('Quantity: 4')
    await typed('2', 'Total: 9.00 USD')
    expect(ann.dump()).not.toMatch(/user \d+: (5个|hello|2)$/m)
    await ann.press('✅ Buy for 9.00 USD')
    await ann.waitFor('Order accepted')
    ann.send('5')
    await ann.waitFor('use the buttons')
  })

  it('finds a place that another product has, and keeps number and term with another product', async () => {
    const product = await startProduct()
    const { operator } = product.core
    const other = { productNo: 'DC', names: { en: 'Datacenter', zh: '数据中心' }, price: 1.2 }
    await operator.addProduct(SHELL, other)
    await operator.importStock(SHELL, stockFile('DC', '198.51.100', 5, 'DE,,DEFRA'))
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('Quantity: 1')
    ann.send('3')
    await ann.waitFor('Quantity: 3')
    ann.send('3 months')
    await ann.waitFor('Term: 3 months')
    ann.send('Germany')
    await ann.waitFor('🇩🇪 Germany is not sold in this product')
    await ann.press('Datacenter · from 1.20 USD')
    expect(await ann.read('Product: Datacenter')).toMatch(/Germany[^]*Term: 3 months[^]*Quantity: 3/)
    ann.send('Residential ISP')
    expect(await ann.read('Product: Residential ISP')).toMatch(/Term: 3 months[^]*Quantity: 3/)
  })

  it('goes on with what is typed after a restart, and drops what another version has stored', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await product.stop()
    await product.start()
    ann.send('3')
    await ann.waitFor('Total: 13.50 USD')
    await product.stop()
    await product.edit('DELETE FROM dialogues')
    await product.start()
    // A press begins the conversation again.
    await ann.press('5')
    await ann.waitFor('Total: 22.50 USD')
    ann.send('4')
    await ann.waitFor('Total: 18.00 USD')
  })

  it('begins with what was bought last, and buys an order again', async () => {
    const product = await startProduct()
    await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 9, 'JP,,JPTYO'))
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('Quantity: 1')
    ann.send('tokyo')
    await ann.waitFor('Japan')
    await ann.press('2')
    await ann.press('🔁 Auto-renew')
    await ann.waitFor('Auto-renew: on')
    await ann.press('✅ Buy for 9.00 USD')
    await ann.waitFor('Your proxies are ready')
    ann.send('/buy')
    expect(await ann.read('Balance after')).toMatch(/Japan[^]*Quantity: 2[^]*Auto-renew: on/)
    await ann.press('🇯🇵 Japan')
    await ann.press(/United States/)
    await ann.waitFor('United States')
    await product.telegram.pressStale(ANN.id, ann.screen().message.messageId, 'ba:1')
    expect(await ann.read('Total: 9.00 USD')).toMatch(/Japan[^]*Quantity: 2[^]*Auto-renew: on/)
    await ann.press('✅ Buy for 9.00 USD')
    await ann.waitFor('Order accepted')
  })

  it('says from how many on it is cheaper, if so many are there', async () => {
    const product = await startProduct()
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', minQuantity: 31, price: 4 })
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    expect(ann.screen().text).not.toContain('💡')
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', minQuantity: 30, price: 4.2 })
    await ann.press('🔁 Auto-renew')
    expect(await ann.read('Renewed for 1 month')).toContain('💡 30 or more: 4.20 USD / month each.')
  })

  it('buys once however often Confirm is pressed', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    const { message } = ann.screen()
    const confirm = message.keyboard.flat()[0]?.value ?? ''
    await Promise.all([1, 2, 3].map(() => product.telegram.pressStale(ANN.id, message.messageId, confirm)))
    await ann.waitFor('Your proxies are ready')
    await product.telegram.pressStale(ANN.id, message.messageId, confirm)
    ann.send('/balance')
    await ann.waitFor('41.00 USD')
  })

  it('shows what is missing when the balance is short, and no pay button', async () => {
    const ann = await (await startProduct()).memberPhone(ANN)
    ann.send('/buy')
    await ann.press('20')
    await ann.waitFor('short by 40.00 USD')
    expect(ann.buttons().join()).not.toContain('Buy for')
    // Where nobody can top up, the way back to the purchase stays.
    await ann.press('🙋 Ask my agent')
    await ann.waitFor('You need 40.00 USD')
    await ann.press('‹ Back')
    await ann.waitFor('short by 40.00 USD')
  })

  it('never charges more than the screen showed', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', price: 5 })
    const answer = await ann.press(/Buy for 9.00/)
    expect(answer).toEqual({ text: 'The price has changed. Please check again.', showAlert: true })
    await ann.waitFor('Total: 10.00 USD')
    await ann.press(/Buy for 10.00/)
    await ann.waitFor('Your proxies are ready')
  })

  it('leads back to the choice when the stock is gone', async () => {
    const product = await startProduct()
    const [ann, agent] = [await product.memberPhone(ANN), await product.memberPhone(BEN, AGENT)]
    await chooseTwo(ann)
    agent.send('/buy')
    await agent.waitFor('数量：1')
    agent.send('29')
    await agent.waitFor('数量：29')
    await agent.press(/支付/)
    await agent.waitFor('您的代理 IP 已开通')
    expect((await ann.press(/Buy for/)).text).toBe('Someone was faster: not enough are left.')
    expect(await ann.read('1 in stock')).toContain('no longer available. Please choose again.')
    expect(ann.buttons()[0]).toBe('1')
  })

  it('says why a number that stood on a button has to be chosen again', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await product.edit("UPDATE stock_ips SET disabled = true WHERE ip LIKE '192.0.2._'")
    await product.edit("UPDATE stock_ips SET disabled = true WHERE ip LIKE '192.0.2.2_'")
    await ann.press('20')
    expect(await ann.read('11 in stock')).toContain('no longer available. Please choose again.')
  })

  it('sends a long list as a file', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/buy')
    await agent.press('20')
    await agent.press(/Buy for/)
    const notice = await agent.waitFor('Your proxies are ready')
    const { content, fileName } = await agent.file(notice)
    expect(fileName).toMatch(/^S\d{17}\w{8}\.txt$/)
    expect(content.toString().split('\n')).toHaveLength(21)
  })

  it('refunds what could not be delivered and says so', async () => {
    const product = await startProduct({ suppliers: { broken: failingSupplier } })
    await product.edit("UPDATE products SET supplier = 'broken'")
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await ann.press(/Buy for/)
    expect(await ann.read('could not be delivered')).toContain('9.00 USD was returned')
    ann.send('/balance')
    await ann.waitFor('50.00 USD')
    expect(await product.core.operator.audit()).toEqual([])
  })

  it('goes on after a restart on any step', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await product.stop()
    await product.start()
    await ann.press(/Buy for/)
    await ann.waitFor('Your proxies are ready')
  })

  it('answers forged and foreign buttons with a fresh screen', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    const { messageId } = ann.screen().message
    // Of a purchase that is not there, then of the one that is, with values that make no sense.
    const forge = async (...buttons: string[]) => {
      for (const data of buttons) await product.telegram.pressStale(ANN.id, messageId, data)
    }
    await forge('b', 'b:ABC123:pay:X:1', 'bf:1', 'bf:99', 'bf:x', 'order:99', 'orders:-1:0', 'nonsense')
    expect(ann.screen().text).not.toContain('Total')
    ann.send('/buy')
    await ann.waitFor('Quantity: 1')
    const id = ann.screen().message.keyboard.flat()[0]?.value.split(':')[1] ?? ''
    const verbs = [
      'product:',
      'product:NONE',
      'country:US',
      'city:XX',
      'term:m7',
      'term:d0',
      'term:x',
      'back:x',
      'page:99',
      'count:0',
      'count:99999',
      'count:-1',
      'ranges:1',
      'range:10.0.0.0/8',
      'range:::',
      'take:5:10.0.0.0/8',
      'pick:product:99',
      'pick:x',
      'ips:99',
      'ip:1:10.0.0.1',
      'ip:1:x',
      'type-promo',
      'type-project',
      'type-ips',
      'type-range:10.0.0.0/8',
      'pay',
      'pay:X:zz',
      'pay:X:-1',
      'auto',
      'confirm',
      'constructor',
      'toString:1',
    ]
    await forge(...verbs.map((verb) => `b:${id}:${verb}`))
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
    ann.send('/balance')
    await ann.waitFor('50.00 USD')
  })
})

const failingSupplier: Supplier = {
  check: () => Promise.resolve(),
  reserve: () => Promise.resolve(),
  deliver: () => Promise.resolve({ status: 'delivered', proxies: [], reason: 'no capacity' }),
  freeUndelivered: () => Promise.resolve(),
  takeBack: () => Promise.resolve(),
}
