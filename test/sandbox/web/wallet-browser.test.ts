import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { chromiumPath, openPage, webWallet } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { AGENT, BOT_TOKEN, CUSTOMER, SHOP, startPage } from './page.ts'

it.skipIf(!chromiumPath)(
  'the wallet pays what a payment screen asks for, on a desk and on a phone',
  async () => {
    const { app, telegram, chain } = await startPage()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { page, problems } = await openPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox/`)
    const wallet = webWallet(page)
    const spoken = (language: string) =>
      vi.waitUntil(() => telegram.users().every(({ languageCode }) => languageCode === language), PATIENCE)
    await spoken('en')
    await wallet.fillIn()
    expect(await wallet.problem()).toBe('No phone shows an address and an amount to pay')

    const show = (chatId: number, text: string, copies: Record<string, string> = {}) => {
      telegram.send(chatId, '/topup')
      const inline_keyboard = [
        Object.entries(copies).map(([text, copied]) => ({ text, copy_text: { text: copied } })),
      ]
      const payload = { chat_id: chatId, text, parse_mode: 'HTML', reply_markup: { inline_keyboard } }
      return app.inject({ method: 'POST', url: `/telegram/bot${BOT_TOKEN}/sendMessage`, payload })
    }
    await show(CUSTOMER.id, `Pay <code>7.0001</code> to <code>${SHOP}</code>`)
    await show(AGENT.id, 'Pay 100.0037 USDT', { Amount: '100.0037', Address: SHOP })
    await page.locator(`[data-phone="${AGENT.id}"] [data-copy]`).first().waitFor()
    await wallet.fillIn()
    await wallet.pay()
    await wallet.see('confirming')
    expect(await wallet.balance()).toBe('999,899.9963')
    await wallet.letMinutePass()
    await wallet.see('irreversible')

    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('[data-tab=wallet]').click()
    await page.locator('[data-language=zh]').click()
    await spoken('zh')
    await wallet.write(SHOP, '3')
    await wallet.pay('reverted')
    await wallet.see('failed')
    expect(await page.locator('[data-payment]').first().innerText()).toContain('失败')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(chain.balance(SHOP)).toBe(100_003_700n)
    expect(problems).toEqual([])
  },
)
