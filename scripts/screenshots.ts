/** `npm run screenshots`: takes the pictures of the README anew, in a sandbox of its own; needs a Chromium (CHROMIUM_PATH). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import { projectUrl } from '../src/project-url.ts'
import { DEMO_ACCOUNTS } from '../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../src/sandbox/sandbox.ts'

const PICTURES = projectUrl('docs/pictures/').pathname
const { PATH = '', CHROMIUM_PATH = '/usr/bin/chromium' } = process.env

const directory = await mkdtemp(join(tmpdir(), 'reseller-pictures-'))
const product = spawn(process.execPath, [projectUrl('scripts/run.mjs').pathname, 'main'], {
  cwd: directory,
  env: { PATH, PORT: '0', GATEWAY_PORT: 'off', DATABASE_URL: `file:${directory}/reseller.db` },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const address = await addressOf(product.stdout)
  const page = await browser.newPage({
    locale: 'en-US',
    viewport: { width: 1500, height: 1000 },
    reducedMotion: 'reduce',
  })
  await page.goto(address)
  await dashboard(page)
  await operator(page)
  await purchase(page)
  await page.screenshot({ path: join(PICTURES, 'sandbox.png') })
  await earnings(page)
  await phone(page, PEOPLE.agent.id).screenshot({ path: join(PICTURES, 'agent.png') })
} finally {
  await browser.close()
  product.kill()
  await once(product, 'exit')
  await rm(directory, { recursive: true })
}

/** Of the sandbox, as soon as it says it. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [address] = /http\S+\/sandbox\//.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('the sandbox has not started')
}

/** The customer buys proxies. */
async function purchase(page: Page): Promise<void> {
  const { customer } = PEOPLE
  await logIn(page, customer.id, DEMO_ACCOUNTS.customer)
  for (const label of ['Buy proxies', /^5$/, 'Buy for']) await press(page, customer.id, label)
  await see(page, customer.id, 'Your proxies are ready')
}

/** The operator opens its menu. */
async function operator(page: Page): Promise<void> {
  const { id } = PEOPLE.operator
  await write(page, id, '/operator')
  await phone(page, id).locator('[data-callback]').last().waitFor()
}

/** The agent looks at its figures. */
async function dashboard(page: Page): Promise<void> {
  const { agent } = PEOPLE
  await logIn(page, agent.id, DEMO_ACCOUNTS.agent)
  await press(page, agent.id, 'Dashboard')
  await see(page, agent.id, 'Their balances')
  await picture(page, agent.id)
}

/** The agent looks at what it has earned. */
async function earnings(page: Page): Promise<void> {
  const { id } = PEOPLE.agent
  await write(page, id, '/earnings')
  await press(page, id, 'Report')
  await picture(page, id)
}

/** Waits until the newest picture is there. */
async function picture(page: Page, userId: number): Promise<void> {
  const image = phone(page, userId).locator('.photo img').last()
  await image.waitFor()
  await image.evaluate((shown: { decode(): Promise<void> }) => shown.decode())
}

function phone(page: Page, userId: number) {
  return page.locator(`[data-phone="${userId}"]`)
}

async function logIn(page: Page, userId: number, account: { username: string; password: string }) {
  await phone(page, userId).locator('[data-start]').click()
  await press(page, userId, 'Log in')
  for (const [question, answer] of [
    ['Send me your username', account.username],
    ['send me your password', account.password],
  ] as const) {
    await see(page, userId, question)
    await write(page, userId, answer)
  }
  await see(page, userId, 'Main menu')
}

async function write(page: Page, userId: number, text: string) {
  await phone(page, userId).locator('[data-input]').fill(text)
  await phone(page, userId).locator('[data-send]').click()
}

async function press(page: Page, userId: number, label: string | RegExp) {
  await phone(page, userId).locator('[data-callback]').filter({ hasText: label }).last().click()
}

async function see(page: Page, userId: number, text: string) {
  await phone(page, userId).locator('[data-from="bot"]').filter({ hasText: text }).last().waitFor()
}
