import type { AddressInfo } from 'node:net'
import { openPage } from '../../support/browser.ts'
import { AGENT, BOT_TOKEN, CUSTOMER, startPage } from './page.ts'

/** The page in a browser, and a bot that says what it is told to. */
export async function openSandbox() {
  const { app, telegram } = await startPage()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { page, problems } = await openPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await page.goto(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/sandbox/`)
  for (const { id } of [AGENT, CUSTOMER]) telegram.send(id, '/start')
  const call = (method: string, payload: object) =>
    app.inject({ method: 'POST', url: `/telegram/bot${BOT_TOKEN}/${method}`, payload })
  const say = (text: string, ...rows: string[][]) =>
    call('sendMessage', {
      chat_id: AGENT.id,
      text,
      reply_markup: {
        inline_keyboard: rows.map((row) => row.map((label) => ({ text: label, callback_data: label }))),
      },
    })
  const chat = page.locator(`[data-phone="${AGENT.id}"]`)
  return { telegram, page, problems, call, say, chat }
}
