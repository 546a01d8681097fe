import { describe, expect, it } from 'vitest'
import { AGENT, ANN, BEN, startProduct } from '../support/product.ts'

describe('the command menu', () => {
  it("is in the language of the person's Telegram, or in that of the chat when another one was chosen", async () => {
    const { phone, telegram } = await startProduct()
    const help = (chatId: number) =>
      telegram.commands(chatId).find(({ command }) => command === 'help')?.description
    const [ann, ben] = [phone(ANN), phone(BEN)]
    expect([help(ANN.id), help(BEN.id)]).toEqual(['Help', '帮助'])
    ann.send('/language')
    await ann.press('中文')
    await ann.waitFor('登录')
    expect([help(ANN.id), help(BEN.id)]).toEqual(['帮助', '帮助'])
    ann.send('/language')
    await ann.press('English')
    await ann.waitFor('Log in with')
    expect(help(ANN.id)).toBe('Help')

    // A menu of an older version is renewed at the next start.
    ben.send('/language')
    await ben.press('English')
    await ben.waitFor('Log in with')
    telegram.clearCalls()
    ben.send('/start')
    await ben.waitFor('Log in with')
    expect(telegram.calls().map(({ method }) => method)).toContain('setMyCommands')
    expect(help(BEN.id)).toBe('Help')
  })

  it('offers what the bot can do: each command leads to its screen', async () => {
    const product = await startProduct()
    const agent = await product.memberPhone(ANN, AGENT)
    const commands = product.telegram.commands(ANN.id).map(({ command }) => command)
    expect(commands).toEqual(
      expect.arrayContaining(
        'start menu login logout balance buy proxies topup records users language help cancel'.split(' '),
      ),
    )
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
