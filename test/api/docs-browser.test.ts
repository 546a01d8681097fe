import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { isIn } from '../../src/api/endpoint.ts'
import { VARIANTS } from '../../src/api/variants.ts'
import { openApi } from '../support/api.ts'
import { barriers } from '../support/axe.ts'
import { chromiumPath, openPage } from '../support/browser.ts'
import { shared } from '../support/clean-up.ts'

const PHONE = { width: 390, height: 844 }

/** Other sizes, pages and colours are in docs-page.long.test.ts. */
describe.skipIf(!chromiumPath)('In a browser', () => {
  const browser = shared(async () => {
    const { server } = await openApi()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    return { origin: `http://127.0.0.1:${port}`, ...(await openPage({ locale: 'en-US', viewport: PHONE })) }
  })

  test('the docs page shows every endpoint under its own rules, and fits a phone', async () => {
    const { page, origin, problems } = browser()
    await page.goto(`${origin}/b/api`)
    await page.locator('.opblock').first().waitFor()
    expect(page.url()).toBe(`${origin}/b/api/docs/`)
    expect(await page.locator('.opblock:not(.webhooks .opblock)').count()).toBe(
      ENDPOINTS.filter(isIn(VARIANTS.B)).length,
    )
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    expect(problems).toEqual([])
  })

  test('the page of an error has no serious barriers, and fits a phone', async () => {
    const { page, origin } = browser()
    await page.goto(`${origin}/api/docs/errors/validation_error`)
    expect(await barriers(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width)
    expect(await page.locator('h1').count()).toBe(1)
  })
})
