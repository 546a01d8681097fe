import { expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { openSandbox } from './open-page.ts'
import { AGENT } from './page.ts'

it.skipIf(!chromiumPath)(
  'A link makes a bot, whose chat opens; the list of chats leads back and forth',
  async () => {
    const { telegram, page, problems, call, chat } = await openSandbox()
    telegram.setCanManageBots(true)
    const offer = 'https://t.me/newbot/proxy_shop_bot/alice_proxies_bot?name=Alice%20Proxies'
    const keyboard = { inline_keyboard: [[{ text: 'Make my bot', url: offer }]] }
    await call('sendMessage', { chat_id: AGENT.id, text: 'A bot of your own', reply_markup: keyboard })
    await chat.getByText('Make my bot').click()
    const form = chat.locator('[data-new-bot]')
    await form.locator('[name=username]').fill('proxy_shop_bot')
    await form.locator('[type=submit]').click()
    await form.getByText('taken').waitFor()
    // The browser tells of every answer that is an error.
    expect(problems.splice(0)).toHaveLength(1)
    await form.locator('[name=username]').fill('alice_best_bot')
    await form.locator('[type=submit]').click()

    await chat.locator('h3').getByText('Alice Proxies').waitFor()
    await chat.locator('[data-start]').click()
    const hers = telegram.bot('alice_best_bot')
    await expect.poll(() => hers.messages(AGENT.id).map(({ text }) => text)).toEqual(['/start'])

    await call('sendMessage', { chat_id: AGENT.id, text: 'News of the shop' })
    await chat.locator('[data-chats] .unread').getByText('1').waitFor()
    await chat.locator('[data-chats]').click()
    await chat.locator('[data-chat=proxy_shop_bot]').click()
    await chat.locator('.log').getByText('News of the shop').waitFor()

    await chat.locator('[data-input]').fill('https://t.me/Alice_Best_Bot?start=join_7')
    await chat.locator('[data-send]').click()
    await chat.locator('.log').getByText('/start join_7').waitFor()
    hers.deleteBot()
    await chat.locator('.log').getByText('News of the shop').waitFor()
    expect(await chat.locator('[data-chats]').isHidden()).toBe(true)
    expect(await page.title()).toContain('Proxy Shop')
    expect(problems).toEqual([])
  },
)
