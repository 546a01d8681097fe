import { existsSync } from 'node:fs'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { atTheEnd } from './clean-up.ts'
import { HANG_MS } from './patience.ts'

const PLACES = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where a Chromium is; undefined when there is none. */
export const chromiumPath = PLACES.find((path) => path !== undefined && existsSync(path))

/**
 * A page in a Chromium of its own, both of which end with the test, or with the tests for which they are {@link shared}; and
 * what went wrong on the page so far. Without the flags Chromium asks its maker's servers for updates and the like.
 */
export async function openPage(options: BrowserContextOptions): Promise<{ page: Page; problems: string[] }> {
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ]
  const browser = await chromium.launch({
    executablePath: chromiumPath ?? '',
    args: ['--no-sandbox', '--disable-gpu', ...quiet],
    timeout: HANG_MS,
  })
  atTheEnd(() => browser.close())
  const page = await browser.newPage(options)
  page.setDefaultTimeout(HANG_MS)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  return { page, problems }
}

/** A phone of the web chat page, used by its hooks. */
export function webPhone(page: Page, userId: number) {
  const phone = page.locator(`[data-phone="${userId}"]`)
  const shown = (text: string | RegExp) => phone.locator('[data-from="bot"]').filter({ hasText: text }).last()
  return {
    start: () => phone.locator('[data-start]').click(),
    send: async (text: string) => {
      await phone.locator('[data-input]').fill(text)
      await phone.locator('[data-send]').click()
    },
    /** Presses the newest button with this label. */
    press: (label: string | RegExp) =>
      phone.locator('[data-callback]').filter({ hasText: label }).last().click(),
    /** Waits until there is a button with this label. */
    offers: (label: string | RegExp) =>
      phone.locator('[data-callback]').filter({ hasText: label }).last().waitFor(),
    copy: () => phone.locator('[data-copy]').last().click(),
    /** Waits for a message of the bot and returns its text. */
    see: async (text: string | RegExp) => {
      await shown(text).waitFor()
      return shown(text).innerText()
    },
    /** Waits until the newest picture is there. */
    picture: async () => {
      const picture = phone.locator('[data-from="bot"] .photo img').last()
      await picture.waitFor()
      await picture.evaluate((image: { decode(): Promise<void> }) => image.decode())
    },
    /** What the person's own bubbles say. */
    typed: async () => (await phone.locator('[data-from="user"]').allInnerTexts()).join('\n'),
    download: async () => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        phone.locator('a[download]').last().click(),
      ])
      return file
    },
  }
}

/** The wallet beside the phones, used by its hooks. */
export function webWallet(page: Page) {
  const wallet = page.locator('[data-wallet]')
  return {
    /** Takes address and amount over from the newest payment screen of the chats. */
    fillIn: () => wallet.locator('[data-wallet-fill]').click(),
    write: async (to: string, amount: string) => {
      await wallet.locator('[data-wallet-to]').fill(to)
      await wallet.locator('[data-wallet-amount]').fill(amount)
    },
    pay: async (kind: 'normal' | 'late' | 'twice' | 'fake' | 'reverted' = 'normal') => {
      await wallet.locator('[data-wallet-kind]').selectOption(kind)
      await wallet.locator('[data-wallet-pay]').click()
    },
    /** Makes irreversible what is in a block. */
    letMinutePass: () => wallet.locator('[data-wallet-minute]').click(),
    /** Waits until so many payments are in this state. */
    see: async (state: 'confirming' | 'irreversible' | 'failed', count = 1) => {
      await wallet
        .locator(`[data-payment][data-state="${state}"]`)
        .nth(count - 1)
        .waitFor()
    },
    problem: () => wallet.locator('[data-wallet-problem]:not(:empty)').innerText(),
    balance: () => wallet.locator('[data-wallet-balance]').innerText(),
  }
}
