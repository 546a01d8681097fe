import { describe, expect, it } from 'vitest'
import type { Phone } from '../support/phone.ts'
import { AGENT, ANN, BEN, logIn, startProduct } from '../support/product.ts'
import { PASSWORD, refused } from '../support/service.ts'
import { enter, expectHidden, startShop } from '../support/shop.ts'

const CLEO = { id: 503, firstName: 'Cleo', languageCode: 'en' }
const HOUR = 3_600_000

/** The agent makes a link for a user; answers what the person who opens it sends. */
async function invite(agent: Phone, username: string): Promise<string> {
  agent.send('/users')
  await agent.press(new RegExp(` ${username} `))
  await agent.press('🔗 Invitation link')
  const { text, keyboard } = await agent.waitFor(`Invitation for ${username}`)
  const link = keyboard.flat().find(({ kind }) => kind === 'copy')?.value ?? ''
  expect(text).toContain(link)
  expect(link).toMatch(/^https:\/\/t\.me\/shop_bot\?start=[\w-]{1,64}$/)
  return `/start ${new URL(link).searchParams.get('start')}`
}

describe('an invitation', () => {
  it('logs its chat in, asks for an own password, and does no harm when it is opened there again', async () => {
    const shop = await startShop()
    const { ann, boss, customer, core, phone, telegram } = shop
    await customer(boss, { name: 'anna', balance: 5 })
    const { token } = await enter(shop, 'anna', PASSWORD)
    const cleo = phone(CLEO)
    await logIn(cleo, { username: 'anna', password: PASSWORD })
    const ben = phone(BEN)
    const link = await invite(ann, 'anna')

    ben.send(link)
    await ben.waitFor('欢迎，anna！')
    await ben.press('取消')
    await ben.waitFor('👤 anna')
    ben.send(link)
    await ben.waitFor('欢迎，anna！')
    ben.send('short')
    await ben.waitFor('至少需要 6 个字符')
    ben.send('own-password-of-anna')
    await ben.waitFor('新密码已生效')
    ben.send(link)
    await ben.waitFor('👤 anna')
    // The token opens nothing any more, but the link as a person sent it stays in no chat either.
    expect(telegram.messages(BEN.id).some(({ text }) => text.includes('inv_'))).toBe(false)

    await enter(shop, 'anna', 'own-password-of-anna')
    await refused(core.accounts.authenticate(token), 'token_invalid')
    cleo.send('/balance')
    await cleo.waitFor('Your password was changed')
    await ann.press('🏠 Menu')
    await ann.waitFor('👤 boss')
    await expectHidden(shop, 'own-password-of-anna', link.slice('/start inv_'.length))
  })

  it('is good for one chat, seven days, the last link, and an account that can log in', async () => {
    const shop = await startShop()
    const { ann, boss, customer, phone, clock, core } = shop
    const user = await customer(boss, { name: 'anna' })
    const [ben, cleo] = [phone({ ...BEN, languageCode: 'en' }), phone(CLEO)]
    const opened = async (link: string, text: string) => {
      cleo.send(link)
      await cleo.waitFor(text)
      await cleo.waitForButton('🔑 Log in')
    }
    const used = await invite(ann, 'anna')
    // Two people at the same time: one of them is too late.
    ben.send(used)
    cleo.send(used)
    const welcome = await Promise.race(
      [ben, cleo].map(async (each) => (await each.waitFor('Welcome, anna')) && each),
    )
    const late = welcome === ben ? cleo : ben
    await late.waitFor('This link has already been used')
    await core.chats.logOut(welcome.chatId)
    await opened(used, 'This link has already been used')
    await opened('/start inv_made-up', 'This link is not valid')
    await opened(`/start inv_${'x'.repeat(200)}`, 'This link is not valid')

    const old = await invite(ann, 'anna')
    clock.advance(7 * 24 * HOUR)
    await opened(old, 'This link has expired')
    const first = await invite(ann, 'anna')
    const second = await invite(ann, 'anna')
    await opened(first, 'This link has expired')
    await core.accounts.setSubUserStatus(boss, user.id, { status: 'disabled' })
    await opened(second, 'Your account was disabled')
    await core.accounts.setSubUserStatus(boss, user.id, { status: 'active' })
    // A new password locks everybody out, whoever has a link included.
    await core.accounts.editSubUserAccount(boss, user.id, { password: 'another-password' })
    await opened(second, 'This link has expired')
    const third = await invite(ann, 'anna')
    await core.accounts.deleteSubUser(boss, user.id)
    await opened(third, 'Your account no longer exists')
  })

  it('asks before it logs somebody else out', async () => {
    const shop = await startShop()
    const { ann, boss, customer } = shop
    await customer(boss, { name: 'anna' })
    const link = await invite(ann, 'anna')
    ann.send(link)
    await ann.waitFor('you are logged in as boss')
    await ann.press('🏠 Menu')
    await ann.waitFor('👤 boss')
    ann.send(link)
    await ann.waitFor('you are logged in as boss')
    await ann.press('Use the invitation')
    await ann.waitFor('Welcome, anna')
    ann.send('own-password-of-anna')
    await ann.waitFor('Your new password is set')
    await ann.press('🏠 Menu')
    await ann.waitFor('👤 anna')
  })

  it('lets nobody set a password who did not come in by it', async () => {
    const shop = await startShop()
    const { ann, boss, customer, core } = shop
    const user = await customer(boss, { name: 'anna' })
    const token = (await invite(ann, 'anna')).slice('/start inv_'.length)
    const set = (actor: typeof user) =>
      core.accounts.setInvitedPassword(actor, ANN.id, { token, password: 'stolen-password' })
    await refused(set(user), 'invalid_state')
    await core.chats.openInvite(ANN.id, token)
    await refused(set(boss), 'invalid_state')
    await set(user)
    await refused(set(user), 'invalid_state')
  })
})

describe("one's own password", () => {
  it('is changed after the present one was given, and ends all log-ins but this one', async () => {
    const shop = await startShop()
    const { ann, core, phone, telegram, bugs } = shop
    const { token } = await enter(shop, 'boss', PASSWORD)
    const cleo = phone(CLEO)
    await logIn(cleo, { username: 'boss', password: PASSWORD })
    const change = () => telegram.pressStale(ANN.id, ann.screen().message.messageId, 'pwd')
    await change()
    await ann.waitFor('current password')
    ann.send('not-the-password')
    await ann.waitFor('Wrong password')
    ann.send(PASSWORD)
    await ann.waitFor('the new password')
    ann.send('12345')
    await ann.waitFor('At least 6 characters')
    ann.send('x'.repeat(51))
    await ann.waitFor('At most 50 characters')
    ann.send('next-password-of-boss')
    await ann.waitFor('are logged out everywhere else')
    await ann.press('🏠 Menu')
    await ann.waitFor('👤 boss')
    cleo.send('/balance')
    await cleo.waitFor('Your password was changed')
    await refused(core.accounts.authenticate(token), 'token_invalid')
    await enter(shop, 'boss', 'next-password-of-boss')
    await expectHidden(shop, 'next-password-of-boss')

    await change()
    await ann.waitFor('current password')
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      ann.send(`guess-${attempt}`)
      await ann.waitFor(
        attempt % 2 === 1 ? '⚠️ Wrong password.' : '⚠️ That does not work either. Wrong password.',
      )
    }
    ann.send('next-password-of-boss')
    await ann.waitFor('Too many attempts')
    expect(bugs()).toEqual([])
  })
})

describe('the security log', () => {
  it('says who invited whom, who came in, and who changed a password', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN, AGENT)
    product.log.length = 0
    ann.send('/users')
    await ann.press('⋯ More')
    await ann.press('📋 Many at once')
    ann.send('dora,,5\nerin')
    await ann.waitFor('2 new sub-users')
    await ann.press('✅ Create 2 accounts')
    await ann.waitFor('2 accounts are created')
    const ben = product.phone(CLEO)
    ben.send(await invite(ann, 'dora'))
    await ben.waitFor('Welcome')
    ben.send('own-password-of-dora')
    await ben.waitFor('Your new password is set')
    await product.telegram.pressStale(CLEO.id, ben.screen().message.messageId, 'pwd')
    ben.send('wrong-password')
    await ben.waitFor('Wrong password')
    ben.send('own-password-of-dora')
    await ben.waitFor('the new password')
    ben.send('last-password-of-dora')
    await ben.waitFor('Your new password is set')

    const lines = product.log.map((line) => JSON.parse(line) as Record<string, unknown>)
    const events = lines
      .filter(({ msg }) => msg === 'security')
      .map(({ level: _l, time: _t, pid: _p, hostname: _h, msg: _m, ...event }) => event)
    const [dora, erin] = [3, 4]
    const agent = { account: 1, from: `chat ${ANN.id}` }
    const invited = { account: dora, from: `chat ${CLEO.id}` }
    expect(events).toEqual([
      { event: 'sub_user_created', ...agent, target: dora, amount: 5 },
      { event: 'sub_user_created', ...agent, target: erin },
      { event: 'invite_created', ...agent, target: dora },
      { event: 'invite_opened', ...invited },
      { event: 'password_changed', ...invited },
      { event: 'password_refused', ...invited, error: 'invalid_credentials' },
      { event: 'password_changed', ...invited },
    ])
    expect(product.log.join('')).not.toMatch(/password-of-dora|wrong-password/)
  })
})
