import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { handle } from '../../src/core/job-handlers.ts'
import { everythingStored } from '../support/beside.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import type { Phone } from '../support/phone.ts'
import { BEN } from '../support/product.ts'
import { outside, PASSWORD, refused } from '../support/service.ts'
import { enter, expectHidden, pressOften, type Shop, startShop } from '../support/shop.ts'

const DAY = 86_400_000
const NEWCOMER = { ...BEN, languageCode: 'en' }
const CARL = { id: 503, firstName: 'Carl', languageCode: 'en' }

/** What a person sends who opens the link on the screen. */
function startOf(phone: Phone): string {
  const link =
    phone
      .screen()
      .message.keyboard.flat()
      .find(({ kind }) => kind === 'copy')?.value ?? ''
  expect(link).toMatch(/^https:\/\/t\.me\/shop_bot\?start=join_[\w-]{43}$/)
  return `/start ${new URL(link).searchParams.get('start')}`
}

/** Something that is pressed or, when it is a number, typed; and what the screen says then. */
type Step = readonly [answer: string, next: string]
const PLAIN: Step = ['No start balance', 'How many']
const MADE = '✅ The registration link'
const MAKE: Step = ['✅ Make the link now', MADE]

/** The agent makes a link. */
async function makeLink(ann: Phone, ...steps: readonly Step[]): Promise<string> {
  ann.send('/users')
  await ann.press('📣 Registration links')
  await ann.press('🎁 With a gift or limits')
  await ann.waitFor('Which start balance')
  for (const [answer, next] of steps) {
    if (/^\d+$/.test(answer)) ann.send(answer)
    else await ann.press(answer)
    await ann.waitFor(next)
  }
  return startOf(ann)
}

async function register(phone: Phone, link: string, username: string): Promise<void> {
  phone.send(link)
  await phone.waitFor('boss invites you')
  await phone.press('✏️ Other name')
  await phone.waitFor('Send me the username')
  phone.send(username)
  await phone.waitFor(`👤 ${username}`)
}

/** Lets the bot deliver the digests. */
async function tellAgents({ core, bot, clock }: Shop): Promise<void> {
  clock.advance(60_000)
  const handlers = core.jobs.handlers(outside({ messenger: bot.messenger }))
  for (const job of await core.jobs.queue.claim(32, 60_000)) await handle(handlers, job)
}

describe('a registration link', () => {
  it('makes newcomers sub-users with a start balance, which the agent pays and hears of', async () => {
    const shop = await startShop()
    const { ann, boss, core, phone } = shop
    const link = await makeLink(
      ann,
      ['60', 'together'],
      ['100', 'How many'],
      ['No limit', 'how many days'],
      MAKE,
    )
    const ben = phone(NEWCOMER)
    ben.send(link)
    await ben.waitFor('You start with 60.00 USD')
    await ben.press('✏️ Other name')
    await ben.waitFor('Send me the username')
    ben.send('BOSS')
    await ben.waitFor('This username is taken')
    // Cancel leads back to what the link offers.
    await ben.press('Cancel')
    await ben.waitFor('You start with 60.00 USD')
    await ben.press('✅ Register as ben')
    await ben.waitFor('👤 ben')
    expect(ben.screen().text).toContain('60.00 USD')
    expect(await core.accounts.balance(boss)).toMatchObject({ balance: 40_000_000 })

    // Neither the agent's money nor the budget pays for another one.
    await register(phone(CARL), link, 'carl')
    await tellAgents(shop)
    const told = await ann.waitFor('New sub-users by your registration links', { evenOld: true })
    expect(told.text).toContain('ben: registered, start balance 60.00 USD')
    expect(told.text).toContain('carl: registered')
    const { items } = await core.accounts.listSubUsers(boss, {})
    expect(items.map(({ username, balance }) => [username, balance])).toEqual([
      ['carl', 0],
      ['ben', 60_000_000],
    ])
    await shop.audited()
  })

  it('registers a newcomer once when the bot was killed before it answered, and when it is pressed twice', async () => {
    const shop = await startShop()
    const link = await makeLink(shop.ann, ['60', 'together'], MAKE)
    const [ben, carl] = [shop.phone(NEWCOMER), shop.phone(CARL)]
    ben.send(link)
    await ben.press('✏️ Other name')
    await ben.waitFor('Send me the username')
    // What the killed bot had done with the message that it gets again now.
    await shop.core.chats.join(NEWCOMER.id, { token: link.replace(/^.*join_/, ''), username: 'ben' })
    ben.send('ben')
    await ben.waitFor('👤 ben')
    carl.send(link)
    await pressOften(shop, carl, '✅ Register as carl')
    await carl.waitFor('👤 carl')
    expect((await shop.core.accounts.listSubUsers(shop.boss, {})).items).toMatchObject([
      { username: 'carl', balance: 0 },
      { username: 'ben', balance: 60_000_000 },
    ])
    await shop.audited()
  })

  it('suggests a free name from that at Telegram, in Latin letters, and another one when it is taken meanwhile', async () => {
    const shop = await startShop()
    const link = await makeLink(shop.ann, PLAIN, MAKE)
    const token = link.replace(/^.*join_/, '')
    const suggestion = async (id: number, names: Partial<EmulatedUser>) => {
      const phone = shop.phone({ id, firstName: 'x', languageCode: 'en', ...names })
      phone.send(link)
      await phone.waitFor('boss invites you')
      return phone.buttons()[0]
    }
    expect(await suggestion(601, { firstName: 'Юля', username: 'Julia_P' })).toBe('✅ Register as julia_p')
    expect(await suggestion(602, { firstName: 'Щукин' })).toBe('✅ Register as shchukin')
    expect(await suggestion(603, { firstName: 'Zoë 🌸' })).toBe('✅ Register as zoe')
    expect(await suggestion(604, { firstName: '王小明' })).toBe('✅ Register as 王小明')
    expect(await suggestion(605, { firstName: '王' })).toMatch(/^✅ Register as 王_\d{4}$/)
    expect(await suggestion(606, { firstName: '😀😀😀' })).toMatch(/^✅ Register as user_\d{4}$/)
    expect(await suggestion(607, { firstName: 'Boss' })).toMatch(/^✅ Register as boss_\d{4}$/)
    const ben = shop.phone(NEWCOMER)
    ben.send(link)
    await ben.waitFor('boss invites you')
    await shop.core.chats.session(700, 'en')
    await shop.core.chats.join(700, { token, username: 'ben' })
    await ben.press('✅ Register as ben')
    await ben.waitFor('This username is taken')
    await ben.press(/^✅ Register as ben_\d{4}$/)
    await ben.waitFor(/👤 ben_\d{4}/)
    // Beyond the attempts of a chat, names have a number, taken or not: nobody finds out which are.
    for (let attempt = 1; attempt <= 20; attempt += 1)
      await shop.core.accounts.suggestUsername(608, { firstName: 'boss' })
    expect(await suggestion(608, { firstName: 'Nobody' })).toMatch(/^✅ Register as nobody_\d{4}$/)
  })

  it('lets the newcomer in without a password, again after a log-out, until one is set', async () => {
    const shop = await startShop()
    const link = await makeLink(shop.ann, PLAIN, MAKE)
    const [ben, carl] = [shop.phone(NEWCOMER), shop.phone(CARL)]
    ben.send(link)
    await ben.press('✅ Register as ben')
    await ben.waitFor('👤 ben')
    await refused(enter(shop, 'ben', 'password-of-ben'), 'invalid_credentials')
    ben.send('/logout')
    await ben.press('Log out')
    await ben.press('➡️ Log in as ben')
    await ben.waitFor('👤 ben')
    // Only for who has registered it.
    await refused(shop.core.chats.logInRegistered(carl.chatId, 2), 'user_not_found')

    ben.send('/settings')
    await ben.press('🔑 Set a password')
    await ben.waitFor('Send me a password')
    ben.send('short')
    await ben.waitFor('At least 6 characters')
    ben.send('password-of-ben')
    await ben.waitFor('Your new password is set')
    await enter(shop, 'ben', 'password-of-ben')
    await expectHidden(shop, 'password-of-ben')
    ben.send('/settings')
    await ben.press('🔑 Change password')
    await ben.waitFor('current password')
    ben.send('/logout')
    await ben.press('Log out')
    await ben.waitFor('Proxies for your business')
    expect(ben.buttons()).not.toContain('➡️ Log in as ben')
  })

  it('lets a newcomer in without a start balance when the agent has no money, and tells the agent', async () => {
    const shop = await startShop()
    const { ann, phone, core, boss } = shop
    const link = await makeLink(ann, ['500', 'together'], MAKE)
    const ben = phone(NEWCOMER)
    ben.send(link)
    const { text } = await ben.waitFor('boss invites you')
    expect(text).not.toContain('You start with')
    await register(ben, link, 'ben')
    await tellAgents(shop)
    await ann.waitFor('ben: registered without the start balance of 500.00 USD', { evenOld: true })
    expect(await core.accounts.balance(boss)).toMatchObject({ balance: 100_000_000 })
    await shop.audited()
  })

  it('gives a Telegram user one start balance, and three accounts a day', async () => {
    const shop = await startShop()
    const { ann, phone, core, clock, boss } = shop
    const link = await makeLink(ann, ['1', 'together'], MAKE)
    const ben = phone(NEWCOMER)
    await register(ben, link, 'ben-1')
    for (const username of ['ben-2', 'ben-3', 'ben-4']) {
      await core.chats.logOut(ben.chatId)
      if (username !== 'ben-4') await register(ben, link, username)
    }
    ben.send(link)
    await ben.press('✏️ Other name')
    await ben.waitFor('Send me the username')
    ben.send('ben-4')
    await ben.waitFor('Too many attempts')
    expect(await core.accounts.balance(boss)).toMatchObject({ balance: 99_000_000 })
    clock.advance(DAY)
    await register(ben, link, 'ben-4')
    await shop.audited()
  })

  it('limits how many usernames are tried', async () => {
    const shop = await startShop()
    const link = await makeLink(shop.ann, PLAIN, MAKE)
    const { core } = shop
    const ben = shop.phone(NEWCOMER)
    ben.send(link)
    await ben.press('✏️ Other name')
    await ben.waitFor('Send me the username')
    const registration = { token: link.replace(/^.*join_/, ''), username: 'boss' }
    // The suggestion was the first attempt.
    for (let attempt = 2; attempt <= 20; attempt += 1)
      await refused(core.chats.join(ben.chatId, registration), 'username_taken')
    ben.send('ben')
    await ben.waitFor('Too many attempts')
  })

  it('ends: when it is used up, after its days, when the agent ends it, and with the agent', async () => {
    const shop = await startShop()
    const { ann, phone, clock, core, boss } = shop
    const [ben, cleo] = [phone(NEWCOMER), phone(CARL)]
    const isOver = async (link: string) => {
      cleo.send(link)
      await cleo.waitFor('This registration link is no longer valid')
    }
    const once = await makeLink(ann, PLAIN, ['1', 'how many days'], ['No limit', MADE])
    // It is used up while somebody still types.
    cleo.send(once)
    await cleo.press('✏️ Other name')
    await cleo.waitFor('Send me the username')
    await register(ben, once, 'ben')
    cleo.send('cleo')
    await cleo.waitFor('This registration link is no longer valid')
    await isOver(once)
    const week = await makeLink(ann, PLAIN, ['No limit', 'how many days'], ['7', MADE])
    // Without its buttons the message would leave the chat without any.
    await ann.press('👌 Got it')
    await ann.waitFor('Main menu')
    cleo.send(week)
    await cleo.waitFor('boss invites you')
    clock.advance(7 * DAY)
    await isOver(week)
    const ended = await makeLink(ann, PLAIN, MAKE)
    const { message } = ann.screen()
    await ann.press('🏠 Menu')
    await ann.waitFor('Main menu')
    // The link stays in the chat, and its page has it, too.
    expect(
      shop.telegram.messages(ann.chatId).find(({ messageId }) => messageId === message.messageId)?.text,
    ).toBe(message.text)
    ann.send('/users')
    await ann.press('📣 Registration links')
    await ann.press(/^🟢 #3/)
    await ann.waitFor('🟢 Open')
    expect(startOf(ann)).toBe(ended)
    expect(await everythingStored(shop)).not.toContain(ended.replace('/start join_', ''))
    await ann.press('⛔ End this link')
    await ann.waitFor('End this link?')
    await ann.press('⛔ End this link')
    await ann.waitFor('#3 · ⛔ Ended')
    await isOver(ended)
    await isOver('/start join_made-up')
    const last = await makeLink(ann, PLAIN, MAKE)
    await core.operator.editAgent(SHELL, boss.username, { enabled: false })
    await isOver(last)
  })

  it('asks whoever is logged in whether to stay', async () => {
    const shop = await startShop()
    const { ann } = shop
    const link = await makeLink(ann, PLAIN, MAKE)
    ann.send(link)
    await ann.waitFor('You are logged in as boss')
    await ann.press('Stay boss')
    await ann.waitFor('👤 boss')
    ann.send(link)
    await ann.press('➕ New account')
    await ann.press('✅ Register as ann')
    await ann.waitFor('👤 ann')
    await enter(shop, 'boss', PASSWORD)
  })

  it('says what cannot be: no amount, a budget below one start balance, no number', async () => {
    const { ann } = await startShop()
    ann.send('/users')
    await ann.press('📣 Registration links')
    await ann.press('🎁 With a gift or limits')
    ann.send('much')
    await ann.waitFor('This is not an amount')
    ann.send('5')
    await ann.waitFor('together')
    ann.send('4')
    await ann.waitFor('smaller than one start balance')
    ann.send('50')
    await ann.waitFor('How many')
    ann.send('0')
    await ann.waitFor('Send a whole number from 1 to 1,000,000.')
  })
})
