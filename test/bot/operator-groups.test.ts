import { expect, test, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedMessage, EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { actorFor, buy, startProductInTime } from '../support/notices.ts'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import { ANN, BEN, type Product, startProduct } from '../support/product.ts'

const OLGA: EmulatedUser = { id: 900, firstName: 'Olga', languageCode: 'en' }
const PETE: EmulatedUser = { id: 901, firstName: 'Pete', languageCode: 'en' }
const OFFICE = { id: -2000, title: 'Office' }
const BRANCH = { id: -2001, title: 'Branch' }
const FORUM = { id: -1_003_000_000_000, title: 'Forum', forum: true }
/** The supergroups that the groups become. */
const [OFFICE_AFTER, BRANCH_AFTER] = [-1_002_000_000_000, -1_002_000_000_001] as const

/** What is seen in a group, to which Olga has added the bot. */
function groupOf(product: Product, group: { id: number; title: string; forum?: boolean }) {
  product.telegram.addUser(OLGA)
  product.telegram.addToGroup(group, OLGA.id)
  return chatOf(product, group.id, group.forum)
}

const chatOf = ({ telegram }: Product, id: number, forum = false) =>
  createPhone(telegram, { id, firstName: 'Group', languageCode: 'en', ...(forum && { forum }) })

/** A customer asks, without a chat. */
async function ask(product: Product, text: string): Promise<void> {
  await product.core.support.open(await actorFor(product), { text, source: text })
}

const checksOf = async ({ app }: Product) => {
  const address = new URL('/readyz', app.addresses['api'])
  return ((await (await fetch(address)).json()) as { checks: object }).checks
}

test('the operators’ group becomes a supergroup: the bot stays and works there, and what it tells arrives there', async () => {
  const product = await startProduct({}, { operatorChats: [OFFICE.id] })
  const { telegram } = product
  const office = groupOf(product, OFFICE)
  telegram.sendInGroup(OFFICE.id, OLGA.id, '/operator')
  await office.press('⚙️ Set-up')
  await office.press('🌐 语言：中文')
  await office.waitFor('此聊天会收到')

  telegram.upgradeGroup(OFFICE.id, OFFICE_AFTER)
  const after = chatOf(product, OFFICE_AFTER)
  telegram.sendInGroup(OFFICE_AFTER, OLGA.id, '/operator')
  await after.waitFor('此聊天会收到')
  await ask(product, 'first')
  expect(await after.read('first')).toContain('customer 提问')

  // The environment still has the old id.
  await product.stop()
  await product.start()
  await ask(product, 'second')
  await after.waitFor('second')
  expect(telegram.isBlocked(OFFICE_AFTER)).toBe(false)
})

test('groups that became supergroups while the bot was away are known by refusals: of a notice, or before the bot leaves', async () => {
  const product = await startProduct({}, { operatorChats: [OFFICE.id, BRANCH.id] })
  const { telegram, config } = product
  const { apiRoot } = config.telegram as { apiRoot: string }
  const whileAway = async (from: number, to: number) => {
    await product.untilPolling()
    await product.stop()
    telegram.upgradeGroup(from, to)
    await fetch(`${apiRoot}/bot${telegram.token}/deleteWebhook?drop_pending_updates=true`)
    await product.start()
    return chatOf(product, to)
  }
  for (const group of [OFFICE, BRANCH]) groupOf(product, group)
  const office = await whileAway(OFFICE.id, OFFICE_AFTER)
  await ask(product, 'while away')
  await office.waitFor('while away')
  const branch = await whileAway(BRANCH.id, BRANCH_AFTER)
  telegram.sendInGroup(BRANCH_AFTER, OLGA.id, '/operator')
  await branch.waitFor('This chat is told')
})

test('a chat of the shop that is gone: others are told in its place, it is shown, and nothing for it is lost', async () => {
  const { product, pass } = await startProductInTime('2026-03-01T12:00:00.000Z', {
    operatorChats: [FORUM.id],
  })
  const { telegram, core } = product
  await core.operator.people.add(SHELL, { name: 'Pete', role: 'owner', telegramId: PETE.id })
  const pete = product.phone(PETE)
  pete.send('/operator')
  await pete.waitFor('This chat is told')
  // The group hears of tickets.
  await core.chats.setMuted(PETE.id, 'shop:help', true)
  expect(await checksOf(product)).toMatchObject({ chats: 'ok' })
  await ask(product, 'Anybody there?')
  await pete.waitFor('Anybody there?')
  await pass(61_000)
  await pete.waitFor(`I cannot write to the chat ${FORUM.id}`)
  expect(product.log.some((line) => line.includes('could not be told'))).toBe(true)
  expect(await checksOf(product)).toMatchObject({ chats: 'degraded' })
  await pete.press('🛠 Operator')
  await pete.press('⚙️ Set-up')
  await pete.press('🩺 Health')
  await pete.waitFor(`⚠️ Chats of the shop: cannot be written to: ${FORUM.id}`)

  const forum = groupOf(product, FORUM)
  await forum.waitFor('Anybody there?')
  await pass(61_000)
  await pete.waitFor(`I can write to ${FORUM.id} again`)
  expect(await checksOf(product)).toMatchObject({ chats: 'ok' })
  await ask(product, 'Thanks')
  await forum.waitFor('Thanks')
  expect(telegram.messages(PETE.id).some(({ text }) => text.includes('Thanks'))).toBe(false)
})

test('the alarm of a full disk is told to a chat that the bot may write to only later', async () => {
  const { product, clock } = await startProductInTime(
    '2026-03-01T01:00:00.000Z',
    { operatorChats: [PETE.id] },
    { diskSpace: () => Promise.resolve({ freeBytes: 499e6, totalBytes: 200e9 }) },
  )
  const look = () => {
    clock.advance(61_000)
    product.core.jobs.queue.wake()
  }
  const told = () => product.telegram.calls().filter(({ refused }) => refused?.includes('chat not found'))
  await vi.waitUntil(() => (look(), told().length > 0), PATIENCE)
  const pete = product.phone(PETE)
  pete.send('/operator')
  await pete.waitFor('This chat is told')
  await vi.waitUntil(
    () => (look(), product.telegram.messages(PETE.id).some(({ text }) => text.includes('nearly full'))),
    PATIENCE,
  )
})

test('a ticket whose topic was closed or deleted goes on in another one, or in the general one', async () => {
  const product = await startProduct({}, { operatorChats: [FORUM.id] })
  const { telegram } = product
  const forum = groupOf(product, FORUM)
  const topicOf = async (text: string) => {
    await ask(product, text)
    return (await forum.waitFor(text)).threadId
  }
  const topics = [await topicOf('one')]
  telegram.endTopic(FORUM.id, topics[0] ?? 0, 'closed')
  topics.push(await topicOf('two'))
  telegram.endTopic(FORUM.id, topics[1] ?? 0, 'deleted')
  topics.push(await topicOf('three'))
  expect(await topicOf('four')).toBe(topics[2])
  expect(new Set(topics).size).toBe(3)
  telegram.endTopic(FORUM.id, topics[2] ?? 0, 'closed')
  const description = 'Bad Request: not enough rights to create a topic'
  telegram.inject({ method: 'createForumTopic', kind: 'refusal', refusal: { code: 400, description } })
  expect(await topicOf('five')).toBeUndefined()
})

test('a notice that Telegram refuses is sent again, held back or given up with a word to the operator, by what it says', async () => {
  const product = await startProduct({}, { operatorChats: [PETE.id] })
  const { telegram } = product
  const [pete, ann] = [product.phone(PETE), await product.memberPhone(ANN)]
  const customer = await actorFor(product)
  pete.send('/operator')
  await pete.waitFor('This chat is told')
  const refuse = async (code: number, description: string) => {
    const refusal = { code, description }
    telegram.inject({ method: 'sendMessage', chatId: ANN.id, kind: 'refusal', refusal })
    return buy(product, customer)
  }
  const held = [
    [403, 'Forbidden: user is deactivated'],
    [400, 'Bad Request: chat not found'],
    [400, 'Bad Request: PEER_ID_INVALID'],
    [400, 'Bad Request: CHAT_WRITE_FORBIDDEN'],
    [400, 'Bad Request: not enough rights to send text messages to the chat'],
  ] as const
  for (const [code, description] of held) {
    const orderNo = await refuse(code, description)
    await product.until(`SELECT 1 FROM notices WHERE subject = '${orderNo}' AND status = 'blocked'`)
    ann.send('/menu')
    await ann.waitFor(orderNo)
  }
  for (const [code, description] of [
    [401, 'Unauthorized'],
    [502, 'Bad Gateway'],
  ] as const)
    await ann.waitFor(await refuse(code, description))
  for (const description of [
    'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0',
    'Bad Request: message is too long',
    'Bad Request: SOMETHING_NEW',
  ]) {
    const orderNo = await refuse(400, description)
    expect(await pete.read(orderNo)).toContain(description)
  }
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'deliver_notice')`)
})

test('answers stay in the topic of what they answer, in forums and in private chats', async () => {
  const product = await startProduct({}, { operatorChats: [FORUM.id] })
  const { telegram } = product
  const [forum, ben] = [groupOf(product, FORUM), await product.memberPhone(BEN)]
  const there = (text: string, threadId: number | undefined) => (message: EmulatedMessage) =>
    message.text.includes(text) && message.threadId === threadId
  const topic = telegram.openTopic(FORUM.id, OLGA.id, 'Shop')
  telegram.sendInGroup(FORUM.id, OLGA.id, '/operator', topic)
  await forum.waitFor(there('This chat is told', topic))
  telegram.sendInGroup(FORUM.id, OLGA.id, '/broadcast', topic)
  await forum.press('Everybody (1)')
  const question = await forum.waitFor(there('as a reply to this message', topic))
  // Within a dialogue: the preview is a message of its own.
  telegram.sendInGroup(FORUM.id, OLGA.id, 'Good news', question.messageId)
  await forum.waitFor(there('This is what they will see', topic))
  const preview = telegram.messages(FORUM.id).find(({ text, from }) => from === 'bot' && text === 'Good news')
  expect(preview?.threadId).toBe(topic)
  // Nobody writes there any more: General is better than nothing.
  telegram.endTopic(FORUM.id, topic, 'closed')
  telegram.sendInGroup(FORUM.id, OLGA.id, '/operator', topic)
  await forum.waitFor(there('This chat is told', undefined))

  const own = telegram.openTopic(BEN.id, BEN.id, '代理')
  telegram.send(BEN.id, '/menu', own)
  await ben.waitFor(there('👤 customer', own))
})
