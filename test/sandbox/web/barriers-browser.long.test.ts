import { describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '../../../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../../../src/sandbox/sandbox.ts'
import { barriers } from '../../support/axe.ts'
import { chromiumPath, openPage, webPhone } from '../../support/browser.ts'
import { startProcess } from '../../support/process.ts'
import { sandboxFolder } from '../../support/sandbox-folder.ts'

describe.skipIf(!chromiumPath).each([
  ['on a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const)('The page of the sandbox %s', (_where, viewport) => {
  test('sells, fits, has no serious barriers, and leads to the documents', async () => {
    const directory = await sandboxFolder()
    const environment = { PORT: '0', DATABASE_URL: `file:${directory}/reseller.db`, RATE_LIMIT_CHAT: '0' }
    const { address } = await startProcess(environment, directory)
    const { page, problems } = await openPage({ locale: 'en-US', viewport })
    await page.goto(address)
    const phone = webPhone(page, PEOPLE.customer.id)
    await page.locator(`[data-phone="${PEOPLE.customer.id}"]`).waitFor({ state: 'attached' })
    const tab = page.locator(`[data-tab="${PEOPLE.customer.id}"]`)
    if (await tab.isVisible()) await tab.click()
    await phone.start()
    await phone.press('Log in')
    await phone.see('Send me your username')
    await phone.send(DEMO_ACCOUNTS.customer.username)
    await phone.see('send me your password')
    await phone.send(DEMO_ACCOUNTS.customer.password)
    await phone.see('Main menu')
    await phone.press('Buy proxies')
    await phone.press(/^5$/)
    await phone.press('Buy for 22.50 USD')
    await phone.see('Your proxies are ready')
    await phone.send('/topup')
    await phone.press('100 USDT')
    await phone.picture()

    const folder = process.env['PICTURES']
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const pane of await page.locator('[data-tab]').all()) {
        if (!(await pane.isVisible())) continue
        await pane.click()
        const name = `${colorScheme}, ${await pane.innerText()}`
        if (folder) await page.screenshot({ path: `${folder}/${viewport.width} ${name}.png` })
        expect(await barriers(page), name).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(viewport.width)
      }
    }
    expect(await page.locator('h1').allInnerTexts()).toEqual(['Sandbox.'])
    const documents = await page.locator('[data-documents] a').all()
    expect(documents.length).toBeGreaterThan(0)
    for (const link of documents) {
      const target = new URL((await link.getAttribute('href')) ?? '', page.url())
      expect((await fetch(target)).status, target.href).toBe(200)
    }
    expect(problems).toEqual([])
  })
})
