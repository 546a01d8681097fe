import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { AGENT, ANN, BEN, CUSTOMER, type Product, startProduct } from '../support/product.ts'
import { english } from '../support/times.ts'

async function actorOf({ core }: Product, account = CUSTOMER) {
  const { token } = await core.accounts.logIn({ ...account, address: 'test' })
  return core.accounts.authenticate(token)
}

/** Purchases of the customer, one proxy each. */
async function withEntries(product: Product, count: number) {
  const actor = await actorOf(product)
  for (let index = 0; index < count; index += 1)
    await product.core.orders.createStatic(actor, {
      poolId: 'ISP',
      userId: actor.id,
      ipCount: 1,
      duration: 1,
      unit: 3,
      remark: `remark ${index}`,
    })
  await product.until("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM static_orders WHERE status = 'processing')")
  return actor
}

const today = () => new Date().toISOString().slice(0, 10)
const bugs = ({ log }: Product) => log.filter((line) => line.includes('"level":50'))

describe('records', () => {
  it('show what was booked in pages, by kind and time, with the sums of all of it', async () => {
    const product = await startProduct()
    await withEntries(product, 9)
    const ann = await product.memberPhone(ANN)
    await ann.press('📒 Records')
    const all = await ann.read('Money in: 50.00 USD · money out: 40.50 USD')
    expect(all).toContain(
      `This month: ${english.day(`${today().slice(0, 7)}-01`)} – ${english.day(today())} (UTC)`,
    )
    expect(all).toMatch(
      /-4\.50 USD · 🛒 Purchase\n\d+ \w{3} \d{4}, \d\d:\d\d UTC · balance\u00a09\.50\nStatic proxies · S\d{17}\w{8}/,
    )
    expect(all).toContain('Entries: 10')
    expect(all).not.toContain('⬇️ Transfer in')
    await ann.press('›')
    await ann.waitFor('+50.00 USD · ⬇️ Transfer in')
    await ann.press('Purchases')
    expect(await ann.read('Entries: 9')).toContain('Money in: 0.00 USD · money out: 40.50 USD')
    expect(ann.buttons()).toEqual(expect.arrayContaining(['✓ Purchases', '✓ This month', '1 / 2']))
    await ann.press('Funding')
    expect(await ann.read('Entries: 1')).toContain('money out: 0.00 USD')
    await ann.press('Last month')
    expect(await ann.read('There are no entries in this period')).not.toContain('📄')
    expect(ann.buttons()).not.toContain('📄 As .csv file')
    await ann.press('All time')
    await ann.waitFor('Entries: 1')

    await ann.press('📅 Dates')
    await ann.waitFor('Which days?')
    for (const wrong of ['soon', '2026-02-30', '2026-01-31 2026-01-01', '11/03', '1 Jan -']) {
      ann.send(wrong)
      await ann.waitFor(`“${wrong}” is not a period`)
    }
    ann.send(`２０２６－０１－０１ – ${today()}`)
    expect(await ann.read('Entries: 1')).toContain(`📅 Dates: 1 Jan 2026 – ${english.day(today())} (UTC)`)
    expect(ann.buttons()).toContain('✓ 📅 Dates')
    await ann.press('📈 Chart')
    await ann.waitFor('Spending per day')
    await ann.press('‹ Back')
    expect(await ann.read('Entries: 1')).toContain(`📅 Dates: 1 Jan 2026 – ${english.day(today())} (UTC)`)
    expect(ann.buttons()).toContain('✓ Funding')
    await ann.press('All')
    await ann.waitFor('Entries: 10')
    await ann.press('›')
    await ann.waitForButton('2 / 2')
    await ann.press('📈 Chart')
    await ann.press('‹ Back')
    await ann.waitForButton('2 / 2')
  })

  it('are exported as a file that no spreadsheet runs', async () => {
    const product = await startProduct()
    const { core } = product
    await withEntries(product, 2)
    await core.operator.adjustBalance(SHELL, {
      ...CUSTOMER,
      amount: -1,
      remark: '=HYPERLINK("http://x"),"a"',
    })
    const ann = await product.memberPhone(ANN)
    ann.send('/records')
    await ann.press('📄 As .csv file')
    const { content, fileName } = await ann.file(await ann.waitFor('4 entries, newest first'))
    expect(fileName).toBe(`records-${today().slice(0, 7)}-01-${today()}.csv`)
    const rows = parse<Record<string, string>>(content, { bom: true, columns: true })
    expect(rows[0]).toMatchObject({
      Type: 'Adjustment',
      User: 'customer',
      Amount: '-1.00',
      'Balance before': '41.00',
      'Balance after': '40.00',
      Currency: 'USD',
      Remark: '\'=HYPERLINK("http://x"),"a"',
    })
    expect(rows.map((row) => row['Balance after'])).toEqual(['40.00', '41.00', '45.50', '50.00'])

    // More than one file holds: the newest come, and the caption says so.
    await product.edit(`
      INSERT INTO ledger_entries (transaction_no, account_id, scope_id, type, amount, balance_after, source, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
      SELECT 'X' || i, e.account_id, e.scope_id, 'recharge', 1000, a.balance + i * 1000, 'x' || i, '${new Date().toISOString()}'
      FROM n, ledger_entries e JOIN accounts a ON a.id = e.account_id WHERE e.id = (SELECT max(id) FROM ledger_entries)`)
    await ann.press('📄 As .csv file', 20_000)
    const cut = await ann.file(await ann.waitFor('The newest 20000 of 20104 entries'))
    const numbers = parse<Record<string, string>>(cut.content, { bom: true, columns: true }).map(
      ({ Number: number }) => number,
    )
    expect(new Set(numbers).size).toBe(20_000)
  })

  it('of an agent are those of its sub-users too, of one of them, or its own alone', async () => {
    const product = await startProduct()
    const { id } = await withEntries(product, 1)
    const back = { amount: -10, remark: 'taken back' }
    await product.core.accounts.adjustSubUserBalance(await actorOf(product, AGENT), id, back)
    const agent = await product.memberPhone(BEN, AGENT)
    await agent.press('📒 账单记录')
    const all = await agent.read('本人及下级用户')
    expect(all).toMatch(/-4\.50 USD · 🛒 消费 · customer/)
    // What went from one to another and back is neither income nor expense of all together.
    expect(all).toContain('收入：1,050.00 USD · 支出：4.50 USD\n您与下级用户之间划转：60.00 USD')
    await agent.press('消费')
    expect(await agent.read('收入：0.00 USD · 支出：4.50 USD')).not.toContain('划转')
    await agent.press('充值与划转')
    expect(await agent.read('收入：1,050.00 USD · 支出：0.00 USD')).toContain('划转：60.00 USD')
    await agent.press('👤 只看本人')
    expect(await agent.read('收入：1,060.00 USD · 支出：50.00 USD')).not.toContain('划转')
    expect(await agent.read('👤 agent')).toContain('-50.00 USD · ⬆️ 转出')
    expect(agent.screen().text).not.toContain('customer')
    await agent.press('👥 含下级用户')
    await agent.waitFor('本人及下级用户')
    const { messageId } = agent.screen().message
    await product.telegram.pressStale(BEN.id, messageId, `ru:${id}`)
    expect(await agent.read('👤 customer')).toContain('收入：50.00 USD · 支出：14.50 USD\n记录数：3')
    // What the service itself remarks is said in the language of the chat.
    expect(agent.screen().text).toContain('初始余额')
    expect(agent.buttons().join()).not.toContain('只看本人')
    await agent.press('📈 消费图表')
    const chart = await agent.waitFor('合计：4.50 USD')
    expect(chart.text).toContain('👤 customer')
    expect(chart.file?.kind).toBe('photo')
    await agent.press('‹ 返回')
    await agent.waitFor('记录数：3')
  })

  it('of somebody else are refused whatever the button says, and odd filters mean the usual', async () => {
    const product = await startProduct()
    const ann = await product.memberPhone(ANN)
    const agent = await actorOf(product, AGENT)
    const { messageId } = ann.screen().message
    for (const data of [`ru:${agent.id}`, 'ru:x', `rl:${agent.id}:a:a:1`, `rpic:${agent.id}`]) {
      const answer = await product.telegram.pressStale(ANN.id, messageId, data)
      expect(answer, data).toMatchObject({ showAlert: true })
      expect(ann.dump(), data).not.toContain('1050')
    }
    const none = await product.telegram.pressStale(ANN.id, messageId, `rcsv:${agent.id}:a:a`)
    expect(none).toEqual({ text: 'There are no entries in this period.', showAlert: true })
    for (const data of [
      'rl:::',
      'rl:x:z:20261301-20260101:999999999999',
      'rdate:::20260101-2026',
      'rec:9:9',
    ]) {
      await product.telegram.pressStale(ANN.id, messageId, data)
      await ann.waitFor(/Records|Which days/)
    }
    expect(bugs(product)).toEqual([])
  })

  it('fit into a message with the longest names, numbers and remarks', async () => {
    const product = await startProduct()
    await withEntries(product, 9)
    await product.edit(
      'UPDATE accounts SET username = ? WHERE username = ?',
      '&'.repeat(50),
      CUSTOMER.username,
    )
    const agent = await product.memberPhone(ANN, AGENT)
    await product.core.operator.adjustBalance(SHELL, {
      ...AGENT,
      amount: 999_999_999.123456,
      remark: '<'.repeat(255),
    })
    await agent.press('📒 Records')
    const text = await agent.read('&'.repeat(50))
    expect(text).toContain('<'.repeat(60) + '…')
    expect(text.length).toBeLessThan(4096)
  })
})

describe('the dashboard', () => {
  it('of an agent is a picture with the figures of the sub-users below it', async () => {
    const product = await startProduct()
    await withEntries(product, 2)
    const agent = await product.memberPhone(ANN, AGENT)
    await agent.press('📊 Dashboard')
    const shown = await agent.waitFor('Dashboard')
    expect(shown.text).toContain('Your balance: 1,000.00 USD')
    expect(shown.text).toContain('They spent this month: 9.00 USD')
    expect(shown.text).toContain('Sub-users: 1')
    expect(shown.text.length).toBeLessThan(1024)
    const { content } = await agent.file(shown)
    expect(content.subarray(1, 4).toString()).toBe('PNG')
    expect([content.readUInt32BE(16), content.readUInt32BE(20)]).toEqual([800, 520])
    await agent.press('📒 Records')
    await agent.waitFor('You and your sub-users')
    const left = product.telegram.messages(ANN.id).filter(({ from }) => from === 'bot')
    expect(left).toHaveLength(1)
  })

  it('of a customer is what it has spent', async () => {
    const product = await startProduct()
    await withEntries(product, 1)
    const ben = await product.memberPhone(BEN)
    await ben.press('📒 账单记录')
    await ben.press('📈 消费图表')
    const shown = await ben.waitFor('合计：4.50 USD')
    expect(shown.text).toContain('本月：4.50 USD · 上月：0.00 USD')
    expect(shown.file?.kind).toBe('photo')
    await ben.press('🏠 主菜单')
    await ben.waitFor('主菜单')
  })
})
