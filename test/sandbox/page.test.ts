import { describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../../src/sandbox/sandbox.ts'
import { barriers } from '../support/axe.ts'
import { chromiumPath, openPage, webPhone } from '../support/browser.ts'
import { startProcess } from '../support/process.ts'
import { temporaryDirectory } from '../support/service.ts'

describe.skipIf(!chromiumPath).each([
  ['on a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const)('The page of the sandbox %s', (_where, viewport) => {
  test('has no serious barriers, fits, and leads to the documents', async () => {
    const directory = await temporaryDirectory()
    const environment = { PORT: '0', DATABASE_URL: `file:${directory}/reseller.db`, RATE_LIMIT_CHAT: '0' }
    const { address } = await startProcess(environment, directory)
    const { page } = await openPage({ locale: 'en-US', viewport })
    await page.goto(address)
    const phone = webPhone(page, PEOPLE.customer.id)
    await phone.start()
    await phone.press('Log in')
    await phone.see('Send me your username')
    await phone.send(DEMO_ACCOUNTS.customer.username)
    await phone.see('send me your password')
    await phone.send(DEMO_ACCOUNTS.customer.password)
    await phone.see('Main menu')
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/sandbox-${viewport.width}.png`, fullPage: true })
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    expect(await page.locator('h1').count()).toBe(1)
    for (const link of await page.locator('[data-documents] a').all()) {
      const href = await link.getAttribute('href')
      expect((await fetch(new URL(href ?? '', address))).status).toBe(200)
    }
    expect(await page.locator('[data-documents] a').count()).toBeGreaterThan(0)
  })
})
