import { describe, expect, it } from 'vitest'
import { MOST_LOG_INS } from '../../src/core/accounts/chat-log-ins.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { actorFor, buy, startProductInTime } from '../support/notices.ts'
import { AGENT, ANN, BEN, CUSTOMER, logIn, startProduct } from '../support/product.ts'

/** A chat that is logged in to the agent and its customer; the customer acts. */
async function startTwo() {
  const product = await startProduct()
  const ann = await product.memberPhone(ANN, AGENT)
  await logIn(ann, CUSTOMER)
  const acting = async () => (await product.core.chats.session(ANN.id, 'en')).actor?.username
  return { product, ann, acting }
}

describe('several accounts in one chat', () => {
  it('are switched with one press, from the menu and from the settings', async () => {
    const { ann, acting } = await startTwo()
    expect(ann.buttons()).toContain('👤 agent')
    expect((await ann.press('👤 agent')).text).toBe('You are now agent.')
    await ann.waitFor('👤 agent')
    expect(await acting()).toBe('agent')
    await ann.press('⚙️ Settings')
    await ann.press('👤 Accounts')
    await ann.waitFor('You are logged in to 2 accounts')
    expect(ann.buttons()).toEqual([
      '✓ agent',
      'customer',
      '➕ Another account',
      'Log out',
      '‹ Back',
      '🏠 Menu',
    ])
    await ann.press('customer')
    await ann.waitFor('👤 customer')
    expect(await acting()).toBe('customer')
  })

  it('keep what was begun: a purchase goes on when its account acts again', async () => {
    const { ann, product } = await startTwo()
    await ann.press('🛒 Buy proxies')
    await ann.press('20')
    await ann.waitFor(/short/i)
    ann.send('/menu')
    await ann.waitForButton('🛒 Go on with the purchase')
    await ann.press('👤 agent')
    await ann.waitFor('👤 agent')
    expect(ann.buttons()).not.toContain('🛒 Go on with the purchase')
    expect(await product.core.chats.readDraft(ANN.id)).toEqual({})
    await ann.press('👤 customer')
    await ann.press('🛒 Go on with the purchase')
    await ann.waitFor(/short/i)
  })

  it('get their notices marked; the buttons of one that does not act ask first, and then do what they say', async () => {
    const { ann, product, acting } = await startTwo()
    await ann.press('👤 agent')
    await ann.waitFor('👤 agent')
    const orderNo = await buy(product, await actorFor(product))
    const ready = await ann.waitFor(/Your proxies are ready/)
    expect(ready.text).toMatch(/^👤 customer\n/)
    await ann.press('📦 Open the order')
    await ann.waitFor('This button belongs to your account customer.')
    expect(await acting()).toBe('agent')
    await ann.press('👤 Go on as customer')
    await ann.waitFor(orderNo)
    expect(ann.screen().text).not.toContain('This button')
    expect(await acting()).toBe('customer')
  })

  it('do not pay for one another: a confirmation of the account before buys nothing', async () => {
    const { ann, product } = await startTwo()
    await ann.press('🛒 Buy proxies')
    const { message, button } = await ann.waitForButton(/^✅ Buy for/)
    ann.send('/menu')
    await ann.press('👤 agent')
    await ann.waitFor('👤 agent')
    await product.telegram.pressStale(ANN.id, message.messageId, button.value)
    await ann.waitFor('This button belongs to your account customer.')
    for (const [account, balance] of [
      [AGENT, 1000],
      [CUSTOMER, 50],
    ] as const)
      expect((await product.core.accounts.balance(await actorFor(product, account))).balance).toBe(
        balance * 1_000_000,
      )
  })

  it('are logged out one by one or all together; the one before acts again', async () => {
    const { ann, acting } = await startTwo()
    ann.send('/logout')
    await ann.waitFor('Log customer out of this chat?')
    expect((await ann.press('Log out')).text).toBe('You are now agent.')
    await ann.waitFor('👤 agent')
    expect(ann.buttons()).not.toContain('👤 customer')
    await logIn(ann, CUSTOMER)
    ann.send('/logout')
    await ann.press('Log out of all 2 accounts')
    await ann.waitFor('Log in with the username')
    expect(ann.buttons()).not.toContain('👤 agent')
    expect(await acting()).toBeUndefined()
  })

  it('stay within reach when the log-in of the one that acts has ended', async () => {
    const { ann, product, acting } = await startTwo()
    await product.core.accounts.changePassword(await actorFor(product), undefined, {
      oldPassword: CUSTOMER.password,
      newPassword: 'another-password',
    })
    ann.send('/menu')
    await ann.waitFor('Your password was changed')
    await ann.press('👤 agent')
    await ann.waitFor('👤 agent')
    expect(await acting()).toBe('agent')
  })

  it(`are ${MOST_LOG_INS} at most: the one that acted longest ago is logged out`, async () => {
    const { product } = await startTwo()
    const agent = await actorFor(product, AGENT)
    for (let i = 0; i < MOST_LOG_INS; i += 1) {
      const account = { username: `user-${i}`, password: CUSTOMER.password }
      await product.core.accounts.createSubUser(agent, account)
      await product.core.chats.logIn(ANN.id, account)
    }
    const accounts = await product.core.chats.accounts(ANN.id)
    expect(accounts).toHaveLength(MOST_LOG_INS)
    expect(accounts.map(({ username }) => username)).not.toContain('agent')
    expect(accounts[0]).toMatchObject({ username: `user-${MOST_LOG_INS - 1}`, acts: true })
  })

  it('of which two are agents get a digest each about their own sub-users', async () => {
    const { product, pass } = await startProductInTime()
    const { core } = product
    const other = { username: 'other', password: AGENT.password }
    await core.operator.createAgent(SHELL, { ...other, balance: 100 })
    await core.accounts.createSubUser(await actorFor(product, other), {
      username: 'second',
      password: CUSTOMER.password,
      balance: 50,
    })
    const ann = await product.memberPhone(ANN, AGENT)
    await logIn(ann, other)
    await buy(product, await actorFor(product))
    await buy(product, await actorFor(product, { username: 'second', password: CUSTOMER.password }))
    await pass(61_000)
    const [ofAgent, ofOther] = await Promise.all([ann.read(/^👤 agent\n/), ann.read(/^👤 other\n/)])
    expect([ofAgent.includes('second'), ofOther.includes('customer')]).toEqual([false, false])
  })
})

describe('devices', () => {
  it('are told of a new log-in, listed, and logged out', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    const ben = await product.memberPhone({ ...BEN, languageCode: 'en' })
    expect(await ann.read('New log-in to customer')).toContain('Ben')
    await ann.press('📱 Devices')
    const list = await ann.read('Your account is logged in at')
    expect(list).toMatch(/📱 Ann \(this one\)[^]*since[^]*📱 Ben\n|📱 Ben\n[^]*📱 Ann \(this one\)/)
    await ann.press('✖️ Ben')
    await ann.waitFor((message) => !message.text.includes('Ben') && message.text.includes('Devices'))
    ben.send('/balance')
    await ben.waitFor('Please log in first.')
  })

  it('are all logged out but this one, tokens of programs with them', async () => {
    const product = await startProduct()
    const { token } = await product.core.accounts.logIn({ ...CUSTOMER, address: 'test' })
    const [ann, ben] = [await product.memberPhone(ANN), await product.memberPhone(BEN)]
    ann.send('/settings')
    await ann.press('📱 Devices')
    await ann.press('🚪 Log out all others')
    await ann.waitFor('access tokens of programs')
    await ann.press('Log out all others')
    await ann.waitFor((message) => !message.text.includes('Ben') && message.text.includes('Devices'))
    await expect(product.core.accounts.authenticate(token)).rejects.toThrow('token_invalid')
    ben.send('/menu')
    await ben.waitFor('请使用商家提供的用户名')
    expect((await product.core.chats.session(BEN.id, 'zh')).actor).toBeUndefined()
    expect((await product.core.chats.session(ANN.id, 'en')).actor).toMatchObject({ username: 'customer' })
    expect(product.log.join('')).toContain('log_out_everywhere')
  })
})
