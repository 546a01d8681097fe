import { expect, test, vi } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedUser } from '../../src/emulators/telegram/types.ts'
import { PATIENCE } from '../support/patience.ts'
import { createPhone } from '../support/phone.ts'
import { AGENT, ANN, BEN, startProduct, stockFile } from '../support/product.ts'
import { actorFor, buy, DAY, HOUR, startProductInTime, timesTold } from '../support/notices.ts'

const OPS: EmulatedUser = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OFFICE = { id: -1002, title: 'Office' }

test('the operator gets the figures of each day since there is a shop, once, and hears when stock runs out', async () => {
  const { product, clock, pass } = await startProductInTime('2026-03-01T07:00:00.000Z', {
    operatorChats: [OPS.id],
  })
  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  await ops.press('📊 Today so far')
  expect(await ops.read(/1 Mar 2026/)).toContain('Orders: 0 (static 0, traffic 0)')

  const agent = await actorFor(product, AGENT)
  await buy(product, agent, 20)
  await pass(HOUR)
  expect(timesTold(product, ops, /running out/)).toBe(0)
  await buy(product, agent, 1)
  await pass(HOUR)
  await ops.waitFor(/Residential ISP is running out: 9 left/)
  await buy(product, agent, 9)
  await pass(HOUR)
  await ops.waitFor(/Residential ISP is sold out/)
  await product.core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 3))
  await pass(HOUR)
  // Two hours after the usual time: the day before the first account was none of the shop's.
  expect(timesTold(product, ops, /2026-02-28/)).toBe(0)

  clock.set('2026-03-02T07:59:00.000Z')
  await pass(0)
  await product.stop()
  await product.start()
  await pass(60_000)
  const figures = await ops.read(/1 Mar 2026 \(UTC\)[^]*Orders: 3/)
  expect(figures).toContain('Orders: 3 (static 3, traffic 0)')
  expect(figures).toContain('Revenue: 135.00 USD · refunds: 0.00 USD')
  expect(figures).toContain('USDT top-ups: 0 (0.00 USD)')
  expect(figures).toContain('New users: 2')
  expect(figures).toContain('• Residential ISP: 3')
  await pass(HOUR)
  await ops.press('🛠 Operator')
  await ops.waitFor(/This chat is told/)
  expect(timesTold(product, ops, /1 Mar 2026 \(UTC\)/)).toBe(1)
  await pass(DAY)
  await ops.waitFor(/2 Mar 2026 \(UTC\)/)
  // Three days without a server: each of them is told afterwards, and a second time none.
  await product.stop()
  clock.advance(3 * DAY)
  await product.start()
  await pass(0)
  for (const day of ['3 Mar 2026', '4 Mar 2026', '5 Mar 2026'])
    await ops.waitFor(new RegExp(`${day} \\(UTC\\)`))
  await pass(HOUR)
  for (const day of ['3 Mar 2026', '4 Mar 2026', '5 Mar 2026'])
    expect(timesTold(product, ops, new RegExp(`📊 ${day}`))).toBe(1)
  // What is being filled is not running out.
  expect(timesTold(product, ops, /running out/)).toBe(1)
})

test('an operator to whom the shop wanted to write first is spoken to in the own language', async () => {
  const { product, pass } = await startProductInTime('2026-03-01T07:00:00.000Z', { operatorChats: [OPS.id] })
  await buy(product, await actorFor(product, AGENT), 21)
  await pass(HOUR)
  const ops = product.phone({ ...OPS, languageCode: 'zh-hans' })
  ops.send('/operator')
  await ops.waitFor(/此聊天/)
  await ops.press('⚙️ 设置')
  await ops.press('🩺 运行状况')
  await ops.waitFor(/数据库/)
})

test('in a list of very many pages one press leads to its ends, and far ahead', async () => {
  const product = await startProduct({}, { operatorChats: [OPS.id] })
  const payments = (from: number, to: number) =>
    product.edit(
      `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
       INSERT INTO usdt_transfers (txid, log_index, wallet, contract, from_address, units, block_number, block_time, state, reason, created_at)
       SELECT '${'0'.repeat(56)}' || (10000000 + i), 0, 'T', 'T', 'T', '1000000', i, '2026-03-01T00:00:00.000Z', 'unmatched', 'no_order', '2026-03-01T00:00:00.000Z'
       FROM n`,
    )
  const ops = product.phone(OPS)
  const jumps = async (pages: string) => {
    await ops.waitForButton(pages)
    return ops.buttons().filter((label) => /^[«−+]|»$/.test(label))
  }
  await payments(1, 80)
  ops.send('/payments')
  expect(await jumps('1 / 10')).toEqual([])
  await payments(81, 100)
  await ops.press('›')
  expect(await jumps('2 / 13')).toEqual(['« 1', '−10', '+10', '13 »'])
  await ops.press('+10')
  await jumps('12 / 13')
  await payments(101, 1650)
  await ops.press('« 1')
  expect(await jumps('1 / 207')).toEqual(['« 1', '−100', '+100', '207 »'])
  await ops.press('+100')
  await jumps('101 / 207')
  await ops.press('207 »')
  await jumps('207 / 207')
})

test('the operator hears once that the disk is nearly full, and when it is full, though nothing can be written then', async () => {
  let freeBytes = 100e9
  const { product, clock } = await startProductInTime(
    '2026-03-01T01:00:00.000Z',
    { operatorChats: [OPS.id] },
    { diskSpace: () => Promise.resolve({ freeBytes, totalBytes: 200e9 }) },
  )
  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  const told = (text: RegExp) => timesTold(product, ops, text)
  const logged = (text: string) => product.log.some((line) => line.includes(text))
  // The loop looks once a second at most, however often it is woken.
  const become = (bytes: number, seen: () => boolean) => {
    freeBytes = bytes
    clock.advance(61_000)
    return vi.waitUntil(() => {
      product.core.jobs.queue.wake()
      return seen()
    }, PATIENCE)
  }
  await become(499e6, () => told(/^⚠️ The disk of the server is nearly full: 499 MB \(0%\) left/) === 1)
  await product.crash('BEFORE INSERT', 'notices')
  await become(1e6, () => told(/^🔴 The disk of the server is full \(1 MB left\)/) === 1)
  expect(logged('the disk is full: nothing can be written')).toBe(true)
  await become(100e9, () => logged('enough room on the disk'))
  await become(4e9, () => told(/nearly full: 4000 MB \(2%\) left/) === 1)
  expect([told(/nearly full/), told(/server is full/)]).toEqual([2, 1])
})

test('low stock is told by product and by place, when it falls, and again after it has recovered', async () => {
  const { product, pass } = await startProductInTime('2026-03-01T01:00:00.000Z', { operatorChats: [OPS.id] })
  const { core } = product
  const ops = product.phone(OPS)
  ops.send('/operator')
  await ops.waitFor(/Operator/)
  const agent = await actorFor(product, AGENT)
  const told = (text: RegExp) => timesTold(product, ops, text)
  const buyIn = async (cityCode: string, ipCount: number) => {
    const order = { poolId: 'ISP', userId: agent.id, ipCount, cityCode, duration: 1, unit: 3 as const }
    await core.orders.createStatic(agent, order)
    await pass(HOUR)
  }
  await core.operator.editProduct(SHELL, 'ISP', { lowStock: 6, lowStockPlace: 3 })
  await core.operator.importStock(SHELL, stockFile('ISP', '203.0.113', 4, 'US,CA,USLAX'))
  await core.operator.importStock(SHELL, stockFile('ISP', '198.51.100', 2, 'JP,,JPTYO'))
  await pass(HOUR)
  expect(told(/running out|sold out/)).toBe(0)

  await buyIn('USLAX', 2)
  await ops.waitFor(/^⚠️ Residential ISP is running out in 🇺🇸 United States, Los Angeles: 2 left$/)
  await buyIn('USLAX', 2)
  await ops.waitFor(/^🔴 Residential ISP is sold out in 🇺🇸 United States, Los Angeles$/)
  await core.operator.importStock(SHELL, stockFile('ISP', '203.0.114', 3, 'US,CA,USLAX'))
  await pass(HOUR)
  await buyIn('USLAX', 1)
  await product.until(
    `SELECT 1 WHERE 3 = (SELECT count(*) FROM notices WHERE kind = 'stock_low' AND status = 'sent')`,
  )
  expect(told(/running out in 🇺🇸 United States, Los Angeles: 2 left/)).toBe(2)

  // Addresses that are off sale are not counted; a place that has gone and the product as a whole are one message.
  const lastFive = Array.from({ length: 5 }, (_, index) => `192.0.2.${26 + index}`)
  await core.operator.setOnSale(SHELL, { ips: [...lastFive, '198.51.100.1', '198.51.100.2'], onSale: false })
  await buyIn('USNYC', 22)
  await ops.waitFor(
    /^⚠️ Residential ISP is running out: 5 left\n🔴 Residential ISP is sold out in 🇯🇵 Japan, Tokyo$/,
  )
  await pass(DAY)
  expect(told(/Residential ISP is/)).toBe(4)
})

test('only chats of the operator get its screens; a group is such a chat when it is named, and each chat learns its id', async () => {
  const product = await startProduct({}, { operatorChats: [OPS.id, OFFICE.id] })
  const [ops, ann] = [product.phone(OPS), await product.memberPhone(ANN)]
  ann.send('/broadcast')
  await ann.waitFor('I do not know this command')
  ann.send('/operator')
  await ann.waitFor('I do not know this command')
  const menu = ann.screen().message.messageId
  for (const data of ['op', 'opf', 'opp', 'obc', 'obt:all', 'obp:1', 'opi!:x.0'])
    expect((await product.telegram.pressStale(ANN.id, menu, data)).text).toContain('That button was old')
  ann.send('/chatid')
  await ann.waitFor(/Id of this chat: 501[^]*OPERATOR_CHAT_IDS/)
  ops.send('/chatid')
  await ops.waitFor(/This is an operator chat[^]*700/)
  ops.send('/balance')
  await ops.waitForButton('🔑 Log in')
  await ops.press('🛠 Operator')
  await ops.waitFor(/This chat is told/)

  product.telegram.addToGroup(OFFICE, OPS.id)
  const office = createPhone(product.telegram, { ...OPS, id: OFFICE.id })
  product.telegram.sendInGroup(OFFICE.id, OPS.id, '/buy')
  product.telegram.sendInGroup(OFFICE.id, OPS.id, 'lunch?')
  product.telegram.sendInGroup(OFFICE.id, OPS.id, '/broadcast@shop_bot')
  await office.waitFor(/To whom/)
  expect(timesTold(product, office, /^(?!📊)/)).toBe(1)
  expect((await office.press('Agents (0)')).text).toBe('Nobody would get it now.')
  await office.press('Everybody (1)')
  const question = await office.waitFor(/as a reply to this message/)
  const write = (text: string, reply: boolean) =>
    product.telegram.receive({
      message: {
        message_id: 9000 + text.length,
        date: 0,
        chat: { id: OFFICE.id, type: 'supergroup', title: OFFICE.title },
        from: { id: OPS.id, is_bot: false, first_name: OPS.firstName },
        text,
        ...(reply && {
          reply_to_message: {
            message_id: question.messageId,
            date: 0,
            chat: { id: OFFICE.id, type: 'supergroup', title: OFFICE.title },
            reply_to_message: undefined,
          },
        }),
      } as never,
    })
  write('who wants coffee?', false)
  write('Good news for all', true)
  await office.waitFor(/This is what they will see: 1 chat[^]*To: everybody[^]*Good news for all/)
  await office.press('📣 Send to 1 chat')
  await ann.waitFor('Good news for all')
  await office.waitFor(/✅ Sent[^]*Sent: 1 · blocked the bot: 0$/m)
  await office.press('🛠 Operator')
  await office.waitFor(/This chat is told/)
  await office.press('⚙️ Set-up')
  await office.press('🌐 语言：中文')
  await office.waitFor(/此聊天会收到/)
  await office.press('🛎 待处理')
  await office.press('💸 待处理付款')
  await office.waitFor(/暂无/)
})

test('a broadcast goes out as it was typed, 25 a second, once to each, whatever happens; it can be stopped', async () => {
  const { product, clock } = await startProductInTime('2026-03-01T07:00:00.000Z', { operatorChats: [OPS.id] })
  const { telegram } = product
  const [ops, boss] = [product.phone(OPS), await product.memberPhone(BEN, AGENT)]
  const customer = await actorFor(product)
  const crowd = Array.from({ length: 60 }, (_, index) => 9000 + index)
  for (const id of crowd) {
    telegram.addUser({ id, firstName: `User ${id}`, languageCode: 'en' })
    telegram.send(id, '/start')
  }
  await product.until('SELECT 1 WHERE (SELECT count(screen_message) FROM chats WHERE id >= 9000) = 60')
  await product.edit(
    `INSERT INTO log_ins (chat_id, account_id, account_version, created_at, used_at)
     SELECT id, ?, 1, created_at, created_at FROM chats WHERE id >= 9000`,
    customer.id,
  )
  await product.edit('UPDATE chats SET account_id = ? WHERE id >= 9000', customer.id)
  await product.edit(`UPDATE chats SET muted = '["broadcast"]' WHERE id = 9059`)
  telegram.setBlocked(9001, true)
  await product.until('SELECT 1 FROM chats WHERE id = 9001 AND blocked')
  const reached = (text: string) =>
    crowd.flatMap((id) => telegram.messages(id).filter((message) => message.text.includes(text))).length
  const sentTo = (count: number) =>
    product.until(
      `SELECT 1 WHERE (SELECT count(*) FROM notices WHERE kind = 'broadcast' AND status = 'sent') = ${count}`,
    )

  ops.send('/broadcast')
  await ops.waitFor(/To whom/)
  expect(ops.buttons()).toEqual([
    '✓ All',
    'English',
    '中文',
    'Русский',
    'Everybody (60)',
    'Agents (1)',
    'Users (59)',
    'Sub-users of an agent…',
    'With active proxies (0)',
    'With traffic left (0)',
    'Short of money (0)',
    'Idle for 30 days (0)',
    '🗂 Sent and planned',
    '🛠 Operator',
  ])
  await ops.press('Users (59)')
  await ops.waitFor(/at most 4000 characters/)
  ops.send('x'.repeat(4001))
  await ops.waitFor(/At most 4000 characters/)
  ops.send('<b>Sale</b> & more: https://example.com/?a=1&b=2')
  await ops.waitFor(/This is what they will see: 59 chats[^]*To: users/)
  await ops.waitFor((message) => message.text === '<b>Sale</b> & more: https://example.com/?a=1&b=2')
  await ops.press('📣 Send to 59 chats')
  await ops.waitFor(/Sending…/)
  const tick = () => {
    clock.advance(1000)
    product.core.jobs.queue.wake()
  }
  tick()
  await sentTo(25)
  expect(reached('<b>Sale</b>')).toBe(25)
  await ops.waitFor(/Sent: 25 · blocked the bot: 1 · left: 33/)

  // A restart in between doubles nothing, and a pause that Telegram wants holds up everybody.
  await product.stop()
  await product.start()
  telegram.inject({ method: 'sendMessage', chatId: 9040, kind: 'too-many-requests', retryAfter: 30 })
  tick()
  await sentTo(39)
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'send_broadcast' AND leased_until IS NULL`)
  await ops.press('🔄 Refresh')
  await ops.waitFor(/Sent: 39 · blocked the bot: 1 · left: 19/)
  await ops.press('Stop sending')
  await ops.waitFor(/Stopped[^]*Sent: 39 · blocked the bot: 1 · not sent: 19/)
  clock.advance(60_000)
  product.core.jobs.queue.wake()
  await product.until(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'send_broadcast')`)
  expect(reached('<b>Sale</b>')).toBe(39)
  expect(timesTold(product, boss, /Sale/)).toBe(0)

  // Nobody else is told after the stop, and who was told in that moment is counted.
  ops.send('/broadcast')
  await ops.press('Users (59)')
  await ops.waitFor(/at most 4000 characters/)
  ops.send('Second sale')
  await ops.press('📣 Send to 59 chats')
  await ops.waitFor(/Sending…/)
  const stopAfterFive = telegram.subscribe(() => {
    if (reached('Second sale') === 5) void product.core.operator.broadcasts.cancel(SHELL, 2)
  })
  tick()
  await product.until(`SELECT 1 FROM broadcasts WHERE id = 2 AND status = 'cancelled'`)
  await product.until(`SELECT 1 FROM jobs WHERE kind = 'send_broadcast' AND leased_until IS NULL`)
  stopAfterFive()
  expect(reached('Second sale')).toBe(5)
  await ops.waitFor(/Stopped[^]*Sent: 5 · blocked the bot: 1 · not sent: 53/, { evenOld: true })

  ops.send('/broadcast')
  await ops.press('Agents (1)')
  await ops.waitFor(/at most 4000 characters/)
  ops.send('For agents')
  await ops.press('📣 Send to 1 chat')
  await ops.waitFor(/Sending…/)
  tick()
  const news = await boss.waitFor(/^For agents$/)
  expect(news.keyboard.flat().map(({ text }) => text)).toEqual(['🏠 主菜单', '✖️ 关闭'])
  await ops.waitFor(/✅ Sent[^]*Sent: 1/, { evenOld: true })
  await boss.press('✖️ 关闭')
  expect(timesTold(product, boss, /For agents/)).toBe(0)
  // Who comes back later is not told old news.
  telegram.setBlocked(9001, false)
  await product.until('SELECT 1 FROM chats WHERE id = 9001 AND NOT blocked')
  expect(reached('<b>Sale</b>')).toBe(39)
})
