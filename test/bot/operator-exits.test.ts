import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { exitChangeFromLine, exitFromLine } from '../../src/bot/topics/operator/exit-line.ts'
import { freePort } from '../support/free-port.ts'
import { operator } from '../support/processes.ts'
import { BEN, CUSTOMER } from '../support/product.ts'
import { startTrafficShop, TODAY } from '../support/traffic-shop.ts'
import { english } from '../support/times.ts'

const OPS = { id: 700, firstName: 'Olivia', languageCode: 'en' }
const OPS_ZH = { id: 701, firstName: '小林', languageCode: 'zh' }
const DAY = 24 * 60 * 60_000

/** A shop whose echo is reached from this machine. */
async function startShop() {
  const shop = await startTrafficShop(
    { operatorChats: [OPS.id, OPS_ZH.id] },
    { dial: ({ host, port }) => ({ host, port }) },
  )
  return { ...shop, ops: shop.product.phone(OPS) }
}

test('an exit is added by a line, whose message goes; nothing shows its credentials again', async () => {
  const shop = await startShop()
  const { ops, core, product } = shop
  ops.send('/operator')
  await ops.press('⚙️ Set-up')
  await ops.press('🚪 Exits')
  await ops.waitFor(/Gateway: none has connected yet[^]*There are none/)
  await ops.press('➕ Add an exit')
  await ops.waitFor('Send me one line')
  for (const [line, problem] of [
    ['socks5://u:hush-hush@192.0.2.1:1080', 'Please send --pool with a pool'],
    ['--pool dynamic_1', 'Please send --pool with a pool'],
    ['--pool dynamic_1 --direct --url http://192.0.2.1:1', 'Please send --pool with a pool'],
    ['--pool dynamic_1 --proxy http://u:hush-hush@192.0.2.1:1', 'Please send --pool with a pool'],
    ['--pool static --direct', 'The pool must be dynamic_1'],
    ['--pool dynamic_1 --url ftp://u:hush-hush@192.0.2.1:1', 'The address must be like socks5://'],
    ['--pool dynamic_1 --direct --country usa', 'The country must be a code of two letters'],
    ['--pool dynamic_1 --direct --city London', 'A city needs --country'],
    ['--pool dynamic_1 --url http://u:hush-hush@192.0.2.1:1 --template {country}', 'must contain {user}'],
  ] as const) {
    ops.send(line)
    await ops.waitFor(problem)
  }
  expect(await core.operator.exits.list()).toEqual([])
  // As a phone writes it, with the beginning of the command.
  ops.send('exit add —pool dynamic_1 —url socks5://who:hush-hush@192.0.2.1:1080 —country us —city “New York”')
  const added = await ops.read('Added. The gateway uses it within seconds')
  expect(added).toContain('Exit 1 of dynamic_1\n⚪ The gateway has not tested it yet')
  expect(added).toContain('Address: socks5://192.0.2.1:1080\nPlace: 🇺🇸 United States, New York')
  await ops.press('‹ Back')
  await ops.waitFor(/dynamic_1\n⚪ #1 🇺🇸 United States, New York/)
  // Neither in the chat nor in the log, which names the chat that did it.
  expect(JSON.stringify(product.telegram.messages(OPS.id))).not.toContain('hush-hush')
  expect(product.log.join('')).not.toContain('hush-hush')
  const logged = product.log
    .filter((line) => line.includes('exit.'))
    .map((line) => JSON.parse(line) as object)
  expect(logged).toMatchObject([{ from: `chat ${OPS.id}`, action: 'exit.add', subject: '1' }])
  expect(shop.bugs()).toEqual([])
})

test('the daily figures say what exits did on that day, and are forgotten after 30 days; those of an exit go with it', async () => {
  const shop = await startShop()
  const { ops, core, clock, pass, report } = shop
  for (const pool of ['dynamic_1', 'dynamic_2'] as const) await core.operator.exits.add(SHELL, { pool })
  ops.send('/operator')
  await ops.waitFor('Operator')
  const exit = { id: 1, healthy: true, reason: null, connect_ms: 5, connections: 1, bytes: 0, errors: 0 }
  const second = { ...exit, id: 2, bytes: 3_000_000 }
  await report({ exits: [{ ...exit, bytes: 1_500_000, errors: 1 }, second, { ...second, id: 9 }] })
  await report({ exits: [{ ...exit, bytes: 500_000, errors: 3 }] })
  clock.set('2026-03-02T07:59:00.000Z')
  // Today's are not yesterday's.
  await report({ exits: [{ ...exit, bytes: 7_000_000, errors: 8 }] })
  await pass(60_000)
  expect(await ops.read(/1 Mar 2026 \(UTC\)/)).toContain(
    'healthy exits now: 2 of 2\n• Exit 1: 2 MB, 4 errors\n• Exit 2: 3 MB, 0 errors\n',
  )
  clock.advance(29 * DAY)
  await core.jobs.sweepExitDays()
  const used = async (day: string) => (await core.operator.dayFigures(day)).gateway?.used
  expect(await used('2026-03-01')).toEqual([])
  expect(await used('2026-03-02')).toEqual([{ id: 1, bytes: 7_000_000, errors: 8 }])
  await core.operator.exits.remove(SHELL, 1)
  expect(await used('2026-03-02')).toEqual([])
})

test('exits are listed by pool with their health; one is tried, paused, resumed, and removed after a question', async () => {
  const shop = await startShop()
  const { ops, core, product, clock, report } = shop
  const url = `http://who:hush-hush@127.0.0.1:${await freePort()}`
  await core.operator.exits.add(SHELL, { pool: 'dynamic_2' })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url, country: 'jp' })
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url, template: '{user}-country-{country}' })
  const exit = { healthy: true, reason: null, connect_ms: 34, connections: 5, bytes: 2_000_000, errors: 1 }
  await report({ exits: [{ ...exit, id: 1 }] })
  clock.advance(DAY)
  await report({
    exits: [
      { ...exit, id: 1, bytes: 1_000_000, errors: 0 },
      { ...exit, id: 2, healthy: false, reason: 'ECONNREFUSED', connect_ms: null },
    ],
  })
  await report({ exits: [{ ...exit, id: 1, bytes: 500_000, errors: 2 }] })
  ops.send('/operator')
  await ops.press('📊 Today so far')
  expect(await ops.read('Orders: 0')).toContain(
    'Gateway: works · healthy exits now: 1 of 3\n• Exit 1: 1.5 MB, 2 errors\n• Exit 2: 2 MB, 1 error\n',
  )
  ops.send('/exits')
  const list = await ops.read(/🚪 Exits/)
  expect(list).toContain(
    'dynamic_1\n🔴 #2 🇯🇵 Japan\n⚪ #3 no particular place\n\ndynamic_2\n🟢 #1 no particular place',
  )
  expect(ops.buttons().slice(0, 3)).toEqual(['🔴 #2 JP', '⚪ #3 🌍', '🟢 #1 🌍'])

  await ops.press('🟢 #1 🌍')
  const direct = await ops.read('Exit 1 of dynamic_2')
  expect(direct).toContain('🟢 Works\n\nKind: direct, from the gateway itself')
  expect(direct).toContain(
    'Connected in 34 ms\nToday: 1.5 MB, errors: 2\nTotal: 3.5 MB, errors: 3, connections: 15',
  )
  await ops.press('🩺 Test')
  await ops.waitFor(/It works: connected after \d+ ms, at the target after \d+ ms, seen as 127\.0\.0\.1/)
  clock.advance(DAY)
  await ops.press('🔄 Refresh')
  await ops.waitFor('Today: 0 B, errors: 0')
  await ops.press('‹ Back')

  await ops.press('🔴 #2 JP')
  const failing = await ops.read('🔴 Does not work')
  expect(failing).toContain('Last error: ECONNREFUSED')
  await ops.press('🩺 Test')
  await ops.waitFor(/It does not work \(connecting\): It refuses connections\./)
  await ops.press('⏸ Pause')
  await ops.waitFor('⏸ Paused: no new connections')
  await ops.press('‹ Back')
  await ops.press('⏸ #2 JP')
  await ops.press('▶️ Resume')
  await ops.waitFor('🔴 Does not work')
  await ops.press('✏️ Change')
  await ops.waitFor('✏️ Exit 2')
  ops.send('--url http://who:hush-hush@192.0.2.1:1 --direct')
  await ops.waitFor('not --url and --direct together')
  ops.send('--city Osaka')
  await ops.waitFor(/Changed\.[^]*🇯🇵 Japan, Osaka/)
  await ops.press('✏️ Change')
  ops.send('—url http://who:hush-hush@192.0.2.9:8080 —city -')
  await ops.waitFor(/⚪[^]*Address: http:\/\/192\.0\.2\.9:8080\nPlace: 🇯🇵 Japan\n/)
  await ops.press('🗑 Remove')
  const question = await ops.waitFor('Remove this exit with its credentials?')
  await ops.press('‹ Back')
  expect(await core.operator.exits.list()).toHaveLength(3)
  await ops.press('🗑 Remove')
  const { text } = await ops.press('🗑 Remove exit 2')
  expect(text).toBe('Exit 2 is removed.')
  await ops.waitFor((message) => message.text.includes('🚪 Exits') && !message.text.includes('#2'))
  // Old buttons say so.
  for (const data of ['oed!:2', 'oep:2', 'oet:2', 'oev:x']) {
    const answer = await product.telegram.pressStale(OPS.id, question.messageId, data)
    expect(answer.text).toBe('This exit is no longer there.')
  }
  expect(JSON.stringify(product.telegram.messages(OPS.id))).not.toContain('hush-hush')
  expect(product.log.join('')).not.toContain('hush-hush')
  const who = product.log.filter(
    (line) => line.includes('operator_action') && line.includes(`chat ${OPS.id}`),
  )
  expect(who.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
    'exit.pause',
    'exit.resume',
    'exit.edit',
    'exit.edit',
    'exit.remove',
  ])
  expect(shop.bugs()).toEqual([])
})

test('the gateway: whether it runs, what it refused and carries; notices lead to it and to the exits', async () => {
  const shop = await startShop()
  const { ops, core, product, clock, report, pass } = shop
  const zh = product.phone(OPS_ZH)
  zh.send('/operator')
  await zh.waitFor(/运营菜单/)
  const account = await shop.accountOf(shop.customer)
  const gateway = {
    started_at: '2026-03-01T11:00:00.000Z',
    workers: 2,
    connections: 7,
    accepted: 40,
    refused: { credentials_wrong: 3, new_reason: 9 },
  }
  await report({ gateway, items: [{ account, day: TODAY, bytes: 12_000_000, targets: [] }] })
  ops.send('/exits')
  await ops.waitFor('🟢 Gateway: running since 1 Mar 2026, 11:00 UTC')
  await ops.press('📡 Gateway')
  const running = await ops.read('📡 Gateway')
  expect(running).toContain('Connections: 7 · processes: 2\nTraffic today: 12 MB\n\nAccepted so far: 40')
  expect(running).toContain('Refused so far:\n• new_reason: 9\n• wrong username or password: 3')
  await report({ gateway: { ...gateway, connections: 8, refused: { credentials_wrong: 10 } } })
  await ops.press('🔄 Refresh')
  await ops.waitFor(/Connections: 8[^]*• wrong username or password: 13\n• new_reason: 9/)

  await core.operator.exits.add(SHELL, { pool: 'dynamic_2' })
  const failing = {
    id: 1,
    healthy: false,
    reason: 'down',
    connect_ms: null,
    connections: 0,
    bytes: 0,
    errors: 1,
  }
  // The loop looks once a minute, and believes a gateway that has called within 15 seconds.
  for (let seconds = 0; seconds < 70; seconds += 10) {
    await report({ exits: [failing] })
    await pass(10_000)
  }
  await ops.waitFor('No exit of dynamic_2 works')
  await zh.waitFor('dynamic_2 没有可用的出口')
  await ops.press('🚪 Exits')
  await ops.waitFor(/dynamic_2\n🔴 #1/)
  await zh.press('🚪 出口')
  await zh.waitFor(/dynamic_2\n🔴 #1/)

  const lastCall = new Date(clock.now().getTime() - 10_000)
  await pass(3 * 60_000)
  await ops.waitFor(/The gateway has been silent since/)
  ops.send('/operator')
  await ops.press('📊 Today so far')
  await ops.waitFor('⚠️ Gateway: does not work · healthy exits now: 0 of 1')
  ops.send('/exits')
  await ops.press('📡 Gateway')
  const screen = await ops.read(`Gateway: silent since ${english.dateTime(lastCall)}`)
  expect(screen).not.toContain('Connections:')
  await report({ ended: true })
  await ops.press('🔄 Refresh')
  await ops.waitFor('Gateway: stopped since')
  expect(shop.bugs()).toEqual([])
})

test('an address on a white list: whose it is, and freed, which its customer is told', async () => {
  const shop = await startShop()
  const { ops, core, product } = shop
  const holder = await product.memberPhone(BEN, CUSTOMER)
  const own = { productNo: 'DYN-1', addresses: ['203.0.113.0/24', '2001:db8::7'] }
  await core.traffic.setAllowList(shop.customer, own)
  ops.send('/exits')
  await ops.press('📡 Gateway')
  await ops.press('🛡 White lists')
  await ops.waitFor('Send me an address')
  ops.send('where?')
  await ops.waitFor('This is not an address')
  ops.send('198.51.100.1')
  await ops.waitFor('on no white list')
  await ops.press('🔎 Another address')
  ops.send('203.0.113.7')
  await ops.waitFor(`• 203.0.113.0/24: ${CUSTOMER.username}, DYN-1, since`)
  await ops.press('✂️ 203.0.113.0/24')
  await ops.waitFor(`Take 203.0.113.0/24 from the white list of ${CUSTOMER.username}?`)
  const { text } = await ops.press('✂️ Take it off the list')
  expect(text).toBe(`203.0.113.0/24 is free; ${CUSTOMER.username} is told.`)
  await holder.waitFor(
    /203\.0\.113\.0\/24 (?:is no longer on your white list of Dynamic 1|已从您的白名单移除)/,
  )
  expect((await core.traffic.allowList(shop.customer, own)).addresses).toEqual(['2001:db8::7'])
  const answer = await product.telegram.pressStale(
    OPS.id,
    ops.screen().message.messageId,
    'owf!:203.0.113.0/24',
  )
  expect(answer.text).toBe('This address is on no white list.')
  const { items } = await core.operator.trail.list({ action: 'address' })
  expect(items).toMatchObject([
    { subject: '203.0.113.0/24', username: CUSTOMER.username, details: { productNo: 'DYN-1' } },
  ])

  const { database } = product
  const cli = async (...args: string[]) => {
    const { status, stdout, stderr } = await operator(['gateway', ...args], { database })
    return [status, (status === 0 ? stdout : stderr).trimEnd()] as const
  }
  expect(await cli('allowed')).toEqual([0, expect.stringMatching(/^ADDRESS.*\n2001:db8::7 +customer +DYN-1/)])
  expect(await cli('free', '203.0.113.9', '--yes')).toEqual([
    1,
    expect.stringContaining('is on no white list'),
  ])
  expect(await cli('free', '2001:db8::7', '--yes')).toEqual([0, '2001:db8::7 is free; customer is told'])
  expect(shop.bugs()).toEqual([])
})

test('a file of another gateway is counted in the chat, in either language: all of it or nothing, each report once', async () => {
  const shop = await startShop()
  const { core, ops, product, customer } = shop
  const name = await shop.accountOf(customer)
  const left = async () => (await core.traffic.remainingFlow(customer, customer.id, 'DYN-1')).remaining
  const csv = (...reports: string[]) => ({
    fileName: 'usage.csv',
    mimeType: 'text/csv',
    content: Buffer.from(['account,bytes,report_id', ...reports].join('\n')),
  })
  ops.send('/exits')
  await ops.press('📡 Gateway')
  await ops.press('📄 Usage file')
  await ops.waitFor('Traffic that another gateway reports')
  ops.sendFile(csv(`${name},1500000000,r1`, 'nobody,5,r2', `${name},many,r3`))
  const wrong = await ops.waitFor('Nothing is counted')
  expect(wrong.text).toContain('• line 4: bytes must be a whole number of bytes')
  expect(await left()).toBe(10_000_000_000)
  await ops.press('‹ Back')
  await ops.press('📄 Usage file')
  ops.sendFile(csv(`${name},1500000000,r1`, `${name},500000000,r2`))
  await ops.waitFor('✅ 2 GB counted, of 2 reports.')

  const zh = product.phone(OPS_ZH)
  zh.send('/exits')
  await zh.press('📡 网关')
  await zh.press('📄 用量文件')
  await zh.waitFor('导入其他网关的用量')
  zh.send(`account,bytes,report_id\n${name},1500000000,r1\n${name},9000000000,r4`)
  expect((await zh.waitFor('已计入 8 GB（1 条上报）')).text).toMatch(/此前已计入：1 条\n超出剩余流量：1 GB/)
  expect(await left()).toBe(0)
  const { items } = await core.operator.trail.list({ action: 'usage.import' })
  expect(items.map(({ chatId }) => chatId)).toEqual([OPS_ZH.id, OPS.id])
  expect(shop.bugs()).toEqual([])
})

test('a line is read as the command line reads it', () => {
  const url = 'socks5://u:p@192.0.2.1:1080'
  const exit = { pool: 'dynamic_1', url }
  expect(exitFromLine(`npm run operator -- exit add --pool=dynamic_1 --url='${url}'`)).toEqual(exit)
  expect(exitFromLine(`exit add --pool dynamic_1 --url "${url}"`)).toEqual(exit)
  expect(exitFromLine(`--direct\n--pool dynamic_3`)).toEqual({ pool: 'dynamic_3' })
  expect(exitFromLine(`--pool dynamic_1 --url ${url} --template "{user}-c-{country}"`)).toEqual({
    pool: 'dynamic_1',
    url,
    template: '{user}-c-{country}',
  })
  expect(exitFromLine(`--pool dynamic_1 --url ${url} --resolve remote-only`)).toEqual({
    ...exit,
    resolve: 'remote-only',
  })
  expect(exitChangeFromLine('--resolve gateway')).toEqual({ resolve: 'gateway' })
  expect(exitFromLine(`--pool dynamic_1 --url ${url} more`)).toBeUndefined()
  expect(exitFromLine('')).toBeUndefined()
})

test('why an exit fails is told in the language of the chat, whether it was tried or the gateway reports it', async () => {
  const shop = await startShop()
  const { core, product, report } = shop
  const zh = product.phone(OPS_ZH)
  const url = `http://who:hush-hush@127.0.0.1:${await freePort()}`
  await core.operator.exits.add(SHELL, { pool: 'dynamic_1', url, country: 'us', city: 'Los Angeles' })
  zh.send('/exits')
  await zh.press(/#1/)
  await zh.waitFor('地区：🇺🇸 美国 洛杉矶')
  await zh.press('🩺 测试')
  await zh.waitFor('不可用（建立连接）：代理拒绝连接。')
  for (const [reason, told] of [
    ['no connection (ECONNREFUSED)', '无法连接（ECONNREFUSED）'],
    ['no connection in time', '连接超时'],
    ['no answer in time', '没有及时应答'],
    ['no TLS connection (CERT_HAS_EXPIRED)', '无法建立 TLS 连接（CERT_HAS_EXPIRED）'],
    ['it ended the connection', '对方断开了连接'],
    ['it does not speak this protocol', '对方不支持该协议'],
    ['it does not speak HTTP', '对方不支持 HTTP'],
    ['its address is malformed', '地址格式有误'],
    ['it refuses the credentials', '用户名或密码被拒绝'],
    ['it answered 407', '对方返回错误（407）'],
    ['exit_timeout', '出口没有应答'],
    ['something of a later version', 'something of a later version'],
    ['constructor', 'constructor'],
  ] as const) {
    const exit = { id: 1, healthy: false, reason, connect_ms: null, connections: 0, bytes: 0, errors: 1 }
    await report({ exits: [exit] })
    zh.send('/exits')
    await zh.press(/#1/)
    await zh.waitFor(`最近的错误：${told}\n`)
  }
  expect(shop.bugs()).toEqual([])
})
