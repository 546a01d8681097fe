import { describe, expect, it } from 'vitest'
import { pressOften, startShop } from '../support/shop.ts'

/** Ann with four sub-users: each has 5, but dora, who has 100. */
async function startWithUsers() {
  const shop = await startShop()
  const { boss, customer, ann } = shop
  const users: Record<string, Awaited<ReturnType<typeof customer>>> = {}
  for (const name of ['anna', 'ben', 'cleo', 'dora']) users[name] = await customer(boss, { name, balance: 5 })
  ann.send('/users')
  await ann.press('⋯ More')
  await ann.press('☑️ Select several')
  await ann.waitFor('Which sub-users?')
  const balances = () => Promise.all(Object.values(users).map((user) => shop.balance(user)))
  return { ...shop, users, balances }
}

describe('several sub-users at once', () => {
  it('are picked one by one, by name, or all of a search', async () => {
    const { ann } = await startWithUsers()
    await ann.press('⬜️ ben · 5.00 USD')
    await ann.waitFor('Picked: 1')
    await ann.press('📋 Paste')
    await ann.waitFor('one per line')
    ann.send('anna\nnobody')
    await ann.waitFor('You have no such sub-users: nobody')
    ann.send('Anna，dora')
    await ann.waitFor('Picked: 3')
    expect(ann.buttons().slice(0, 4)).toEqual([
      '☑️ dora · 5.00 USD',
      '⬜️ cleo · 5.00 USD',
      '☑️ ben · 5.00 USD',
      '☑️ anna · 5.00 USD',
    ])
    await ann.press('None')
    await ann.waitFor('Which sub-users?')
    expect(ann.buttons()).not.toContain('💰 Balance')
    await ann.press('‹ Back')
    await ann.press('🔍 Search')
    ann.send('o')
    await ann.waitFor('Sub-users: 2')
    await ann.press('⋯ More')
    await ann.press('☑️ Select several')
    await ann.press('All')
    await ann.waitFor('Picked: 2')
  })

  it('get money or give it back together, or none of them does', async () => {
    const shop = await startWithUsers()
    const { ann, balances, balance, boss, audited } = shop
    await ann.press('All')
    await ann.waitFor('Picked: 4')
    await ann.press('💰 Balance')
    await ann.waitFor('Balance of 4 sub-users')
    ann.send('much')
    await ann.waitFor('not an amount')
    ann.send('30')
    await ann.waitFor('Your own balance is short by 20.00 USD')
    ann.send('-5.01')
    await ann.waitFor('has only')
    ann.send('2.5')
    await ann.waitFor('Change: +2.50 USD')
    ann.send('June bonus')
    const confirm = await ann.read('In total: +10.00 USD')
    expect(confirm).toContain('anna: 5.00 USD → 7.50 USD')
    expect(confirm).toContain('Your balance: 100.00 USD → 90.00 USD')
    await pressOften(shop, ann, '✅ Add 10.00 USD')
    await ann.waitFor('✅ 4 balances changed, in total +10.00 USD')
    expect([...(await balances()), await balance(boss)]).toEqual([7.5, 7.5, 7.5, 7.5, 90])
    await audited()
  })

  it('are disabled and enabled together', async () => {
    const { ann, core, boss } = await startWithUsers()
    const disabled = async () =>
      (await core.accounts.listSubUsers(boss, { status: 'disabled' })).items.map(({ username }) => username)
    await ann.press('⬜️ ben · 5.00 USD')
    await ann.press('⬜️ cleo · 5.00 USD')
    await ann.waitFor('Picked: 2')
    await ann.press('⛔ Disable')
    await ann.waitFor('Disable 2 sub-users?')
    expect(await disabled()).toEqual([])
    await ann.press('⛔ Disable')
    await ann.waitFor('✅ Disabled: 2')
    expect(await disabled()).toEqual(['cleo', 'ben'])
    await ann.press('✅ Enable')
    await ann.press('✅ Enable')
    await ann.waitFor('✅ Enabled: 2')
    expect(await disabled()).toEqual([])
  })

  it('renew what expires soon, each for its own money, and once however often it is pressed', async () => {
    const shop = await startWithUsers()
    const { ann, users, product, stock, order, runJobs, clock, balance, core, boss, audited } = shop
    const { anna, ben, cleo } = users
    if (!anna || !ben || !cleo) throw new Error('they were made')
    await product()
    await stock('static', 9)
    await order(anna, { ipCount: 2 })
    await order(ben, { ipCount: 2 })
    await runJobs()
    await ann.press('All')
    await ann.waitFor('Picked: 4')
    await ann.press('🔄 Renew')
    await ann.waitFor('No proxy of them expires by then')
    clock.advance(25 * 86_400_000)
    await order(cleo, { ipCount: 1 })
    await runJobs()
    await core.accounts.adjustSubUserBalance(boss, ben.id, { amount: -2, remark: 'test' })
    const [annas, bens] = [await balance(anna), await balance(ben)]
    await ann.press('3 d')
    await ann.waitForButton('✓ 3 d')
    await ann.press('7 d')
    const plan = await ann.read(/anna: 2 proxies, /)
    expect(plan).not.toContain('cleo')
    expect(plan).toMatch(/ben: 2 proxies, .* – ⚠️/)
    const label = ann.buttons().find((each) => each.startsWith('✅ Renew')) ?? ''
    await pressOften(shop, ann, label)
    await ann.waitFor('✅ Renewed for')
    const price = Number(/[\d.]+/.exec(label)?.[0])
    expect(await balance(anna)).toBeCloseTo(annas - price, 6)
    expect(await balance(ben)).toBe(bens)
    const [renewed] = (await core.orders.listStatic(anna, {})).items
    expect(new Date(renewed?.instances[0]?.expireTime ?? 0).getTime()).toBeGreaterThan(
      clock.now().getTime() + 30 * 86_400_000,
    )
    await audited()
  })

  it('are out of reach for a customer and for another agent who forge the buttons', async () => {
    const shop = await startWithUsers()
    const { core, users, agent, boss, audited, balances } = shop
    const rival = await agent({ name: 'rival', balance: 100 })
    const userIds = Object.values(users).map(({ id }) => id)
    const { anna } = users
    if (!anna) throw new Error('she was made')
    await expect(
      core.accounts.adjustSubUsers(rival, { userIds, amount: 1, remark: null, requestKey: 'one' }),
    ).rejects.toMatchObject({ code: 'sub_user_not_found' })
    await expect(
      core.accounts.setSubUsersStatus(anna, { userIds, status: 'disabled' }),
    ).rejects.toMatchObject({ code: 'agent_required' })
    expect(await core.accounts.setSubUsersStatus(rival, { userIds, status: 'disabled' })).toBe(0)
    const request = { userIds, amount: 1, remark: null, requestKey: 'one' }
    await core.accounts.adjustSubUsers(boss, request)
    expect((await core.accounts.adjustSubUsers(boss, request)).replayed).toBe(true)
    await expect(core.accounts.adjustSubUsers(boss, { ...request, amount: 2 })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    expect(await balances()).toEqual([6, 6, 6, 6])
    await audited()
  })
})
