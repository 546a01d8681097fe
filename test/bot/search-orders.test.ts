import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { buyStatic } from '../support/bought.ts'
import { AGENT, ANN, CUSTOMER, startProduct, stockFile } from '../support/product.ts'

describe('searching orders', () => {
  it('finds orders by what is pasted, and keeps no password of it', async () => {
    const product = await startProduct()
    const agentActor = await buyStatic(product, AGENT, [1, 2, 3])
    await buyStatic(product, CUSTOMER, [1])
    const agent = await product.memberPhone(ANN, AGENT)
    agent.send('/orders')
    await agent.press('🔎 Search')
    await agent.waitFor('Part of one is enough')
    agent.send('10.9.9.9:1:a:b')
    await agent.waitFor('Nothing found')
    agent.send(Array.from({ length: 201 }, (_, index) => `10.0.0.${index}`).join('\n'))
    await agent.waitFor('At most 200 lines')
    const pasted = '192.0.2.1:8000:user1:pass1\n192.0.2.2\n192.0.2.7:8000:user7:pass7'
    agent.send(pasted)
    await agent.waitFor('Found orders: 3')
    const labels = () => agent.buttons().filter((label) => label.includes(' × '))
    expect(labels()[0]).toMatch(/^✅ 1 × 👤 c/)
    expect(
      labels()
        .slice(1)
        .map((label) => /\d+ ×/.exec(label)?.[0]),
    ).toEqual(['2 ×', '1 ×'])
    const draft = JSON.stringify(await product.core.chats.readDraft(ANN.id))
    expect(draft).not.toMatch(/pass|user7|192\.0/)
    expect(agent.dump()).not.toContain('pass7')
    await agent.press(/customer/)
    await agent.waitFor('👤 customer')
    await agent.press('‹ Back')
    await agent.waitFor('Found orders: 3')
    await agent.press('‹ Back')
    await agent.waitFor('My orders')

    // A single hit is opened at once.
    const [order] = (await product.core.orders.listStatic(agentActor, { userId: agentActor.id })).items
    const forms = [
      '192.0.2.5:8000:user5:pass5',
      'user5:pass5@192.0.2.5:8000',
      'socks5://user5:p%61ss5@192.0.2.5:8000',
      '192.0.2.5,8000,"user5",pass5',
    ]
    for (const text of [order?.orderNo ?? '', ...forms]) {
      agent.send('/orders')
      await agent.press('🔎 Search')
      await agent.waitFor('Part of one is enough')
      agent.send(text)
      await agent.waitFor('Proxies: 3')
    }
  })

  it('opens an order with all of its proxies, and lists it with the date on which the first of them expires', async () => {
    const product = await startProduct()
    await product.core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 60))
    await product.core.operator.adjustBalance(SHELL, {
      username: CUSTOMER.username,
      amount: 1_000,
      remark: 'test',
    })
    await buyStatic(product, CUSTOMER, [60])
    // The last one, which a list of several orders does not have.
    await product.edit(
      `UPDATE instances SET expire_time = '2031-02-03T00:00:00.000Z' WHERE id < (SELECT max(id) FROM instances)`,
    )
    await product.edit(
      `UPDATE instances SET expire_time = '2030-02-03T00:00:00.000Z' WHERE id = (SELECT max(id) FROM instances)`,
    )
    const ann = await product.memberPhone(ANN)
    ann.send('/orders')
    await ann.waitForButton(/60 ×.*2030/)
    await ann.press('🔎 Search')
    await ann.waitFor('Part of one is enough')
    ann.send('user')
    await ann.waitFor('Proxies: 60')
    await ann.press('🔎 Details')
    await ann.waitFor('There are 60')
    await ann.waitForButton('1 / 8')
  })

  it('leads back to the list that was searched', async () => {
    const product = await startProduct()
    const { id } = await buyStatic(product, CUSTOMER, [1, 1, 1, 1, 1, 1, 1])
    const agent = await product.memberPhone(ANN, AGENT)
    const isAsLeft = async () => {
      expect(await agent.read('Orders of customer')).toContain('✅ Active')
      expect(agent.buttons()).toContain('2 / 2')
    }
    await product.telegram.pressStale(ANN.id, agent.screen().message.messageId, `ou:${id}:active:2`)
    await isAsLeft()
    await agent.press('🔎 Search')
    await agent.waitFor('Part of one is enough')
    await agent.press('Cancel')
    await isAsLeft()
    await agent.press('🔎 Search')
    await agent.waitFor('Part of one is enough')
    agent.send('192.0.2.3')
    await agent.waitFor('Proxies: 1')
    await agent.press('‹ Back')
    await isAsLeft()
    await agent.press('🔎 Search')
    await agent.waitFor('Part of one is enough')
    agent.send('user')
    await agent.waitFor('Found orders: 7')
    await agent.press('🔎 Search')
    await agent.waitFor('Part of one is enough')
    agent.send('192.0.2.1\r\n192.0.2.2\r\n')
    await agent.waitFor('Found orders: 2')
    await agent.press('‹ Back')
    await isAsLeft()
  })

  it('shows a customer its own, and what was found again after a restart', async () => {
    const product = await startProduct()
    await buyStatic(product, AGENT, [1])
    await buyStatic(product, CUSTOMER, [1, 1, 1, 1, 1, 1, 1])
    const ann = await product.memberPhone(ANN)
    ann.send('/orders')
    await ann.press('🔎 Search')
    await ann.waitFor('Part of one is enough')
    ann.send('192.0.2.1')
    await ann.waitFor('Nothing found')
    ann.send('user')
    await ann.waitFor('Found orders: 7')
    await product.stop()
    await product.start()
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    await ann.press('🔎 Search')
    await ann.press('Cancel')
    await ann.waitFor('My orders')
  })
})
