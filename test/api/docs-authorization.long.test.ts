import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { chromiumPath, openPage } from '../support/browser.ts'

test.skipIf(!chromiumPath)('Who has authorized on the docs page stays so after a reload', async () => {
  const { server, as, agent } = await openApi()
  const { token } = await as(await agent())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const { page, problems } = await openPage({ locale: 'en-US' })
  await page.goto(`http://127.0.0.1:${port}/a/api/docs/`)
  await page.locator('.authorize.unlocked').first().click()
  const dialog = page.locator('.dialog-ux')
  // Gateways have a token of another kind.
  const form = dialog.locator('form').filter({ hasText: 'bearer (http' })
  await form.locator('input').fill(token)
  await form.locator('button.authorize').click()
  await dialog.locator('button.btn-done').first().click()

  await page.reload()
  await page.locator('.authorize.locked').first().click()
  expect(await dialog.textContent()).toContain('Authorized')
  expect(problems).toEqual([])
})
