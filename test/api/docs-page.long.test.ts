import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { barriers } from '../support/axe.ts'
import { chromiumPath, openPage } from '../support/browser.ts'

describe.skipIf(!chromiumPath).each([
  ['on a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 844 }],
] as const)('The docs page %s', (_where, viewport) => {
  test('has no serious barriers, and fits', async () => {
    const { server } = await openApi()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const { page, problems } = await openPage({ locale: 'en-US', viewport })
    await page.goto(`http://127.0.0.1:${port}/b/api/docs/`)
    await page.locator('.opblock').first().waitFor()
    await page.locator('#operations-Static_orders-createStaticOrder button').first().click()
    await page.locator('.opblock-body').first().waitFor()
    await page.locator('.try-out button').first().click()
    await page.locator('.body-param__text').first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await barriers(page), colorScheme).toEqual([])
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    expect(problems).toEqual([])
  })

  test('leads to pages of errors that have none either', async () => {
    const { server } = await openApi()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const { page } = await openPage({ locale: 'zh-CN', viewport })
    for (const path of ['errors/', 'errors/validation_error', 'errors/insufficient_balance'])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto(`http://127.0.0.1:${port}/api/docs/${path}`)
        expect(await barriers(page), `${path}, ${colorScheme}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(
          viewport.width,
        )
        expect(await page.locator('h1').count(), path).toBe(1)
      }
  })
})
