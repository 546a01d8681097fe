import { describe, expect, it } from 'vitest'
import { buyStatic } from '../support/bought.ts'
import { AGENT, ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'

const SHOP = 'https://shop.example.com'

describe('a link to proxies', () => {
  it('is made from an order, once however often the button is pressed, and works until it is revoked', async () => {
    const product = await startProduct({}, { publicUrl: SHOP })
    const open = (link: string) => fetch(link.replace(`${SHOP}/api`, product.app.addresses['api'] ?? ''))
    await buyStatic(product, CUSTOMER, [1, 2])
    const ann = await product.memberPhone(ANN)
    ann.send('/orders')
    await ann.press(/2 × /)
    await ann.press('🔗 As link')
    expect(await ann.read('What should it give?')).toContain('after renewals, replacements and releases')
    const { message: form, button } = await ann.waitForButton('📄 Text')
    const press = () => product.telegram.pressStale(ANN.id, form.messageId, button.value)
    await Promise.all([press(), press(), press()])
    await ann.waitForButton('📋 Copy the link')
    const url = (await ann.waitForButton('📋 Copy the link')).button.value
    expect(ann.screen().text).toContain(url)
    expect(await (await open(url)).text()).toMatch(/^192\.0\.2\.2:8000:\S+\n192\.0\.2\.3:8000:\S+$/)
    await product.edit(
      "UPDATE instances SET status = 'released', released_at = updated_at WHERE ip = '192.0.2.3'",
    )
    expect(await (await open(url)).text()).toMatch(/^192\.0\.2\.2:8000:\S+$/)

    await ann.press('🔗 My links')
    await ann.waitFor('Active links: 1')
    await ann.press(/^🔗 txt .* …\w{6}$/)
    await ann.waitFor('Once it is revoked')
    expect((await ann.waitForButton('📋 Copy the link')).button.value).toBe(url)
    const { message, button: revoke } = await ann.waitForButton('🗑 Revoke the link')
    const end = revoke.value
    expect(product.telegram.messages(ANN.id).filter(({ text }) => text.includes(url))).toHaveLength(2)
    expect(await ann.press('🗑 Revoke the link')).toMatchObject({ text: 'The link is revoked.' })
    await ann.waitFor('There are no active links')
    expect((await open(url)).status).toBe(404)
    const again = await product.telegram.pressStale(ANN.id, message.messageId, end)
    expect(again.text).toBe('This link is no longer active.')
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  it('is made for all proxies of a sub-user by its agent, and for nobody else', async () => {
    const product = await startProduct({}, { publicUrl: SHOP })
    const open = (link: string) => fetch(link.replace(`${SHOP}/api`, product.app.addresses['api'] ?? ''))
    const customer = await buyStatic(product, CUSTOMER, [1])
    await buyStatic(product, AGENT, [1])
    const ben = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
    await product.telegram.pressStale(BEN.id, ben.screen().message.messageId, `pl:${customer.id}`)
    expect(await ben.read('What should it give?')).toContain(CUSTOMER.username)
    await ben.press('🧩 JSON')
    const url = (await ben.waitForButton('📋 Copy the link')).button.value
    expect(await (await open(url)).json()).toMatchObject([{ user: CUSTOMER.username, ip: '192.0.2.1' }])
    const ann = await product.memberPhone(ANN)
    const { messageId } = ann.screen().message
    for (const data of [
      'pl:1',
      'pl:99:1',
      'plm:1:2:txt:aaaaaaaaaaaaaaaaaaaa',
      'plm:1::txt:aaaaaaaaaaaaaaaaaaaa',
      'pll:1',
      'plr:1:1:1',
      'plr!:9:1',
    ])
      await product.telegram.pressStale(ANN.id, messageId, data)
    expect(await product.core.orders.listLinks(customer, customer.id)).toHaveLength(1)
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})
