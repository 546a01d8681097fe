import { expect, it } from 'vitest'
import { chromiumPath, webWallet } from '../../support/browser.ts'
import { openSandbox } from './open-page.ts'
import { SHOP } from './page.ts'

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
