import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '../../src/sandbox/demo-accounts.ts'
import { PEOPLE } from '../../src/sandbox/sandbox.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { startProcess } from '../support/process.ts'
import { sandboxFolder } from '../support/sandbox-folder.ts'
import { sandboxPhone } from '../support/sandbox-phone.ts'

test('The bot speaks the language of the page, and a kill keeps the chats with their buttons and pictures', async () => {
  const directory = await sandboxFolder()
  const environment = { PORT: '0', DATABASE_URL: `file:${join(directory, 'reseller.db')}` }
  const first = await startProcess(environment, directory)
  const before = sandboxPhone(first.address, PEOPLE.agent.id)
  expect((await before.speak('zh')).status).toBe(200)
  await before.send('/login')
  await before.see(/用户名/)
  await before.send(DEMO_ACCOUNTS.agent.username)
  await before.see(/密码/)
  await before.send(DEMO_ACCOUNTS.agent.password)
  await before.press(await before.see(/👤 agent/), /数据看板/)
  const isChart = ({ file, from }: EmulatedMessage) => from === 'bot' && file !== undefined
  const chart = await before.waitFor(isChart)
  const [messages, picture] = [await before.messages(), await before.picture(chart)]
  expect(picture.length).toBeGreaterThan(1000)
  await first.kill()

  const second = await startProcess(environment, directory)
  const after = sandboxPhone(second.address, PEOPLE.agent.id)
  expect(await after.messages()).toEqual(messages)
  expect(await after.picture(chart)).toEqual(picture)
  await after.press(chart, /主菜单/)
  await after.waitFor(({ messageId, text }) => messageId > chart.messageId && text.includes('👤 agent'))
  await second.terminate()
})
