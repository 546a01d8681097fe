import { describe, expect, it } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { startTrafficShop, TODAY } from '../support/traffic-shop.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'

describe('what traffic is used for', () => {
  it('is told live: a press on Refresh edits the screen with what the gateway has reported meanwhile', async () => {
    const shop = await startTrafficShop()
    const account = await shop.accountOf(shop.customer)
    const ann = await shop.product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press('Dynamic 1 · 10 GB')
    await ann.waitFor('Left: 10 GB of 10 GB')
    await ann.press('📊 Usage')
    const before = await ann.waitFor('Nothing was used in the last 14 days')
    expect(before.text).toContain('As of 1 Mar 2026, 12:00 UTC')
    expect(ann.buttons()).not.toContain('📈 Chart')

    await shop.use(account, '2026-02-16', { 'a.example': 1 })
    await shop.use(account, '2026-02-26', { 'a.example': 1_000_000_000 })
    await shop.use(account, TODAY, { 'a.example': 400_000_000, 'b.example': 100_000_000 })
    await ann.press('🔄 Refresh')
    const after = await ann.waitFor('Used today: 500 MB')
    expect(after.messageId).toBe(before.messageId)
    expect(after.text).toContain('▰▰▱▱▱▱▱▱▱▱ 15% used or assigned\nLeft: 8.499 GB of 10 GB')
    const days = after.text.split('\n').filter((line) => /^ ?\d+ \w{3} /.test(line))
    expect(days).toHaveLength(14)
    expect([days[0], days[1], days[3], days[13]]).toEqual([
      ' 1 Mar ▰▰▰▱▱▱ 500 MB',
      '28 Feb ▱▱▱▱▱▱ 0 B',
      '26 Feb ▰▰▰▰▰▰ 1 GB',
      '16 Feb ▰▱▱▱▱▱ 1 B',
    ])
    await ann.press('📈 Chart')
    const chart = await ann.waitFor('Traffic used per day')
    expect(chart.text).toContain('Last 30 days (UTC)\nUsed: 1.5 GB')
    expect((await ann.file(chart)).mimeType).toBe('image/png')
    await ann.press('‹ Back')
    await ann.waitFor('Used today: 500 MB')
    await ann.press('‹ Back')
    await ann.waitFor('Left: 8.499 GB of 10 GB')
    await shop.use(account, TODAY, { 'a.example': 499_000_000 })
    await ann.press('🔄 Refresh')
    await ann.waitFor('Left: 8 GB of 10 GB')
    expect(shop.bugs()).toEqual([])
  })

  it('is told by host, of 7 days or of one; it is switched off after a question, which forgets what was kept', async () => {
    const shop = await startTrafficShop()
    const account = await shop.accountOf(shop.customer)
    const long = `${'very-long-label.'.repeat(6)}cdn.example`
    const many = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`h${at}.example`, 1000 + at]))
    await shop.use(account, TODAY, { ...many, [long]: 2_000_000, '<b>&': 1_000_000 })
    await shop.use(account, '2026-02-27', { 'old.example': 5_000_000 })
    await shop.use(account, '2026-02-10', { 'older.example': 6_000_000 })
    const ann = await shop.product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('📊 Usage')
    await ann.press('🎯 Hosts')
    const week = await ann.read('Days: 23 Feb 2026 – 1 Mar 2026')
    expect(week).toContain('1. old.example: 5 MB\n2. …')
    expect(week).toMatch(/2\. ….{47}: 2 MB\n3\. <b>&: 1 MB\n4\. h21\.example: 1\.02 KB/)
    expect(week).toContain('\n20. h5.example')
    expect(week).not.toContain('\n21. ')
    expect(week).toContain('All others: 5.01 KB')
    expect(week).not.toContain('older.example')

    await ann.press('Today')
    const today = await ann.read('Day: 1 Mar 2026')
    expect(today).not.toContain('old.example')
    expect(ann.buttons().slice(0, 2)).toEqual(['‹ 28 Feb', '7 days'])
    await ann.press('‹ 28 Feb')
    await ann.waitFor(/Day: 28 Feb 2026[^]*Used: 0 B[^]*Nothing was used/)
    await ann.press('‹ 27 Feb')
    await ann.waitFor(/Day: 27 Feb 2026[^]*1\. old\.example: 5 MB/)
    await ann.press('28 Feb ›')
    await ann.waitFor('Day: 28 Feb 2026')

    await ann.press('🙈 Keep no hosts')
    await ann.waitFor('Stop keeping hosts?')
    await ann.press('‹ Back')
    await ann.press('7 days')
    await ann.waitFor('1. old.example')
    await ann.press('🙈 Keep no hosts')
    await ann.press('🙈 Delete, keep no more')
    await ann.waitFor('Hosts are not kept')
    await shop.use(account, TODAY, { 'secret.example': 7_000_000 })
    await ann.press('👁 Keep hosts from now on')
    // What was used is still counted; for which hosts is not known.
    const again = await ann.read('Used: 15')
    expect(again).not.toContain('.example')
    await shop.use(account, TODAY, { 'new.example': 1000 })
    await ann.press('🔄 Refresh')
    await ann.waitFor('1. new.example: 1 KB')
    expect(shop.bugs()).toEqual([])
  })

  it('an agent sees the same of its sub-users, and nobody else does; forged days and products lead nowhere', async () => {
    const shop = await startTrafficShop()
    const { core, product } = shop
    await shop.use(await shop.accountOf(shop.customer), TODAY, { 'a.example': 3_000_000 })
    const boss = await product.memberPhone(ANN, AGENT)
    boss.send('/users')
    await boss.press(/customer/)
    await boss.press('📶 Traffic')
    await boss.waitFor('Orders: 1')
    await boss.press('📊 Usage')
    await boss.waitFor('👤 customer')
    await boss.press('Dynamic 1 · 9.997 GB')
    expect(await boss.read('👤 customer')).toContain('Used today: 3 MB')
    await boss.press('🎯 Hosts')
    await boss.waitFor(/👤 customer[^]*1\. a\.example: 3 MB/)
    await boss.press('‹ Back')
    await boss.press('🛡 Allowed IPs')
    boss.send('203.0.113.7')
    await boss.waitFor(/👤 customer[^]*1\. 203\.0\.113\.7/)
    expect(await core.traffic.allowList(shop.customer, { productNo: 'DYN-1' })).toMatchObject({
      addresses: ['203.0.113.7'],
    })
    await boss.press('‹ Back')
    await boss.press('‹ Back')
    await boss.waitFor('Orders: 1')

    const { messageId } = boss.screen().message
    const { items } = await core.traffic.productsFlow(shop.agent, shop.agent.id)
    const [one = 0] = items.map(({ productId }) => productId)
    const ben = await product.memberPhone(BEN)
    await core.chats.setLanguage(BEN.id, 'en')
    ben.send('/menu')
    const home = await ben.waitFor('Main menu')
    for (const data of [
      `du:${one}:${shop.agent.id}`,
      `dut:${one}:${shop.agent.id}`,
      `dal:${one}:${shop.agent.id}`,
    ]) {
      const { text } = await product.telegram.pressStale(BEN.id, home.messageId, data)
      expect(text).toBe('Only agents have sub-users.')
    }
    await product.telegram.pressStale(ANN.id, messageId, 'du:99')
    await boss.waitFor('Main menu')
    await product.telegram.pressStale(ANN.id, messageId, `dut:${one}::2026-02-30`)
    await boss.waitFor('Days: 23 Feb 2026 – 1 Mar 2026')
    expect(shop.bugs()).toEqual([])
  })
})

describe('the addresses that need no password', () => {
  it('are typed, several at once and with a country, listed in pages and removed; what is wrong is named', async () => {
    const shop = await startTrafficShop()
    const { core } = shop
    const list = () => core.traffic.allowList(shop.customer, { productNo: 'DYN-1' })
    await core.traffic.setAllowList(shop.agent, { productNo: 'DYN-1', addresses: ['203.0.113.99'] })
    const ann = await shop.product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🛡 Allowed IPs')
    await ann.waitFor('There are none')
    await ann.press('➕ Add addresses')
    await ann.waitFor('Send me addresses or ranges')
    for (const [typed, problem] of [
      ['203.0.113.300', '“203.0.113.300” is not an address'],
      ['192.0.2.1, 10.0.0.0/8', '10.0.0.0/8 is too wide'],
      ['192.0.2.0/24 192.0.2.7', '192.0.2.7 is already in the list, or overlaps'],
      ['203.0.113.99', '203.0.113.99 is already used for other traffic'],
      ['192.0.2.1 Atlantis', 'There is no country “Atlantis”'],
      ['192.0.2.1 united', '“united” matches too many countries'],
      ['US', 'Please send at least one address'],
      [Array.from({ length: 51 }, (_, at) => `192.0.2.${at}`).join(' '), 'At most 50 addresses'],
    ] as const) {
      ann.send(typed)
      await ann.waitFor(problem)
    }
    expect((await list()).addresses).toEqual([])

    ann.send('203.0.113.7，198.51.100.9/24、2001:db8:1234:5678:9abc:def0:1234:5678 United States')
    const added = await ann.read('Addresses: 3 of 50')
    expect(added).toContain('1. 203.0.113.7\n2. 198.51.100.0/24\n3. 2001:db8:1234:5678:9abc:def0:1234:5678')
    expect(added).toContain('Their traffic leaves in: 🇺🇸 United States')
    expect(ann.buttons()).toContain('🗑 2001:db8:1234…f0:1234:5678')
    // What is typed at the list is added, too; what was chosen before stays.
    ann.send(Array.from({ length: 8 }, (_, at) => `192.0.2.${at}`).join('\n'))
    const more = await ann.read('Addresses: 11 of 50')
    expect(more).toContain('11. 192.0.2.7')
    expect(more).toContain('United States')
    await ann.press('🗑 192.0.2.6')
    await ann.waitFor(
      (message) => message.text.includes('Addresses: 10') && message.text.includes('9. 192.0.2.5'),
    )
    await ann.press('‹')
    await ann.press(/🗑 2001:db8/)
    await ann.waitFor('3. 192.0.2.0')
    await ann.press('🌍 Leave in any country')
    await ann.waitFor('Their traffic leaves in any country')
    expect(await list()).toMatchObject({ country: null, session: null })
    expect((await list()).addresses).toHaveLength(9)
    // A country alone is for the addresses that there are.
    ann.send('jp')
    await ann.waitFor('Their traffic leaves in: 🇯🇵 Japan')
    await ann.press('‹ Back')
    await ann.waitFor('Left: 10 GB of 10 GB')
    expect(shop.bugs()).toEqual([])
  })

  it('keep the session that was chosen over REST, and offer the product’s countries only', async () => {
    const shop = await startTrafficShop()
    const { core } = shop
    await core.operator.editProduct(SHELL, 'DYN-1', { countries: ['US', 'DE'] })
    const which = { productNo: 'DYN-1', session: 'office1234', country: 'de' }
    await core.traffic.setAllowList(shop.customer, { ...which, addresses: ['203.0.113.7'] })
    const ann = await shop.product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🛡 Allowed IPs')
    await ann.waitFor('Their traffic leaves in: 🇩🇪 Germany')
    ann.send('203.0.113.8 Japan')
    await ann.waitFor('There is no country “Japan”')
    ann.send('203.0.113.8')
    await ann.waitFor('Addresses: 2 of 50')
    const list = await core.traffic.allowList(shop.customer, { productNo: 'DYN-1' })
    expect(list).toMatchObject({ session: 'office1234', country: 'DE' })
  })
})

describe('one proxy', () => {
  it('comes with the address of the gateway and a command that uses it; several do not', async () => {
    const shop = await startTrafficShop()
    const ann = await shop.product.memberPhone(ANN)
    ann.send('/traffic')
    await ann.press(/Dynamic 1/)
    await ann.press('🔌 Get proxies')
    await ann.press('✅ Get it here')
    const http = await ann.read('Your proxy')
    const [, user = '', pass = ''] = /gw\.proxy\.example:8001:([^:]+):(\S+)/.exec(http) ?? []
    expect(http).toContain('Gateway: gw.proxy.example:8001 (HTTP)')
    expect(http).toContain(`curl -x 'http://${user}:${pass}@gw.proxy.example:8001' http://example.com/`)
    await ann.press('⚙️ Change options')
    await ann.press('SOCKS5')
    await ann.press('✅ Get it here')
    const socks = await ann.read('Your proxy')
    expect(socks).toContain("curl -x 'socks5h://")
    await ann.press('⚙️ Change options')
    await ann.press(/Quantity/)
    await ann.press('2')
    await ann.press('✅ Get 2 here')
    expect(await ann.read('Your 2 proxies')).not.toContain('curl')
  })
})
