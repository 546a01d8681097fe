import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { chromiumPath, openPage } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { AGENT, CUSTOMER, startPage } from './page.ts'

it.skipIf(!chromiumPath)('the supplier is shown and switched, on a desk and on a phone', async () => {
  const { app, telegram, upstream } = await startPage()
  const operator = { id: 1003, firstName: 'Olga', languageCode: 'en' }
  telegram.addUser(operator)
  upstream.emulator.setProduct({ productNo: 'p1', productName: 'Residential', costPrice: '2' })
  upstream.emulator.behaviour.delayMs = 0
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, problems } = await openPage({ locale: 'en-US', viewport: { width: 1600, height: 900 } })
  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox/`)
  const panel = page.locator('[data-supplier]')
  const phone = ({ id }: { id: number }) => page.locator(`[data-phone="${id}"]`)
  const tab = (name: string | number) => page.locator(`[data-tab="${name}"]`)
  const width = () => page.evaluate('document.documentElement.scrollWidth')

  for (const person of [AGENT, CUSTOMER, operator]) await phone(person).waitFor()
  expect(await page.locator('[data-wallet]').isVisible()).toBe(true)
  expect(await panel.isVisible()).toBe(false)
  await tab('supplier').click()
  await panel.getByText('No orders yet').waitFor()
  expect(await panel.locator('[data-supplier-balance]').innerText()).toBe('500.00')

  upstream.emulator.openElsewhere('p1', 2)
  await upstream.emulator.tick()
  await panel.locator('[data-supplier-order][data-state=done]').waitFor()
  expect(await panel.locator('[data-supplier-order]').innerText()).toMatch(/Proxies × 2[^]*done · 4\.00/)
  await panel.getByLabel('198.18.0.2:8000').click()
  await expect
    .poll(() => upstream.state().proxies, PATIENCE)
    .toMatchObject([{ isDead: true }, { isDead: false }])
  const slow = panel.getByRole('switch', { name: 'Slow' })
  await slow.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => upstream.state().faults.slow, PATIENCE).toBe(true)
  await panel.getByRole('button', { name: 'Add money' }).click()
  await panel.getByText('996.00').waitFor()

  await page.setViewportSize({ width: 1280, height: 800 })
  await phone(operator).waitFor({ state: 'hidden' })
  await tab(operator.id).click()
  expect([await phone(operator).isVisible(), await panel.isVisible()]).toEqual([true, false])
  expect([await phone(AGENT).isVisible(), await phone(CUSTOMER).isVisible()]).toEqual([true, true])

  await page.setViewportSize({ width: 390, height: 844 })
  await phone(AGENT).waitFor({ state: 'hidden' })
  expect(await phone(operator).isVisible()).toBe(true)
  await page.locator('[data-language=zh]').click()
  await tab('supplier').click()
  await panel.getByRole('switch', { name: '处理缓慢' }).click()
  await expect.poll(() => upstream.state().faults.slow, PATIENCE).toBe(false)
  expect(await panel.innerText()).toMatch(/代理 × 2[^]*已完成/)
  expect(await width()).toBeLessThanOrEqual(390)
  expect(problems).toEqual([])
})
