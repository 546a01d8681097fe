import { expect, test } from 'vitest'
import { toPng } from '../../src/bot/kit/charts/png.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { addAgentBot } from '../support/own-bots.ts'
import { actorFor } from '../support/notices.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct } from '../support/product.ts'

const OLGA = { id: 900, firstName: 'Olga', languageCode: 'en' }
const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }
const PICTURE = { fileName: 'sale.png', mimeType: 'image/png', kind: 'photo' } as const
const FILE = { fileName: 'log.txt', mimeType: 'text/plain', content: Buffer.from('timeout') }

/** A shop whose agent Ben has a bot, in which Ann is logged in as one customer, and Carl as another. */
async function startWithBot() {
  const product = await startProduct({}, { operatorChats: [OLGA.id], agentBots: { most: [1] } })
  const { core } = product
  const agent = await actorFor(product, AGENT)
  const ben = await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  await core.accounts.createSubUser(agent, { username: 'carl', password: 'carls-password' })
  const bot = await addAgentBot(product, agent, BEN.id)
  const enter = async (user: typeof CARL, username: string) => {
    const { items } = await core.accounts.listSubUsers(agent, {})
    const { id } = items.find((each) => each.username === username) ?? {}
    const { token } = await core.accounts.createInvite(agent, id)
    const phone = product.phone(user, bot.botUsername)
    phone.send(`/start inv_${token}`)
    await phone.waitFor(`👤 ${username}`)
    return phone
  }
  return { product, agent, ben, bot, carl: await enter(CARL, 'carl'), ann: await enter(ANN, 'customer') }
}

async function picture(): Promise<Buffer> {
  return Buffer.from(
    await toPng('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>'),
    'base64',
  )
}

/** What the shop's bot, or another one, has written to somebody with these words. */
function told({ telegram }: Product, chatId: number, text: string): number {
  return telegram.messages(chatId).filter((message) => message.from === 'bot' && message.text.includes(text))
    .length
}

test('what an agent writes reaches each of its people once, in its bot, with the picture, which is uploaded once', async () => {
  const { product, agent, bot, ann, carl } = await startWithBot()
  const { core, telegram } = product
  // Ann has the account in both bots.
  await product.memberPhone(ANN, CUSTOMER)
  const sent = telegram.sendFile(BEN.id, { ...PICTURE, content: await picture() })
  const photo = telegram.messages(BEN.id).find(({ messageId }) => messageId === sent)?.file?.fileId ?? null
  const write = async (text: string) => {
    const content = { text, entities: [], photo, chatId: BEN.id, userIds: null }
    const { id } = await core.messages.draft(agent, content)
    await core.messages.start(agent, id)
    const [mine] = await Promise.all([ann, carl].map((phone) => phone.waitFor(text)))
    return mine
  }
  expect(await write('Big sale')).toMatchObject({ text: 'Big sale', file: { kind: 'photo' } })
  expect(told(product, ANN.id, 'Big sale')).toBe(0)
  const photos = bot.calls().filter(({ method }) => method === 'sendPhoto')
  const uploads = photos.filter(({ parameters }) => String(parameters['photo']).startsWith('attach://'))
  expect([photos.length, uploads.length]).toEqual([2, 1])
})

test('the shop writes to the chats of its own bot only', async () => {
  const { product, ben, bot } = await startWithBot()
  const { core } = product
  const content = { text: 'From the shop', entities: [], photo: null }
  const { id } = await core.operator.broadcasts.draft(SHELL, { chatId: OLGA.id, audience: 'all', ...content })
  await core.operator.broadcasts.start(SHELL, { id })
  await ben.waitFor('From the shop')
  await product.until(`SELECT 1 FROM broadcasts WHERE status = 'done'`)
  for (const { id: chatId } of [ANN, CARL])
    expect(bot.messages(chatId).filter(({ text }) => text.includes('From the shop'))).toEqual([])
})

test('pictures and files of tickets cross between the bots, in both directions', async () => {
  const { product, bot, carl } = await startWithBot()
  const { telegram } = product
  const olga = product.phone(OLGA)
  olga.send('/operator')
  await olga.waitFor(/./)
  await carl.press('💬 Support')
  await carl.press('✍️ Ask something')
  await carl.waitFor('What is it about?')
  bot.sendFile(CARL.id, { ...PICTURE, content: await picture(), caption: 'Look here' })
  const asked = await olga.waitFor('Look here')
  expect(asked.file?.kind).toBe('photo')

  telegram.send(OLGA.id, 'A log, please.', asked.messageId)
  const answer = await carl.waitFor('A log, please.')
  expect(answer.text).toContain('Support has answered')
  bot.sendFile(CARL.id, { ...FILE, caption: 'Here' })
  const log = await olga.waitFor('Here')
  expect(await olga.file(log)).toMatchObject({ content: FILE.content })
  await olga.press('✍️ Answer')
  olga.sendFile({ ...FILE, fileName: 'fixed.txt', caption: 'Try this' })
  expect((await carl.waitFor('Try this')).file?.kind).toBe('document')
  expect(product.log.filter((line) => line.includes('"level":50'))).toEqual([])
})

test('the links of an agent lead to its bot, and to that of the shop while it does not work', async () => {
  const { product, agent, ben, bot } = await startWithBot()
  const { core } = product
  const links = async () => {
    const { start } = await core.accounts.createJoinLink(agent, {})
    const [sub] = (await core.accounts.listSubUsers(agent, {})).items
    const { token } = await core.accounts.createInvite(agent, sub?.id)
    return [await core.bots.ofLink(start), await core.bots.ofLink(`inv_${token}`)]
  }
  expect(await links()).toEqual(['palace_bot', 'palace_bot'])
  ben.send('/users')
  await ben.press(/carl/)
  await ben.press(/Invit/)
  expect((await ben.waitFor(/t\.me|link/i)).text + JSON.stringify(ben.screen().message)).toContain(
    'https://t.me/palace_bot?start=inv_',
  )
  await core.bots.command(agent, bot.about().id, 'paused')
  expect(await links()).toEqual([undefined, undefined])
  const { token } = await core.operator.inviteAgent(SHELL, AGENT.username)
  expect(await core.bots.ofLink(`inv_${token}`)).toBeUndefined()
})
