import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { isIn } from '../../src/api/endpoint.ts'
import { VARIANTS } from '../../src/api/variants.ts'
import { openApi } from '../support/api.ts'
import { chromiumPath, openPage } from '../support/browser.ts'

test.skipIf(!chromiumPath)(
  'The docs page shows every endpoint in a browser, under its own rules',
  async () => {
    const { server } = await openApi()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const { page, problems } = await openPage({ locale: 'en-US' })
    await page.goto(`http://127.0.0.1:${port}/b/api`)
    await page.locator('.opblock').first().waitFor()
    expect(page.url()).toBe(`http://127.0.0.1:${port}/b/api/docs/`)
    expect(await page.locator('.opblock:not(.webhooks .opblock)').count()).toBe(
      ENDPOINTS.filter(isIn(VARIANTS.B)).length,
    )
    expect(problems).toEqual([])
  },
)
