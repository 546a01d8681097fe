import { expect, test } from 'vitest'
import { toPng } from '../../src/bot/kit/charts/png.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { HOUR, startProductInTime, timesTold } from '../support/notices.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product } from '../support/product.ts'
import type { Phone } from '../support/phone.ts'

const OPS = { id: 700, firstName: 'Olga', languageCode: 'en' }
const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }

/** Writes a formatted message: "Big sale" with a link, the first word bold. */
function sendFormatted({ telegram }: Product, { user }: Phone): void {
  telegram.receive({
    message: {
      message_id: 90_000,
      date: 0,
      chat: { id: user.id, type: 'private', first_name: user.firstName },
      from: { id: user.id, is_bot: false, first_name: user.firstName },
      text: 'Big sale',
      entities: [
        { type: 'bold', offset: 0, length: 3 },
        { type: 'text_link', offset: 4, length: 4, url: 'https://example.com/' },
      ],
    },
  })
}

async function sendPicture({ telegram }: Product, { user }: Phone, caption: string): Promise<void> {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'
  const content = Buffer.from(await toPng(svg), 'base64')
  const file = { fileName: 'sale.png', mimeType: 'image/png', content, caption }
  telegram.sendFile(user.id, { ...file, kind: 'photo' })
}

test('a broadcast arrives as it was formatted, at its time, at those of its audience and language only', async () => {
  const { product, pass } = await startProductInTime('2026-03-01T12:00:00.000Z', { operatorChats: [OPS.id] })
  const ops = product.phone(OPS)
  const [ann, ben] = [await product.memberPhone(ANN, AGENT), await product.memberPhone(BEN)]
  const begun = (id: number) => product.until(`SELECT 1 FROM broadcasts WHERE id = ${id} AND status = 'done'`)

  // The customer reads Chinese, the agent English.
  ops.send('/broadcast')
  await ops.press('中文')
  await ops.waitForButton('Everybody (1)')
  expect(ops.buttons()).toContain('✓ 中文')
  await ops.press('Everybody (1)')
  sendFormatted(product, ops)
  const preview = await ops.waitFor((message) => message.text === 'Big sale')
  const draft = await ops.waitFor(/This is what they will see: 1 chat[^]*To: everybody \(中文\)/)
  expect(draft.messageId).toBeGreaterThan(preview.messageId)
  await ops.press('🕘 Tomorrow 9:00')
  await ops.waitFor(/Planned[^]*Begins: 2 Mar 2026, 09:00 UTC/)
  await pass(20 * HOUR)
  expect(timesTold(product, ben, /Big sale/)).toBe(0)
  await product.stop()
  await product.start()
  await pass(HOUR)
  const news = await ben.waitFor(/^Big sale$/)
  expect(news.entities).toMatchObject(preview.entities)
  expect(news.entities.map(({ type }) => type)).toEqual(['bold', 'text_link'])
  await begun(1)
  await ops.waitFor(/✅ Sent[^]*Sent: 1/)

  // Cancelled before its time; a time is typed, with its distance from UTC.
  ops.send('/broadcast')
  await ops.press('Sub-users of an agent…')
  ops.send('nobody')
  await ops.waitFor('There is no account with this name.')
  ops.send(AGENT.username)
  await ops.waitFor('Send me a text')
  await sendPicture(product, ops, 'x'.repeat(951))
  await ops.waitFor('At most 950 characters')
  await sendPicture(product, ops, 'Look')
  await ops.waitFor('To: sub-users of agent')
  expect((await ops.waitFor(/^Look$/)).file?.kind).toBe('photo')
  await ops.press('🕘 Another time')
  ops.send('25:00')
  await ops.waitFor('This is not a time')
  ops.send('2026-03-01 09:00')
  await ops.waitFor('This time is in the past')
  ops.send('2026-03-03 00:30 +8')
  await ops.waitFor('Begins: 2 Mar 2026, 16:30 UTC')
  await ops.press('✖️ Do not send')
  await ops.waitFor('Stopped')
  await ops.press('‹ Back')
  await ops.waitForButton(/✅ 2 Mar 09:00 Big sale/)
  await ops.press(/🚫 2 Mar 16:30 🖼 Look/)
  await ops.waitFor('sub-users of agent')
  await pass(24 * HOUR)

  // The picture is sent by the id under which Telegram keeps it.
  ops.send('/broadcast')
  await ops.press('Users (1)')
  await ops.waitFor('Send me a text')
  await sendPicture(product, ops, 'Look here')
  await ops.press('📣 Send to 1 chat')
  await pass(1000)
  expect((await ben.waitFor(/^Look here$/)).file?.kind).toBe('photo')
  await begun(3)
  expect(timesTold(product, ben, /^Look$/)).toBe(0)
  expect(timesTold(product, ann, /Look|Big sale/)).toBe(0)
})

test('audiences are those who have proxies, are short of money, or have not bought anything for long', async () => {
  const { product, pass } = await startProductInTime('2026-03-01T12:00:00.000Z', { operatorChats: [OPS.id] })
  const [ops, ben] = [product.phone(OPS), await product.memberPhone(ANN)]
  const counts = async () => {
    ops.send('/broadcast')
    await ops.waitFor(/To whom/)
    return ops.buttons().filter((label) => /With|Short|Idle/.test(label))
  }
  expect(await counts()).toEqual([
    'With active proxies (0)',
    'With traffic left (0)',
    'Short of money (0)',
    'Idle for 30 days (0)',
  ])
  for (const label of ['🛒 Buy proxies', '20']) await ben.press(label)
  await ben.waitFor(/short by/)
  expect(await counts()).toContain('Short of money (1)')
  await product.core.operator.adjustBalance(SHELL, { username: 'customer', amount: 40, remark: 'a gift' })
  await ben.waitFor('That is enough')
  expect(await counts()).toContain('Short of money (0)')
  await ben.press('🛒 Continue the purchase')
  await ben.press('✅ Buy for 90.00 USD')
  await ben.waitFor('Your proxies are ready')
  expect(await counts()).toContain('With active proxies (1)')
  await pass(31 * 24 * HOUR)
  expect(await counts()).toContain('Idle for 30 days (1)')
})

test('an agent writes to its sub-users, all or some, with its name above it, and not more often than it may', async () => {
  const { product, clock, pass } = await startProductInTime()
  const { core } = product
  const agent = await core.accounts.authenticate(
    (await core.accounts.logIn({ ...AGENT, address: 'test' })).token,
  )
  const carl = { username: 'carl', password: 'carls-password' }
  await core.accounts.createSubUser(agent, carl)
  const [ann, ben] = [await product.memberPhone(ANN, AGENT), await product.memberPhone(BEN, CUSTOMER)]
  const carls = await product.memberPhone(CARL, carl)

  ann.send('/users')
  await ann.press('⋯ More')
  await ann.press('💬 Message')
  await ann.waitFor('Message to your sub-users (2 chats)')
  sendFormatted(product, ann)
  const preview = await ann.waitFor(/^💬 agent:\n\nBig sale$/)
  await ann.press('💬 Send to 2 chats')
  expect(await ann.read('Sending…')).toContain('▱▱▱▱▱▱ 0 of 2')
  await pass(1000)
  const told = await carls.waitFor(/^💬 agent:\n\nBig sale$/)
  expect(told.entities).toMatchObject(preview.entities)
  expect(told.entities).toMatchObject([
    { type: 'bold', offset: 0, length: 9 },
    { type: 'bold', offset: 11, length: 3 },
    { type: 'text_link', offset: 15, length: 4 },
  ])
  const inChinese = await ben.waitFor(/^💬 agent：\n\nBig sale$/)
  expect(inChinese.keyboard.flat().map(({ text }) => text)).toEqual(['🏠 主菜单', '✖️ 关闭'])
  await ann.waitFor(/✅ Sent[^]*Sent: 2 · blocked the bot: 0$/m, { evenOld: true })

  // Another one within ten minutes waits as a draft; who has muted news is left out.
  await ann.press('‹ Back')
  await ann.press('⋯ More')
  await ann.press('☑️ Select several')
  await ann.press(/⬜️ carl/)
  await ann.press('💬 Message')
  await ann.waitFor('(1 chat)')
  ann.send('Only for Carl')
  expect((await ann.press('💬 Send to 1 chat')).text).toContain('please wait 10 more minutes')
  clock.advance(10 * 60_000)
  await core.chats.setMuted(CARL.id, 'broadcast', true)
  await ann.press('💬 Send to 1 chat')
  await ann.waitFor('Sending…')
  await pass(1000)
  await ann.waitFor(/✅ Sent[^]*Sent: 0/, { evenOld: true })
  for (const phone of [ben, carls]) expect(timesTold(product, phone, /Only for Carl/)).toBe(0)

  // Five a day, however they are spread; neither customers nor other agents reach these messages.
  const write = async () => {
    clock.advance(HOUR)
    const content = { text: 'Again', entities: [], photo: null }
    const { id } = await core.messages.draft(agent, { chatId: ANN.id, userIds: null, ...content })
    return core.messages.start(agent, id)
  }
  for (let day = 0; day < 3; day += 1) await write()
  await expect(write()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
  clock.advance(24 * HOUR)
  await write()
  await core.operator.createAgent(SHELL, { username: 'rival', password: 'rivals-password' })
  const rival = await core.accounts.authenticate(
    (await core.accounts.logIn({ username: 'rival', password: 'rivals-password', address: 'test' })).token,
  )
  await expect(core.messages.start(rival, 1)).rejects.toMatchObject({ code: 'invalid_state' })
  await expect(core.messages.cancel(rival, 1)).rejects.toMatchObject({ code: 'invalid_state' })
  expect(
    await core.messages.count(
      rival,
      [carl, CUSTOMER].map((_one, index) => index + 2),
    ),
  ).toBe(0)
  await expect(core.messages.count({ ...agent, role: 'user' }, null)).rejects.toMatchObject({
    code: 'agent_required',
  })
})
