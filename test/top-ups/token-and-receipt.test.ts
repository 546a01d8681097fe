import { describe, expect, test } from 'vitest'
import { openShop, type Shop, unitsOf, WALLET, type WireTopUp } from '../support/top-ups.ts'

/** A shop in which somebody waits for a payment of 100. */
async function waiting() {
  const shop = await openShop()
  const user = await shop.customer(null)
  const topUp = await shop.open(user)
  return { ...shop, user, asked: topUp, units: unitsOf(topUp.pay_amount) }
}

const RECEIPT = 'walletsolidity/gettransactioninfobyid'
type Log = { address: string; topics: string[]; data: string }
type Info = {
  id: string
  blockNumber: unknown
  receipt?: object
  result?: string
  log?: Log[]
  contractResult?: string[]
}

/** Changes the next receipt, or all of them. */
function forge(shop: Shop, edit: (info: Info) => unknown, times = 1) {
  return shop.tron.faults.inject({ kind: 'edit', method: RECEIPT, times, edit })
}

async function expectPaid(shop: Shop, topUp: WireTopUp): Promise<void> {
  expect((await shop.topUp(topUp)).status).toBe('paid')
  expect(await shop.transfers()).toContain('matched')
  await shop.audited()
}

describe('tokens', () => {
  test('case 1: a row of another contract that calls itself USDT is ignored, even when the server does not filter', async () => {
    const shop = await waiting()
    const { address } = shop.people.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
    shop.tron.faults.inject({ kind: 'ignore', parameters: ['contract_address'], times: Infinity })
    shop.people.transfer({ units: shop.units, contract: address })
    await shop.settle()
    expect(await shop.topUp(shop.asked)).toMatchObject({ status: 'pending', seenTxid: null })
    expect(await shop.transfers()).toEqual([])
    shop.pay(shop.asked)
    await shop.settle()
    await expectPaid(shop, shop.asked)
  })

  test('case 2: a fake token with 18 decimals, a huge value and HTML in its name changes nothing and is shown nowhere', async () => {
    const shop = await waiting()
    const name = '<b>Tether</b><script>alert(1)</script>'
    const { address } = shop.people.addToken({ symbol: name, name, decimals: 18 })
    shop.tron.faults.inject({ kind: 'ignore', parameters: ['contract_address'], times: Infinity })
    shop.people.transfer({ units: 2n ** 255n, contract: address })
    shop.people.batch([{ units: 2n ** 200n, contract: address }, { units: shop.units }])
    await shop.settle()
    await expectPaid(shop, shop.asked)
    expect(await shop.transfers()).toEqual(['matched'])
    expect(JSON.stringify([shop.log, await shop.db.read.usdtTransfer.findMany()])).not.toContain('script')
  })

  test('case 3: an approval of the exact amount is no payment', async () => {
    const shop = await waiting()
    shop.people.approve({ units: shop.units })
    await shop.settle()
    expect((await shop.topUp(shop.asked)).status).toBe('pending')
    expect(await shop.transfers()).toEqual([])
  })

  test('case 4: a thousand dust transfers between two payments hide neither, and cost a few calls only', async () => {
    const shop = await waiting()
    const second = await shop.open(await shop.customer(null), '50')
    await shop.scan()
    shop.tron.clearRequests()
    shop.pay(shop.asked)
    for (let i = 0; i < 1000; i += 1) shop.people.transfer({ units: BigInt(i % 3) })
    shop.pay(second)
    shop.clock.advance(3000)
    await shop.scan()
    expect(shop.tron.requests().length).toBeLessThanOrEqual(1 + 6)
    shop.clock.advance(60_000)
    await shop.scan()
    await expectPaid(shop, shop.asked)
    await expectPaid(shop, second)
    expect(await shop.transfers()).toEqual(['matched', 'matched'])
    expect(shop.tron.requests(RECEIPT)).toHaveLength(2)
  })
})

describe('receipts', () => {
  test.each(['REVERT', 'OUT_OF_ENERGY'])(
    'case 5: what was listed and then failed (%s) is no payment, and the next one is',
    async (result) => {
      const shop = await waiting()
      shop.pay(shop.asked)
      shop.clock.advance(6000)
      await shop.scan()
      expect((await shop.topUp(shop.asked)).status).toBe('confirming')
      forge(shop, (info) => ({
        ...info,
        log: undefined,
        result: 'FAILED',
        receipt: { ...info.receipt, result },
      }))
      await shop.settle()
      expect(await shop.topUp(shop.asked)).toMatchObject({ status: 'pending', seenTxid: null })
      expect(await shop.balance(shop.user)).toBe(0)
      shop.pay(shop.asked)
      await shop.settle()
      await expectPaid(shop, shop.asked)
    },
  )

  test('case 6: only irreversible receipts count: what the head says is not even asked', async () => {
    const shop = await waiting()
    shop.pay(shop.asked)
    await shop.settle()
    await expectPaid(shop, shop.asked)
    expect(shop.tron.requests('wallet/gettransactioninfobyid')).toEqual([])
    expect(shop.tron.requests('wallet/gettransactionbyid')).toEqual([])
  })

  test('case 7: the value that a contract returns means nothing', async () => {
    const shop = await waiting()
    forge(shop, (info) => ({ ...info, contractResult: ['0'.repeat(64)] }))
    shop.pay(shop.asked)
    await shop.settle()
    await expectPaid(shop, shop.asked)

    const other = await waiting()
    const one = `${'0'.repeat(63)}1`
    forge(other, (info) => ({
      ...info,
      contractResult: [one],
      receipt: { result: 'REVERT' },
      result: 'FAILED',
    }))
    other.pay(other.asked)
    await other.settle()
    expect((await other.topUp(other.asked)).status).toBe('pending')
  })

  const first = (change: (log: Log) => Log) => (info: Info) => ({ ...info, log: info.log?.map(change) })
  const DAMAGE: Readonly<Record<string, (info: Info) => unknown>> = {
    'another id': (info) => ({ ...info, id: 'f'.repeat(64) }),
    'no receipt': (info) => ({ ...info, receipt: undefined }),
    'a block number as text': (info) => ({ ...info, blockNumber: String(info.blockNumber) }),
    'an amount of 63 digits': first((log) => ({ ...log, data: log.data.slice(1) })),
    'an amount of 66 digits': first((log) => ({ ...log, data: `00${log.data}` })),
    'no amount': first((log) => ({ ...log, data: '' })),
    'two topics': first((log) => ({ ...log, topics: log.topics.slice(0, 2) })),
    'four topics': first((log) => ({ ...log, topics: [...log.topics, '0'.repeat(64)] })),
    'a recipient with dirty upper bytes': first((log) => ({
      ...log,
      topics: [log.topics[0] ?? '', log.topics[1] ?? '', `f${log.topics[2]?.slice(1)}`],
    })),
  }
  test('case 8: a damaged receipt is refused without a crash, and a good one later is booked', async () => {
    const shop = await openShop()
    const pass = async (ms: number, stepMs: number) => {
      for (let left = ms; left > 0; left -= stepMs) {
        shop.clock.advance(stepMs)
        await shop.scan().catch(() => {})
      }
    }
    for (const [damage, edit] of Object.entries(DAMAGE)) {
      const user = await shop.customer(null)
      const topUp = await shop.open(user)
      shop.pay(topUp)
      const repair = forge(shop, edit, Infinity)
      await pass(72_000, 18_000)
      expect({ damage, balance: await shop.balance(user) }).toEqual({ damage, balance: 0 })
      repair()
      const again = ['two topics', 'four topics'].includes(damage)
      // Those are events of another kind, in an otherwise good receipt: that transaction paid nothing.
      if (again) shop.pay(topUp)
      await pass(180_000, 30_000)
      expect({ damage, status: (await shop.topUp(topUp)).status }).toEqual({ damage, status: 'paid' })
    }
    await shop.audited()
  })

  test.each(['41', 'base58'])(
    'case 9: the address of a log may be written in another way (%s)',
    async (form) => {
      const shop = await waiting()
      const address = (hex: string) => (form === '41' ? `41${hex}` : shop.people.contract)
      forge(
        shop,
        first((log) => ({ ...log, address: address(log.address) })),
      )
      shop.pay(shop.asked)
      await shop.settle()
      await expectPaid(shop, shop.asked)
    },
  )

  test('case 10: transferFrom, several payments at once, GasFree with its fee: only what reaches the wallet counts', async () => {
    const shop = await openShop()
    const stranger = 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U'
    const open = async (amount: string) => shop.open(await shop.customer(null), amount)
    const [byOther, inBatch, gasFree] = [await open('10'), await open('20'), await open('30')]
    shop.people.transferFrom({ units: unitsOf(byOther.pay_amount), spender: stranger })
    shop.people.batch([
      { units: 5_000_000n, to: stranger },
      { units: unitsOf(inBatch.pay_amount) },
      { units: 7_000_000n, to: stranger },
    ])
    shop.people.gasFree({ units: unitsOf(gasFree.pay_amount) })
    await shop.settle()
    for (const topUp of [byOther, inBatch, gasFree]) await expectPaid(shop, topUp)
    expect(await shop.transfers()).toEqual(['matched', 'matched', 'matched'])
  })

  test('case 11: the same amount twice in one transaction pays once; two amounts in one transaction pay two', async () => {
    const shop = await waiting()
    shop.people.batch([{ units: shop.units }, { units: shop.units }])
    const others = [
      await shop.open(await shop.customer(null), '7'),
      await shop.open(await shop.customer(null), '8'),
    ]
    shop.people.batch(others.map(({ pay_amount }) => ({ units: unitsOf(pay_amount) })))
    await shop.settle()
    for (const topUp of [shop.asked, ...others]) await expectPaid(shop, topUp)
    expect((await shop.transfers()).toSorted()).toEqual([
      'duplicate_payment',
      'matched',
      'matched',
      'matched',
    ])
    expect(await shop.entries(shop.user)).toHaveLength(1)
  })

  test('case 12: what the wallet sends to itself or to others is no payment', async () => {
    const shop = await waiting()
    shop.people.transfer({ units: 500_000_000n })
    await shop.settle()
    shop.people.transfer({ from: WALLET, units: shop.units })
    shop.people.transfer({ from: WALLET, to: shop.people.payer, units: shop.units })
    await shop.settle()
    expect((await shop.topUp(shop.asked)).status).toBe('pending')
    expect(await shop.transfers()).toEqual(['no_order', 'self'])
    expect(await shop.balance(shop.user)).toBe(0)
  })

  test('case 13: numbers beyond all reason lose no digit and wait for the operator', async () => {
    const shop = await waiting()
    const numbers = [2n ** 63n, 2n ** 256n - 1n, 10n ** 15n + 1n]
    const left = [...numbers]
    const next = () => (left.shift() ?? 0n).toString(16).padStart(64, '0')
    forge(
      shop,
      first((log) => ({ ...log, data: next() })),
      numbers.length,
    )
    for (const _ of numbers) shop.people.transfer({ units: 300_000_000n })
    await shop.settle()
    const rows = await shop.db.read.usdtTransfer.findMany()
    expect(rows.map(({ units, reason }) => [BigInt(units), reason])).toEqual(
      expect.arrayContaining(numbers.map((number) => [number, 'absurd_amount'])),
    )
    expect((await shop.core.operator.payments.list()).map(({ units }) => units).toSorted()).toEqual(
      numbers.map(String).toSorted(),
    )
    await shop.audited()
  })
})
