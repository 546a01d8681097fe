import { expect, test } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { AGENT, ANN, BEN, logIn, startProduct } from '../support/product.ts'

test('where mail is configured, the agent reads which new sub-users wait for a mail, and they get in after opening its link', async () => {
  const mails = await startMailServer()
  const product = await startProduct({}, { mail: { url: mails.url, from: 'shop@example.com' } })
  const ann = await product.memberPhone(ANN, AGENT)
  await ann.press('👥 Sub-users')
  await ann.press('➕ New sub-user')
  await ann.waitFor('Send me the username')
  ann.send('newcomer')
  await ann.waitFor('Send me the password')
  ann.send('a-good-password')
  await ann.waitFor('e-mail address')
  ann.send('newcomer@example.com')
  await ann.waitFor('phone number')
  await ann.press('Skip the rest ›')
  await ann.press('✅ Create the account')
  const created = await ann.read('newcomer has been created')
  expect(created).toContain(
    'The account works as soon as the link in the mail to newcomer@example.com is opened.',
  )
  // A link that logs in would go round the mail.
  expect(ann.buttons()).not.toContain('🔗 Invitation link')
  await ann.press('👤 Open')
  await ann.waitFor('✉️ Not activated yet')

  const account = { username: 'newcomer', password: 'a-good-password' }
  const ben = product.phone(BEN)
  ben.send('/login')
  await ben.waitFor('用户名')
  ben.send(account.username)
  await ben.waitFor('密码')
  ben.send(account.password)
  await ben.waitFor('未激活')
  const mail = await mails.mail(1)
  expect(mail.to).toEqual(['newcomer@example.com'])
  await fetch(/http\S+token=\S+/.exec(mail.text)?.[0] ?? '', { method: 'POST', body: new URLSearchParams() })
  await logIn(ben, account)
  ann.send('/users')
  await ann.press(/newcomer/)
  await ann.waitFor('✅ Active')

  ann.send('/users')
  await ann.press('⋯ More')
  await ann.press('📋 Many at once')
  await ann.waitFor('Paste up to 200 lines')
  ann.send('dora,,,dora@example.com\nemil')
  await ann.press('✅ Create 2 accounts')
  expect(await ann.read('2 accounts are created')).toContain(
    'One of them has an e-mail address: it works as soon as the link in the mail is opened.',
  )
})
