import { expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { PATIENCE } from '../../support/patience.ts'
import { openSandbox } from './open-page.ts'
import { AGENT } from './page.ts'

interface Update {
  callback_query?: { id: string }
}

it.skipIf(!chromiumPath)('what the bot answers to a press covers none of the newest buttons', async () => {
  const { call, say, chat } = await openSandbox()
  await say('A screen', ['Press me'], ['Another'])
  await chat.getByText('Press me').click()
  const updates = async () => {
    const answer = (await call('getUpdates', { timeout: 0 })).json<{ result: Update[] }>()
    return answer.result.flatMap(({ callback_query }) => callback_query ?? [])
  }
  await expect.poll(updates, PATIENCE).toHaveLength(1)
  const [press] = await updates()
  await call('answerCallbackQuery', { callback_query_id: press?.id, text: 'Done, as you wished' })
  const toast = await chat.locator('[data-toast]').boundingBox()
  const top = await chat.getByText('Press me').boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeGreaterThan(0)
  expect(top?.y).toBeGreaterThan((toast?.y ?? 0) + (toast?.height ?? 0))
})

it.skipIf(!chromiumPath)('a long file name breaks between its parts, and nowhere else', async () => {
  const { telegram, page, chat } = await openSandbox()
  await page.setViewportSize({ width: 390, height: 844 })
  const fileName = 'residential_isp_united_states_new_york_2026_11_24.csv'
  telegram.sendFile(AGENT.id, { fileName, mimeType: 'text/csv', content: Buffer.from('ip') })
  const name = chat.locator('.document .name')
  expect(await name.innerText()).toBe(fileName)
  // The text of each line, by the place of each character.
  const lines = await page.evaluate<string[]>(`{
    const lines = new Map()
    const texts = document.createTreeWalker(document.querySelector('.document .name'), NodeFilter.SHOW_TEXT)
    while (texts.nextNode())
      for (let index = 0; index < texts.currentNode.length; index++) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + 1)
        const { top } = range.getBoundingClientRect()
        lines.set(top, (lines.get(top) ?? '') + range.toString())
      }
    ;[...lines.values()]
  }`)
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/[-_.]$/)
})
