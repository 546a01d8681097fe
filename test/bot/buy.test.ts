import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { DIALOGUE_VERSION } from '../../src/bot/session/dialogue-version.ts'
import type { Supplier } from '../../src/core/orders/supplier.ts'
import { AGENT, ANN, BEN, stockFile, startProduct } from '../support/product.ts'

/** Number buttons and all, from the menu to the confirm screen. */
async function chooseTwo(
  phone: Awaited<ReturnType<Awaited<ReturnType<typeof startProduct>>['memberPhone']>>,
) {
  await phone.press('🛒 Buy proxies')
  await phone.waitFor('Which product?')
  await phone.press(/Residential ISP/)
  await phone.waitFor('For how long?')
  await phone.press('1 month')
  await phone.waitFor('How many?')
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

  it('asks for country and city where there is a choice', async () => {
    const product = await startProduct()
    await product.core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 3, 'US,CA,USLAX'))
    await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 4, 'JP,,JPTYO'))
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('Which product?')
    await ann.press(/Residential ISP/)
    await ann.waitFor('Which country?')
    expect(ann.buttons()).toContain('🇯🇵 Japan · 4')
    await ann.press(/United States/)
    await ann.waitFor('Which city?')
    expect(ann.buttons().slice(0, 3)).toEqual(['Los Angeles · 3', 'New York · 30', '🌍 Any city · 33'])
    await ann.press(/Los Angeles/)
    await ann.waitFor('For how long?')
    await ann.press('‹ Back')
    await ann.waitFor('Which city?')
    await ann.press(/Los Angeles/)
    await ann.waitFor('For how long?')
    await ann.press('3 months')
    await ann.waitFor('How many?')
    await ann.press('1')
    await ann.waitFor('Total: 13.50 USD')
    await ann.press(/Buy for/)
    expect(await ann.read('Your proxies are ready')).toContain('198.51.100.1:')
  })

  it('shows many places in pages', async () => {
    const product = await startProduct()
    const countries = [
      'DE',
      'FR',
      'GB',
      'IT',
      'ES',
      'PT',
      'NL',
      'BE',
      'CH',
      'AT',
      'PL',
      'CZ',
      'HU',
      'RO',
      'SE',
      'NO',
      'DK',
      'FI',
    ]
    for (const [index, country] of countries.entries()) {
      await product.core.operator.importStock(SHELL, stockFile('ISP', `10.0.${index}`, 1, `${country},,`))
    }
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.press(/Residential ISP/)
    await ann.waitFor('Which country?')
    expect(ann.buttons()).toContain('1 / 2')
    expect(ann.buttons()).toHaveLength(16 + 3 + 2)
    await ann.press('‹')
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    await ann.press(/United States/)
    await ann.waitFor('For how long?')
  })

  it('says so when there is nothing to sell', async () => {
    const product = await startProduct()
    product.edit('UPDATE stock_ips SET disabled = 1')
    const ann = await product.memberPhone(ANN)
    ann.send('/buy')
    await ann.waitFor('nothing in stock')
    await ann.press('🏠 Menu')
    await ann.waitFor('Main menu')
  })

  it('takes a typed number, and says what is wrong with another answer', async () => {
    const ann = await (await startProduct()).memberPhone(ANN)
    await chooseTwo(ann)
    await ann.press('‹ Back')
    await ann.waitFor('How many?')
    await ann.press('✏️ Other number')
    await ann.waitFor('from 1 to 30')
    for (const wrong of ['seven', '0', '31', '1.5', '-1', '1e1']) {
      ann.send(wrong)
      await ann.waitFor(`“${wrong}” is not a whole number from 1 to 30`)
    }
    // The same again must not look as if nothing had happened.
    ann.send('1e1')
    await ann.waitFor('“1e1” is not a whole number from 1 to 30. (2)')
    // As a Chinese keyboard writes it.
    ann.send('７')
    await ann.waitFor('Total: 31.50 USD')
    await ann.press(/Buy for/)
    await ann.waitFor('Your proxies are ready')
  })

  it('takes a number that is typed where buttons offer some, and nothing that is typed elsewhere', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await ann.press('‹ Back')
    await ann.waitFor('How many?')
    await product.stop()
    await product.start()
    ann.send('31')
    await ann.waitFor('“31” is not a whole number from 1 to 30.')
    ann.send('3')
    await ann.waitFor('Total: 13.50 USD')
    await ann.press('‹ Back')
    await ann.waitFor('How many?')
    ann.send('4')
    await ann.waitFor('Total: 18.00 USD')
    expect(ann.dump()).not.toMatch(/user \d+: (31|3|4)$/m)
    await ann.press('✅ Buy for 18.00 USD')
    await ann.waitFor('Order accepted')
    ann.send('5')
    await ann.waitFor('use the buttons')
  })

  it('takes no number at a screen that another version has shown', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await ann.press('‹ Back')
    await ann.waitFor('How many?')
    product.edit(`UPDATE chats SET takes = replace(takes, '${DIALOGUE_VERSION} ', '3 ')`)
    ann.send('3')
    await ann.waitFor('use the buttons')
  })

  it('says from how many on it is cheaper, if so many are there', async () => {
    const product = await startProduct()
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', minQuantity: 31, price: 4 })
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    expect(ann.screen().text).not.toContain('💡')
    await product.core.operator.setPrice(SHELL, { productNo: 'ISP', minQuantity: 30, price: 4.2 })
    await ann.press(/Turn auto-renew on/)
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
    await ann.press(/Residential ISP/)
    await ann.press('1 month')
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
    await agent.press(/住宅静态代理/)
    await agent.press('1 个月')
    await agent.press('✏️ 其他数量')
    await agent.waitFor('1 到 30')
    agent.send('29')
    await agent.press(/支付/)
    await agent.waitFor('您的代理已开通')
    expect((await ann.press(/Buy for/)).text).toBe('Somebody was faster: there are not enough left.')
    await ann.waitFor('How many? 1 in stock')
  })

  it('says why a number that stood on a button has to be chosen again', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await chooseTwo(ann)
    await ann.press('‹ Back')
    await ann.waitFor('30 in stock')
    product.edit("UPDATE stock_ips SET disabled = 1 WHERE ip LIKE '192.0.2._'")
    product.edit("UPDATE stock_ips SET disabled = 1 WHERE ip LIKE '192.0.2.2_'")
    await ann.press('20')
    expect(await ann.read('How many? 11 in stock')).toContain('no longer available. Please choose again.')
  })

  it('sends a long list as a file', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/buy')
    await agent.press(/Residential ISP/)
    await agent.press('1 month')
    await agent.press('20')
    await agent.press(/Buy for/)
    const notice = await agent.waitFor('Your proxies are ready')
    const { content, fileName } = await agent.file(notice)
    expect(fileName).toMatch(/^S\d{17}\w{8}\.txt$/)
    expect(content.toString().split('\n')).toHaveLength(21)
  })

  it('refunds what could not be delivered and says so', async () => {
    const product = await startProduct({ suppliers: { broken: failingSupplier } })
    product.edit("UPDATE products SET supplier = 'broken'")
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
    await ann.waitFor('Which product?')
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
