import { describe, expect, it, vi } from 'vitest'
import { actorFor, startProductInTime } from '../support/notices.ts'
import { PATIENCE } from '../support/patience.ts'
import { AGENT, ANN, BEN, logIn, startProduct } from '../support/product.ts'

const OFFICE = { id: -1002, title: 'Office' }

describe('the command menu', () => {
  it("is in the language of the person's Telegram, or in that of the chat when another one was chosen", async () => {
    const product = await startProduct()
    const { phone, telegram } = product
    const help = (chatId: number) =>
      telegram.commands(chatId).find(({ command }) => command === 'help')?.description
    const says = (chatId: number, text: string) => vi.waitUntil(() => help(chatId) === text, PATIENCE)
    const [ann, ben] = [phone(ANN), phone(BEN)]
    await product.untilPolling()
    expect([help(ANN.id), help(BEN.id)]).toEqual(['Help', '帮助'])
    ann.send('/language')
    await ann.press('中文')
    await says(ANN.id, '帮助')
    ann.send('/language')
    await ann.press('English')
    await says(ANN.id, 'Help')
    ben.send('/language')
    await ben.press('English')
    await says(BEN.id, 'Help')

    // There may be other commands after an update of the bot: each chat's own menu is set once more.
    await product.stop()
    telegram.clearCalls()
    await product.start()
    await product.untilPolling()
    telegram.clearCalls()
    for (const text of ['/start', '/help', '/menu']) {
      ben.send(text)
      await ben.waitFor('')
    }
    await says(BEN.id, 'Help')
    const calls = () => telegram.calls().filter(({ method }) => /MyCommands/.test(method)).length
    await vi.waitUntil(() => calls() === 1, PATIENCE)
    ann.send('/start')
    await ann.waitFor('Log in with')
    expect(calls()).toBe(1)
  })

  it('fits the chat: who is logged in there, and whether it is the operator’s; it is set when that changes only', async () => {
    const { product, pass } = await startProductInTime(undefined, { operatorChats: [BEN.id, OFFICE.id] })
    const { telegram } = product
    const shows = (chatId: number, commands: string) =>
      vi.waitUntil(
        () =>
          telegram
            .commands(chatId)
            .map(({ command }) => command)
            .join(' ') === commands,
        PATIENCE,
      )
    const visitors = 'start login guide language help cancel'
    const customers =
      'menu buy traffic proxies orders topup balance records support guide settings accounts language help logout cancel'
    const agents = customers.replace('guide', 'guide users earnings')
    await product.untilPolling()
    telegram.clearCalls()
    const ann = await product.memberPhone(ANN)
    await shows(ANN.id, customers)
    ann.send('/buy')
    await ann.waitFor('Buy static proxies')
    ann.send('/logout')
    telegram.inject({ method: 'deleteMyCommands', kind: 'too-many-requests', retryAfter: 30 })
    await ann.press('Log out')
    await ann.waitFor('Log in with')
    // What Telegram refuses is made up for later.
    await vi.waitUntil(() => telegram.calls().some(({ method }) => method === 'deleteMyCommands'), PATIENCE)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    await pass(30_000)
    ann.send('/start')
    await shows(ANN.id, visitors)
    await logIn(ann, AGENT)
    await shows(ANN.id, agents)

    const { core } = product
    const agent = await actorFor(product, AGENT)
    const { items } = await core.accounts.listSubUsers(agent, {})
    const { token } = await core.accounts.createInvite(agent, items[0]?.id)
    const ben = product.phone(BEN)
    ben.send('/start')
    await shows(
      BEN.id,
      `operator find payments agents products stock suppliers exits tickets broadcast ${visitors}`,
    )
    ben.send(`/start inv_${token}`)
    await shows(
      BEN.id,
      `operator find payments agents products stock suppliers exits tickets broadcast ${customers}`,
    )
    telegram.addToGroup(OFFICE, BEN.id)
    await shows(
      OFFICE.id,
      'operator find payments agents products stock suppliers exits tickets broadcast cancel',
    )

    // An end of the log-in from elsewhere is noticed with the next message.
    const change = { oldPassword: AGENT.password, newPassword: 'another-password' }
    await core.accounts.changePassword(agent, 0, change)
    ann.send('/menu')
    await ann.waitFor('Your password was changed')
    await shows(ANN.id, visitors)
    expect(telegram.calls().filter(({ method }) => /MyCommands/.test(method))).toHaveLength(8)
  })

  it('offers what the bot can do: each command leads to its screen', async () => {
    const product = await startProduct({}, { operatorChats: [ANN.id] })
    const agent = await product.memberPhone(ANN, AGENT)
    expect(agent.buttons()).toContain('🛠 Operator')
    const commands = 'start menu login logout buy traffic proxies orders topup balance records'
      .concat(
        ' support guide users settings language help cancel operator find payments agents products stock suppliers exits tickets broadcast',
      )
      .split(' ')
    const titles = new Map<string, string>()
    for (const command of commands) {
      agent.send(`/${command}`)
      const { text, keyboard } = await agent.waitFor('')
      expect(text).not.toContain('do not know this command')
      expect(keyboard.flat()).not.toEqual([])
      titles.set(command, text.split('\n')[0] ?? '')
    }
    const home = ['start', 'menu', 'cancel', 'login']
    const own = [...titles].filter(([command]) => !home.includes(command)).map(([, title]) => title)
    expect(new Set(own).size).toBe(own.length)
    expect(own).not.toContain(titles.get('menu'))
    agent.send('/nonsense')
    await agent.waitFor('do not know this command')
    expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
  })
})
