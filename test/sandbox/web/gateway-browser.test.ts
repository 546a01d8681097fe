import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { chromiumPath, openPage } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { AGENT, BOT_TOKEN, startPage } from './page.ts'

it.skipIf(!chromiumPath)(
  'commands for the gateway, filled in from a chat, and exits to switch off',
  async () => {
    const { app, gateway, telegram } = await startPage()
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { page, problems } = await openPage({ locale: 'en-US', viewport: { width: 1600, height: 900 } })
    await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox/`)
    const panel = page.locator('[data-gateway]')
    const commands = panel.locator('[data-gateway-commands]')
    await page.locator(`[data-phone="${AGENT.id}"]`).waitFor()
    await page.locator('[data-tab=gateway]').click()
    await panel.getByText('It does not run at the moment').waitFor()
    await panel.getByRole('button', { name: 'Fill in from the chat' }).click()
    await panel.getByText('No phone shows a credential').waitFor()

    gateway.listens({ host: '127.0.0.1', port: 8899 })
    await panel.getByText('127.0.0.1:8899 listens here').waitFor()
    telegram.send(AGENT.id, '/start')
    await app.inject({
      method: 'POST',
      url: `/telegram/bot${BOT_TOKEN}/sendMessage`,
      payload: { chat_id: AGENT.id, text: 'Your credentials:\n127.0.0.1:8899:u0abc-country-us:Secret-12.x' },
    })
    await page.locator(`[data-phone="${AGENT.id}"] .log`).getByText('Your credentials').waitFor()
    await panel.getByRole('button', { name: 'Fill in from the chat' }).click()
    await commands
      .getByText("curl -x 'http://u0abc:Secret-12.x@127.0.0.1:8899' http://example.com/")
      .first()
      .waitFor()
    expect(await commands.innerText()).toContain('u0abc-country-jp:Secret-12.x@127.0.0.1:8899')
    expect(await commands.innerText()).toContain("--socks5-hostname 127.0.0.1:8899 -U 'u0abc:Secret-12.x'")
    await panel.locator('[data-exit=jp1]').focus()
    await page.keyboard.press('Space')
    const jp1 = () => gateway.state().exits.find(({ username }) => username === 'jp1')
    await expect.poll(() => jp1()?.isDead, PATIENCE).toBe(true)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.locator('[data-language=zh]').click()
    await panel.getByText('监听地址').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(problems).toEqual([])
  },
)
