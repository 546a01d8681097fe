import { createHash } from 'node:crypto'
import { SHELL } from '../../src/core/people/operator.ts'
import { handle } from '../../src/core/job-handlers.ts'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createMailer } from '../../src/mail/mailer.ts'
import { BALANCE, expectRefusal, openApi } from '../support/api.ts'
import { beside, everyRow } from '../support/beside.ts'
import { startMailServer } from '../support/mail-server.ts'
import { AGENT, startProduct } from '../support/product.ts'
import { outside, PASSWORD } from '../support/service.ts'

const CREATE_USER = '/open/app/user/v2'
const LOGIN = '/auth/login'
const HOUR = 3_600_000
const NEWCOMER = { username: 'newcomer', password: 'secret-1', email: 'newcomer@example.com' }

/** The service with a mail server, and an agent that has just created a user with an e-mail address. */
async function newcomer() {
  const mails = await startMailServer()
  const logger = pino({ level: 'silent' })
  const mailer = createMailer({ url: mails.url, from: 'Shop <shop@example.com>', logger })
  const api = await openApi({ mailer })
  const seller = await api.agent({ name: 'seller', balance: 100 })
  const client = await api.as(seller)
  const created = await client.post(CREATE_USER, { ...NEWCOMER, balance: 5 })
  const id = (created.body.data as unknown as { id: number }).id
  const logIn = (password = NEWCOMER.password, base: '/a/api' | '/b/api' = '/a/api') =>
    api.call('POST', LOGIN, { payload: { username: NEWCOMER.username, password }, base })
  const open = (link: string, method: 'GET' | 'HEAD' = 'GET') =>
    api.server.inject({ method, url: link.replace('https://shop.example.com', '') })
  /** Presses the button of the page, as browsers do. */
  const press = (link: string) =>
    api.server.inject({
      method: 'POST',
      url: link.replace('https://shop.example.com', ''),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: '',
    })
  const row = () => api.db.read.account.findUniqueOrThrow({ where: { id } })
  return { ...api, mails, client, created, id, logIn, open, press, row }
}

function linkIn(text: string): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (!link) throw new Error('the mail has no link')
  return link
}

test('A new user with an e-mail address gets in by the button behind the link in its mail, which can be opened before and after', async () => {
  const { created, logIn, open, press, runJobs, mails, call, row } = await newcomer()
  expect(created.body.data).toMatchObject({ status: 'active', activated: false, balance: 5 })
  const english = await logIn()
  expectRefusal(english, 403, 'account_not_activated')
  expect(english.body.message).toBe('Account not activated')
  expect((await logIn(NEWCOMER.password, '/b/api')).body.message).toBe('账号未激活,请先前往邮箱点击激活链接')

  await runJobs()
  expect(mails.received).toHaveLength(1)
  const [mail] = mails.received
  expect(mail).toMatchObject({ from: 'shop@example.com', to: [NEWCOMER.email] })
  expect(mail?.headers).toMatchObject({
    from: 'Shop <shop@example.com>',
    to: NEWCOMER.email,
    'auto-submitted': 'auto-generated',
    'message-id': expect.stringMatching(/^<activation-[\w-]{43}@example\.com>$/),
  })
  expect(mail?.text).toContain('"newcomer"')
  expect(mail?.text).toContain('72 hours')
  expect(mail?.text).toContain('激活账号')
  const link = linkIn(mail?.text ?? '')
  expect(link).toMatch(/^https:\/\/shop\.example\.com\/api\/auth\/activate\?token=[\w-]{43}$/)

  // Programs that examine mails open the link, too.
  for (const page of [await open(link), await open(link)]) {
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*form-action 'self'/),
    })
    expect(page.body).toContain('<form method="post"><button>Activate</button></form>')
    expect(page.body).toContain('<form method="post"><button>激活</button></form>')
    expect(page.body).toContain('<b>newcomer</b>')
  }
  expectRefusal(await logIn(), 403, 'account_not_activated')
  for (const page of [await press(link), await open(link), await press(link)]) {
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('Account activated')
    expect(page.body).toContain('账号已激活')
    expect(page.body).toContain('<b>newcomer</b>')
    expect(page.body).not.toContain('<button>')
  }

  const login = await logIn()
  expect(login.status).toBe(200)
  const headers = { authorization: `Bearer ${login.body.data.token}` }
  expect((await call('GET', BALANCE, { headers })).body.data.balance).toBe(5)
  expect(await row()).toMatchObject({ activated: true, activationHash: null, activationUntil: null })
})

test('A stranger’s, a wrong and a missing token do nothing, with a page and no clue', async () => {
  const { open, press, runJobs, mails, logIn } = await newcomer()
  await runJobs()
  const link = linkIn(mails.received[0]?.text ?? '')
  const path = '/api/auth/activate'
  const bad = [
    path,
    `${path}?token=`,
    `${path}?token=x`,
    `${path}?token=${'x'.repeat(5000)}`,
    `${link}x`,
    `${link}&token=y`,
    `${path}?token=%00`,
  ]
  for (const url of bad)
    for (const page of [await open(url), await press(url)]) {
      expect({ url, status: page.statusCode, type: page.headers['content-type'] }).toEqual({
        url,
        status: 410,
        type: 'text/html; charset=utf-8',
      })
      expect(page.body).toContain('链接无效')
      expect(page.body).not.toContain('newcomer')
    }
  expectRefusal(await logIn(), 403, 'account_not_activated')
  expect((await press(link)).statusCode).toBe(200)
  expect((await logIn()).status).toBe(200)
})

test('Without its address a user that waits is active, and the link leads nowhere', async () => {
  const { core, open, press, runJobs, mails, logIn } = await newcomer()
  await runJobs()
  const link = linkIn(mails.received[0]?.text ?? '')
  await core.operator.editContact(SHELL, NEWCOMER.username, { email: '' })
  expect((await logIn()).status).toBe(200)
  expect([(await open(link)).statusCode, (await press(link)).statusCode]).toEqual([410, 410])
})

test('The link is served under every base address', async () => {
  const { open, press, runJobs, mails } = await newcomer()
  await runJobs()
  const link = linkIn(mails.received[0]?.text ?? '')
  expect((await open(link, 'HEAD')).statusCode).toBe(405)
  expect((await press(link.replace('/api/', '/b/api/'))).statusCode).toBe(200)
})

test('The database holds a hash of the token and not the token; the log holds neither', async () => {
  const shop = await newcomer()
  const { runJobs, mails, row, press, log } = shop
  await runJobs()
  const link = linkIn(mails.received[0]?.text ?? '')
  const token = link.split('=')[1] ?? ''
  expect((await row()).activationHash).toBe(createHash('sha256').update(token).digest('base64url'))
  expect(await everyRow(await beside(shop))).not.toContain(token)
  await press(link)
  expect(await everyRow(await beside(shop))).not.toContain(token)
  expect(JSON.stringify(log)).not.toContain(token)
})

test('The link is good for 72 hours; after that the next log-in has another one mailed, and only one', async () => {
  const { press, runJobs, mails, logIn, clock } = await newcomer()
  await runJobs()
  const first = linkIn(mails.received[0]?.text ?? '')
  clock.advance(72 * HOUR - 1)
  expectRefusal(await logIn(), 403, 'account_not_activated')
  await runJobs()
  expect(mails.received).toHaveLength(1)
  clock.advance(1)
  expect((await press(first)).statusCode).toBe(410)
  expectRefusal(await logIn('wrong password'), 401, 'invalid_credentials')
  await runJobs()
  expect(mails.received).toHaveLength(1)
  for (let n = 0; n < 3; n += 1) expectRefusal(await logIn(), 403, 'account_not_activated')
  await runJobs()
  expectRefusal(await logIn(), 403, 'account_not_activated')
  await runJobs()
  expect(mails.received).toHaveLength(2)
  const second = linkIn(mails.received[1]?.text ?? '')
  expect(second).not.toBe(first)
  expect((await press(first)).statusCode).toBe(410)
  expect((await press(second)).statusCode).toBe(200)
  expect((await logIn()).status).toBe(200)
})

test('A token of a user that is not activated is refused like its log-in', async () => {
  const { as, call, db, runJobs, clock, core } = await newcomer()
  await runJobs()
  const member = await openedAccount()
  expectRefusal(await call('GET', BALANCE, { headers: member }), 403, 'account_not_activated')
  await core.chats.session(9, 'en')
  await expect(core.chats.logIn(9, NEWCOMER)).rejects.toMatchObject({ code: 'account_not_activated' })

  /** A token from a time when the account was activated. */
  async function openedAccount() {
    const user = await db.read.account.findUniqueOrThrow({
      where: { username: 'seller', usernameKey: 'seller' },
    })
    const { token } = await as({ id: user.id, username: 'seller', role: 'agent', agentId: null, level: 1 })
    clock.advance(1)
    await db.write((tx) => tx.account.update({ where: { id: user.id }, data: { activated: false } }))
    return { authorization: `Bearer ${token}` }
  }
})

test('Who is disabled hears that first, and a deleted user cannot be activated', async () => {
  const { client, id, logIn, press, runJobs, mails } = await newcomer()
  await runJobs()
  const link = linkIn(mails.received[0]?.text ?? '')
  await client.patch(`/open/app/agent/sub-users/${id}/status`, { status: 'disabled' })
  expectRefusal(await logIn(), 403, 'account_disabled')
  await client.patch(`/open/app/agent/sub-users/${id}/status`, { status: 'active' })
  expectRefusal(await logIn(), 403, 'account_not_activated')
  await client.delete(`/open/app/agent/sub-users/${id}`)
  expect((await press(link)).statusCode).toBe(410)
  expectRefusal(await logIn(), 401, 'invalid_credentials')
})

test('A user that is deleted before the mail has left gets none', async () => {
  const { client, id, runJobs, mails, db } = await newcomer()
  await client.delete(`/open/app/agent/sub-users/${id}`)
  await runJobs()
  expect(mails.received).toEqual([])
  expect(await db.read.job.count()).toBe(0)
})

test('Nobody waits for a mail that is not sent: without an address, for an agent, or where no mail is configured', async () => {
  const { client, call, core, db } = await newcomer()
  const plain = await client.post(CREATE_USER, { username: 'plain', password: PASSWORD })
  expect(plain.body.data).toMatchObject({ activated: true })
  expect((await call('POST', LOGIN, { payload: { username: 'plain', password: PASSWORD } })).status).toBe(200)
  await core.operator.createAgent(SHELL, { username: 'chief', password: PASSWORD })
  expect((await call('POST', LOGIN, { payload: { username: 'chief', password: PASSWORD } })).status).toBe(200)
  expect(await db.read.job.count({ where: { kind: 'send_activation_mail' } })).toBe(1)

  const without = await openApi()
  const seller = await without.as(await without.agent())
  const user = await seller.post(CREATE_USER, NEWCOMER)
  expect(user.body.data).toMatchObject({ activated: true, email: NEWCOMER.email })
  expect((await without.call('POST', LOGIN, { payload: NEWCOMER })).status).toBe(200)
})

test('A user that was not created gets no mail', async () => {
  const { client, db } = await newcomer()
  const twice = await client.post(CREATE_USER, NEWCOMER)
  expectRefusal(twice, 409, 'username_taken')
  expectRefusal(
    await client.post(CREATE_USER, { ...NEWCOMER, username: 'rich', balance: 1000 }),
    402,
    'insufficient_balance',
  )
  expect(await db.read.job.count()).toBe(1)
})

test('A repetition after a crash carries the same link under the same message id', async () => {
  const { core, mails, press, row, restarted } = await newcomer()
  const [job] = await core.jobs.queue.claim(1, 0)
  if (!job) throw new Error('there is no job')
  mails.state.mood = 'accept and hang up'
  await expect(handle(core.jobs.handlers(outside()), job)).rejects.toThrow('Gone')
  mails.state.mood = 'accept'
  const { jobs } = restarted()
  await jobs.queue.takeOver()
  const [again] = await jobs.queue.claim(1, HOUR)
  expect(again).toMatchObject({ id: job.id, attempts: 2 })
  await handle(jobs.handlers(outside()), again ?? job)
  const [first, second] = mails.received
  expect(second?.text).toBe(first?.text)
  expect(second?.headers['message-id']).toBe(first?.headers['message-id'])
  expect((await press(linkIn(first?.text ?? ''))).statusCode).toBe(200)
  expect((await row()).activated).toBe(true)
})

test.each(['reject recipient', 'reject content'] as const)(
  'A mail that the server will never take is not tried for ever (%s); a later log-in asks again',
  async (mood) => {
    const { mails, runJobs, db, logIn, clock } = await newcomer()
    mails.state.mood = mood
    await runJobs()
    expect(mails.state.attempts).toBe(1)
    expect(await db.read.job.count()).toBe(0)
    mails.state.mood = 'accept'
    expectRefusal(await logIn(), 403, 'account_not_activated')
    await runJobs()
    expect(mails.received).toEqual([])
    clock.advance(HOUR)
    expectRefusal(await logIn(), 403, 'account_not_activated')
    await runJobs()
    expect(mails.received).toHaveLength(1)
  },
)

test('The loop sends the mail, and goes on trying while the mail server cannot be reached', async () => {
  const mails = await startMailServer()
  mails.state.mood = 'busy'
  const product = await startProduct({}, { mail: { url: mails.url, from: 'shop@example.com' } })
  const { core, app } = product
  const { token } = await core.accounts.logIn({ ...AGENT, address: 'test' })
  const agent = await core.accounts.authenticate(token)
  await core.accounts.createSubUser(agent, NEWCOMER)
  await product.until("SELECT 1 FROM jobs WHERE kind = 'send_activation_mail' AND last_error IS NOT NULL")
  mails.state.mood = 'accept'
  const mail = await mails.mail(1)
  const link = linkIn(mail.text)
  expect(link.startsWith(`${app.addresses['api']}/auth/activate?token=`)).toBe(true)
  const page = await fetch(link, { method: 'POST', body: new URLSearchParams() })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('newcomer')
  await product.until("SELECT 1 FROM accounts WHERE username = 'newcomer' AND activated")
  await product.until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'send_activation_mail')")
  expect(mails.received).toHaveLength(1)
  expect(product.log.join('')).not.toContain(new URL(link).searchParams.get('token'))
})

test('The mail to a customer of an agent with a bot of its own carries the name of that bot, and nothing of the shop', async () => {
  const mails = await startMailServer()
  const logger = pino({ level: 'silent' })
  const senders = { from: 'Shop <shop@example.com>', agentFrom: 'hello@neutral.example' }
  const mailer = createMailer({ url: mails.url, ...senders, logger })
  const api = await openApi({ mailer, agentBots: { most: [1] } })
  const seller = await api.agent({ name: 'seller', balance: 100 })
  const token = `777001:${'t'.repeat(35)}`
  const bot = { botId: 777_001, username: 'palace_bot', name: 'Palace', token, ownerId: 7, managed: true }
  await api.core.bots.add(seller, bot)
  await (await api.as(seller)).post(CREATE_USER, NEWCOMER)
  const handlers = api.core.jobs.handlers(outside({ agentBaseUrl: 'https://neutral.example/api' }))
  const [job] = await api.core.jobs.queue.claim(1, 0)
  if (!job) throw new Error('there is no job')
  await handle(handlers, job)
  const [mail] = mails.received
  expect(mail?.headers).toMatchObject({ from: 'Palace <hello@neutral.example>' })
  expect(linkIn(mail?.text ?? '')).toMatch(/^https:\/\/neutral\.example\/api\//)
  expect(JSON.stringify(mail)).not.toMatch(/shop/i)
})
