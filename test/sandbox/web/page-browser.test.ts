import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { chromiumPath, openPage, webWallet } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { AGENT, BOT_TOKEN, CUSTOMER, SHOP, startPage } from './page.ts'

interface Update {
  callback_query?: { id: string }
}

/** The page in a browser, and a bot that says what it is told to. */
async function openSandbox() {
  const { app, telegram } = await startPage()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, problems } = await openPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox/`)
  for (const { id } of [AGENT, CUSTOMER]) telegram.send(id, '/start')
  const call = (method: string, payload: object) =>
    app.inject({ method: 'POST', url: `/telegram/bot${BOT_TOKEN}/${method}`, payload })
  const say = (text: string, ...rows: string[][]) =>
    call('sendMessage', {
      chat_id: AGENT.id,
      text,
      reply_markup: {
        inline_keyboard: rows.map((row) => row.map((label) => ({ text: label, callback_data: label }))),
      },
    })
  const chat = page.locator(`[data-phone="${AGENT.id}"]`)
  return { telegram, page, problems, call, say, chat }
}

it.skipIf(!chromiumPath)(
  'Tab goes to the newest buttons, and arrow keys from there to older ones',
  async () => {
    const { page, problems, say, chat } = await openSandbox()
    const focused = () => page.evaluate<string>('document.activeElement.innerText')
    await say('Old', ['One', 'Two'])
    await say('New', ['Three'], ['Four'])
    await chat.getByText('Four').waitFor()
    await chat.locator('.log').focus()
    const walk = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      return focused()
    }
    expect(await walk('Tab')).toBe('Three')
    expect(await walk('Tab')).toBe('Four')
    expect(await walk('ArrowUp', 'ArrowUp')).toBe('Two')
    expect(await walk('ArrowUp')).toBe('One')
    expect(await walk('ArrowDown', 'ArrowDown', 'ArrowDown')).toBe('Four')
    await say('Newest', ['Five'])
    await chat.getByText('Five').waitFor()
    await chat.locator('.log').focus()
    expect(await walk('Tab')).toBe('Five')
    expect(problems).toEqual([])
  },
)

it.skipIf(!chromiumPath)('what the bot answers to a press covers none of the newest buttons', async () => {
  const { call, say, chat } = await openSandbox()
  await say('A screen', ['Press me'], ['Another'])
  await chat.getByText('Press me').click()
  const updates = async () => {
    const answer = (await call('getUpdates', { timeout: 0 })).json<{ result: Update[] }>()
    return answer.result.flatMap(({ callback_query }) => callback_query ?? [])
  }
  await expect.poll(updates, PATIENCE).toHaveLength(1)
  const [press] = await updates()
  await call('answerCallbackQuery', { callback_query_id: press?.id, text: 'Done, as you wished' })
  const toast = await chat.locator('[data-toast]').boundingBox()
  const top = await chat.getByText('Press me').boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeGreaterThan(0)
  expect(top?.y).toBeGreaterThan((toast?.y ?? 0) + (toast?.height ?? 0))
})

it.skipIf(!chromiumPath)('a long file name breaks between its parts, and nowhere else', async () => {
  const { telegram, page, chat } = await openSandbox()
  await page.setViewportSize({ width: 390, height: 844 })
  const fileName = 'residential_isp_united_states_new_york_2026_11_24.csv'
  telegram.sendFile(AGENT.id, { fileName, mimeType: 'text/csv', content: Buffer.from('ip') })
  const name = chat.locator('.document .name')
  expect(await name.innerText()).toBe(fileName)
  // The text of each line, by the place of each character.
  const lines = await page.evaluate<string[]>(`{
    const lines = new Map()
    const texts = document.createTreeWalker(document.querySelector('.document .name'), NodeFilter.SHOW_TEXT)
    while (texts.nextNode())
      for (let index = 0; index < texts.currentNode.length; index++) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + 1)
        const { top } = range.getBoundingClientRect()
        lines.set(top, (lines.get(top) ?? '') + range.toString())
      }
    ;[...lines.values()]
  }`)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[-_.]$/)
})

it.skipIf(!chromiumPath)('a second click on Pay pays nothing', async () => {
  const { page } = await openSandbox()
  const wallet = webWallet(page)
  await wallet.write(SHOP, '7')
  await wallet.pay()
  await wallet.see('confirming')
  await page.locator('[data-wallet-pay]:enabled').click()
  expect(await page.locator('[data-wallet] :invalid').count()).toBeGreaterThan(0)
  expect(await page.locator('[data-payment]').count()).toBe(1)
  expect(await wallet.balance()).toBe('999,993.00')
})
