import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { ANN, BEN, CUSTOMER, logIn, startProduct } from '../support/product.ts'

describe('the log-in dialogue', () => {
  it('leads from /start to the main menu with the balance, in one message', async () => {
    const { phone, telegram } = await startProduct()
    const ann = phone(ANN)
    ann.send('/buy')
    await ann.waitFor('Please log in first.')
    ann.send('/start')
    expect(await ann.read('Proxies for your business')).not.toContain('first')
    await ann.press('🔑 Log in')
    await ann.waitFor('username')
    ann.send(CUSTOMER.username)
    expect(await ann.read('password')).toContain('customer')
    ann.send(CUSTOMER.password)
    const home = await ann.waitFor('Main menu')
    expect(home.text).toContain('50.00 USD')
    expect(ann.screen().keyboard).toEqual([
      ['🛒 Buy proxies', '📶 Traffic'],
      ['📦 My proxies', '💳 Top up'],
      ['📒 Records', '⚙️ Settings'],
      ['❓ Help'],
    ])
    expect(telegram.messages(ANN.id).filter(({ from }) => from === 'bot')).toHaveLength(1)
  })

  it('deletes the password from the chat at once and keeps it out of database and log', async () => {
    const product = await startProduct()
    const ann = product.phone(ANN)
    await logIn(ann, CUSTOMER)
    expect(ann.dump()).not.toContain(CUSTOMER.password)
    expect(product.log.join('')).not.toContain(CUSTOMER.password)
  })

  it('takes what begins with a slash and is no command for a password', async () => {
    const product = await startProduct()
    const password = '/menu-1234'
    await product.core.operator.editAgent(SHELL, 'agent', { password })
    const ann = product.phone(ANN)
    await logIn(ann, { username: 'agent', password })
    expect(ann.dump()).not.toContain(password)
  })

  it('stores what was typed so far encrypted, and goes on after a restart', async () => {
    const product = await startProduct()
    const ann = product.phone(ANN)
    ann.send('/login')
    await ann.waitFor('username')
    ann.send(CUSTOMER.username)
    await ann.waitFor('password')
    const { dialogue: stored } = await product.core.chats.session(ANN.id, 'en')
    expect(stored).not.toBeNull()
    expect(Buffer.from(stored ?? '', 'base64').toString('latin1')).not.toContain(CUSTOMER.username)

    await product.stop()
    await product.start()
    ann.send(CUSTOMER.password)
    await ann.waitFor('Main menu')
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    expect(await product.core.chats.session(ANN.id, 'en')).toMatchObject({ dialogue: null })
  })

  it('does not take a message that Telegram delivers again for the next answer', async () => {
    const product = await startProduct()
    const ann = product.phone(ANN)
    ann.send('/login')
    await ann.waitFor('username')
    ann.send(CUSTOMER.username)
    await ann.waitFor('password')
    // The stop cannot confirm what was handled, as after a kill: it comes back after the start.
    product.telegram.inject({ method: 'getUpdates', kind: 'drop-before', times: 3 })
    await product.stop()
    product.telegram.clearFaults()
    await product.start()
    ann.send(CUSTOMER.password)
    await ann.waitFor('Main menu')
  })

  it('says why a log-in failed and asks again', async () => {
    const ann = (await startProduct()).phone(ANN)
    ann.send('/login')
    await ann.waitFor('username')
    ann.send('nobody')
    await ann.waitFor('password')
    ann.send('wrong-password')
    expect(await ann.read('Wrong username or password')).toContain('Username: nobody')
    await ann.press('👤 Another username')
    await ann.waitFor('Send me your username')
    ann.send(CUSTOMER.username)
    await ann.waitFor('Username: customer')
    ann.send('mistyped')
    expect(await ann.read('Wrong username or password')).toContain('Username: customer')
    ann.send(CUSTOMER.password)
    await ann.waitFor('Main menu')
  })

  it('asks for text when a file comes instead', async () => {
    const ann = (await startProduct()).phone(ANN)
    ann.send('/login')
    await ann.waitFor('username')
    ann.sendFile({ fileName: 'me.txt', mimeType: 'text/plain', content: Buffer.from('x') })
    await ann.waitFor('as a text message')
    ann.send(CUSTOMER.username)
    await ann.waitFor('password')
  })

  it('is left by Cancel, by a command and by a button of another screen', async () => {
    const ann = (await startProduct()).phone(ANN)
    for (const leave of [
      () => ann.press('Cancel'),
      () => Promise.resolve(ann.send('/help')),
      () => Promise.resolve(ann.send('/cancel')),
    ]) {
      ann.send('/login')
      await ann.waitFor('username')
      await leave()
      await ann.waitFor((message) => !message.text.includes('username.'))
      ann.send('customer')
      await ann.waitFor('use the buttons')
    }
  })

  it('shuts out guessing from a chat after too many attempts', async () => {
    const ann = (await startProduct()).phone(ANN)
    for (let round = 1; round <= 2; round += 1) {
      ann.send('/login')
      await ann.waitFor('username')
      ann.send(CUSTOMER.username)
      await ann.waitFor('Username: customer')
      for (const again of ['', 'That does not work either. ', '', 'That does not work either. ']) {
        ann.send(`guess-${round}`)
        await ann.waitFor(`⚠️ ${again}Wrong username or password.\n\nUsername: customer`)
      }
      ann.send(`guess-${round}`)
      await ann.waitFor(({ text }) => text.includes('Wrong username') && !text.includes('Username: customer'))
    }
    ann.send('/login')
    await ann.waitFor('username')
    ann.send(CUSTOMER.username)
    await ann.waitFor('Username: customer')
    ann.send(CUSTOMER.password)
    await ann.waitFor('Too many attempts')
  })

  it('escapes what people type', async () => {
    const ann = (await startProduct()).phone(ANN)
    ann.send('/login')
    await ann.waitFor('username')
    ann.send('<b>&"</a>')
    expect(await ann.read('password')).toContain('<b>&"</a>')
  })

  it('ends when the account gets disabled, as a token does', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    await product.edit("UPDATE accounts SET status = 'disabled' WHERE username = ?", CUSTOMER.username)
    await ann.press('📒 Records')
    await ann.waitFor('Your account was disabled')
  })

  it('speaks Chinese to people whose Telegram does, and switches by button', async () => {
    const ben = (await startProduct()).phone(BEN)
    ben.send('/start')
    await ben.waitFor('代理 IP 业务助手')
    await ben.press('🌐 语言')
    await ben.waitFor('语言')
    await ben.press('English')
    await ben.waitFor('Proxies for your business')
  })

  it('logs out after asking, and every button then leads to the log-in', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    ann.send('/logout')
    await ann.waitFor('stay as they are')
    const answer = await ann.press('Log out')
    expect(answer.text).toBe('You are logged out.')
    await ann.waitFor('Proxies for your business')
    ann.send('/balance')
    await ann.waitFor('Log in with the username')
  })
})
