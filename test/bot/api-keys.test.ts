import { expect, test } from 'vitest'
import { expectHidden, startShop } from '../support/shop.ts'

test('a key is made with its rights, term and addresses, shown once, seen in use and revoked', async () => {
  const shop = await startShop()
  const { ann, boss, core } = shop
  ann.send('/settings')
  await ann.press('🔌 For programs')
  await ann.press('🔑 API keys: 0')
  await ann.press('➕ New key')
  await ann.waitFor('What is it for')
  ann.send('x'.repeat(51))
  await ann.waitFor('At most 50 characters')
  ann.send('order robot')
  await ann.waitFor('New API key: order robot')
  await ann.press('☑️ Look at everything')
  await ann.waitForButton('⬜️ Look at everything')
  await ann.press('✅ Make the key')
  await ann.waitFor('at least one thing')
  await ann.press('⬜️ Look at everything')
  await ann.waitForButton('☑️ Look at everything')
  await ann.press('⬜️ Buy, renew, release')
  await ann.press('90 days')
  await ann.waitForButton('✓ 90 days')
  ann.send('10.0.0.0/7')
  await ann.waitFor('too wide')
  ann.send('203.0.113.7， 198.51.100.9/24')
  await ann.waitFor('Works only from 203.0.113.7, 198.51.100.0/24')
  await ann.press('✅ Make the key')
  const made = await ann.waitFor('Copy it now')
  const key = made.keyboard.flat().find(({ kind }) => kind === 'copy')?.value ?? ''
  expect(made.text).toContain(key)
  expect(key).toMatch(/^prk_1_\w{40}$/)

  const use = { address: '203.0.113.7', scope: 'orders' } as const
  expect(await core.accounts.authenticate(key, use)).toMatchObject({ id: boss.id })
  await expect(core.accounts.authenticate(key, { ...use, scope: 'traffic' })).rejects.toMatchObject({
    code: 'scope_missing',
  })
  await shop.db.write(() => Promise.resolve())
  await ann.press('‹ Back')
  await ann.press(/^🟢 order robot/)
  const shown = await ann.waitFor('Works only from')
  expect(shown.text).toContain('Last used')
  expect(shown.text).not.toContain(key.slice(-40))
  await expectHidden(shop, key.slice(-40))

  await ann.press('⛔ Revoke this key')
  await ann.waitFor('refused at once')
  await ann.press('⛔ Revoke this key')
  await ann.waitFor('Revoked')
  await expect(core.accounts.authenticate(key, use)).rejects.toMatchObject({ code: 'token_invalid' })
  await ann.press('‹ Back')
  await ann.waitForButton(/^⛔ order robot/)
})
