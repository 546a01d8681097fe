import { expect, test } from 'vitest'
import type { Finished } from '../support/children.ts'
import { command } from '../support/command-line.ts'
import { type MovableClock, movableClock } from '../support/service.ts'
import { API_KEY, openShop, unitsOf, WALLET } from '../support/top-ups.ts'

const MINUTE_MS = 60_000
const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>
const refusal = (line: string) => ({ status: 1, stdout: '', stderr: `${line}\n` })

/** Time as the commands know it, until the test moves it. */
const clockOfNow = (): MovableClock => movableClock(new Date().toISOString())

test('the operator decides about transfers that paid nothing: credits, ignores, notes a refund, each once', async () => {
  const shop = await openShop({ clock: clockOfNow(), terms: { rate: 7_200_000 } })
  const ann = await shop.customer(null, { name: 'ann' })
  const topUp = await shop.open(ann, '100')
  const short = shop.people.transfer({ units: unitsOf(topUp.pay_amount) - 1_000_000n })
  const twice = shop.people.batch([{ units: 3_000_000n }, { units: 4_500_000n }])
  const strange = shop.people.transfer({ units: 777_000_000n })
  await shop.settle()
  const run = (...args: string[]) => command(['payments', ...args], { database: shop.database })

  const [list, asJson] = await Promise.all([run('list'), run('list', '--json')])
  const [heading, ...lines] = list.stdout.trimEnd().split('\n')
  expect(heading).toMatch(/^NETWORK +TRANSACTION +USDT +FROM +BLOCK TIME +REASON +CLAIMED FOR +PERHAPS FOR$/)
  const at = shop.people.find(short)?.time.toISOString()
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, '|'))).toEqual(
    [
      [short, 0, topUp.pay_amount.replace('100', '99'), `${topUp.order_no} (ann, ${topUp.pay_amount})`],
      [twice, 0, '3.00', '-'],
      [twice, 1, '4.50', '-'],
      [strange, 0, '777.00', '-'],
    ].map(
      ([txid, index, amount, near]) =>
        `TRC20|${txid}:${index}|${amount}|${shop.people.payer}|${at}|no_order|-|${near}`,
    ),
  )
  expect((json(asJson)['items'] as unknown[])[0]).toEqual({
    network: 'TRC20',
    txid: short,
    log_index: 0,
    amount: topUp.pay_amount.replace('100', '99'),
    from_address: shop.people.payer,
    block_time: at,
    reason: 'no_order',
    claims: [],
    near: [{ order_no: topUp.order_no, username: 'ann', pay_amount: topUp.pay_amount, status: 'pending' }],
  })

  const [noTxid, unknown, noOrder, several] = await Promise.all([
    run('assign', 'xyz', topUp.order_no),
    run('ignore', 'ab'.repeat(32), '--json'),
    run('assign', short, 'U-unknown'),
    run('ignore', twice),
  ])
  expect(noTxid).toEqual(refusal('txid must be a transaction id of 64 hexadecimal digits, or TXID:INDEX'))
  expect(json(unknown)).toMatchObject({
    error: 'validation_error',
    data: { errors: [{ field: 'txid', message: 'is no transfer to the wallet that has been seen' }] },
  })
  expect(noOrder).toEqual(
    refusal('There is no top-up of this number: `topup list` shows those that there are'),
  )
  expect(several).toEqual(refusal('txid has several transfers that wait: name one as TXID:INDEX'))
  await expect(run('refund', strange)).rejects.toThrow("required option '--note <text>' not specified")
  expect(await shop.transfers()).toEqual(Array.from({ length: 4 }, () => 'no_order'))

  // In capitals and with 0x, as explorers write it.
  const assigned = await run(
    'assign',
    `0x${short.toUpperCase()}`,
    topUp.order_no,
    '--note',
    'fee of the exchange',
    '--json',
  )
  const credit = Number(((unitsOf(topUp.pay_amount) - 1_000_000n) * 72n) / 10n) / 1e6
  expect(json(assigned)).toEqual({
    order_no: topUp.order_no,
    username: 'ann',
    status: 'paid',
    credit_amount: credit,
    currency: 'USD',
  })
  const [more, ignored, refunded] = await Promise.all([
    run('assign', `${twice}:1`, topUp.order_no),
    run('ignore', `${twice}:0`, '--note', 'a gift', '--json'),
    run('refund', strange, '--note', 'sent back by hand'),
  ])
  expect(more.stdout).toBe(
    `ann was credited; ${topUp.order_no} has brought ${(credit + 32.4).toFixed(6).replace(/0{1,4}$/, '')} USD\n`,
  )
  expect(json(ignored)).toEqual({ txid: `${twice}:0`, state: 'ignored' })
  expect(refunded).toEqual({ status: 0, stdout: `Noted as sent back: ${strange}\n`, stderr: '' })

  const decided = refusal('This cannot be done any more: it was decided already, or the user is deleted')
  const [again, other, empty, audit] = await Promise.all([
    run('assign', short, topUp.order_no),
    run('ignore', twice),
    run('list'),
    command(['audit'], { database: shop.database }),
  ])
  expect([again, other]).toEqual([decided, decided])
  const back = await run('reopen', `${twice}:0`)
  expect(back.stdout).toBe(`${twice}:0 waits for a decision again\n`)
  expect(await run('reopen', `${twice}:0`)).toEqual(
    refusal('Nobody has ignored this transfer: `payments list` shows those that wait'),
  )
  await run('ignore', `${twice}:0`, '--note', 'a gift')
  expect(empty.stdout).toBe('No transfer waits for a decision\n')
  expect(audit).toEqual({ status: 0, stdout: 'The books balance\n', stderr: '' })
  expect(await shop.balance(ann)).toBeCloseTo(credit + 32.4, 6)
  const rows = await shop.db.read.usdtTransfer.findMany({ orderBy: { id: 'asc' } })
  expect(rows.map(({ state, note }) => [state, note])).toEqual([
    ['matched', 'fee of the exchange'],
    ['ignored', 'a gift'],
    ['matched', ''],
    ['refunded', 'sent back by hand'],
  ])
})

test('an index that lies makes no difference, and the audit says what it lists and what receipts prove', async () => {
  const clock = clockOfNow()
  clock.advance(-60 * MINUTE_MS)
  const shop = await openShop({ clock })
  const audit = (...args: string[]) =>
    command(['audit', ...args], {
      database: shop.database,
      env: { USDT_WALLET: WALLET, TRON_API_URL: shop.tronUrl, TRON_API_KEY: API_KEY },
    })
  await shop.scan()
  const { people } = shop
  const paid = people.transfer({ units: 12_000_000n })
  await shop.pass(11 * MINUTE_MS, MINUTE_MS)
  people.transfer({ from: WALLET, to: people.payer, units: 2_000_000n })
  const reverted = people.transfer({ units: 50_000_000n, outcome: 'REVERT' })
  shop.clock.advance(45 * MINUTE_MS)
  const invented = 'ab'.repeat(32)
  const row = {
    token_info: { symbol: 'USDT', address: people.contract, decimals: 6, name: 'Tether USD' },
    block_timestamp: shop.clock.now().getTime() - 40 * MINUTE_MS,
    from: people.payer,
    to: WALLET,
    type: 'Transfer',
  }
  const listed = [
    { ...row, transaction_id: reverted, value: '50000000' },
    { ...row, transaction_id: invented, value: '7' },
  ]
  shop.tron.faults.inject({ kind: 'drop-row', txid: paid, times: Infinity })
  shop.tron.faults.inject({
    kind: 'edit',
    method: 'trc20',
    times: Infinity,
    when: ({ only_to }) => only_to === 'true',
    edit: (page: { data: object[] }) => ({ ...page, data: [...page.data, ...listed] }),
  })
  const warnings = [
    `${reverted}: the index lists 50.00 USDT in, the receipt proves 0.00`,
    `${invented}: the index lists 0.000007 USDT in, the receipt proves 0.00`,
    `${paid}: the index lists 0.00 USDT in, the receipt proves 12.00`,
  ]
  expect(await audit()).toEqual({
    status: 0,
    stdout: [
      'The books balance',
      'The wallet holds on the chain what they say',
      ...warnings.map((warning) => `Warning: ${warning}`),
      '',
    ].join('\n'),
    stderr: '',
  })
  expect(json(await audit('--json'))).toEqual({
    balanced: true,
    differences: [],
    wallet: 'balanced',
    warnings,
  })
})

test('the audit holds the wallet against the books where it can be read', async () => {
  const shop = await openShop({ clock: clockOfNow() })
  const audit = (change: Record<string, string> = {}, ...args: string[]) =>
    command(['audit', ...args], {
      database: shop.database,
      env: { USDT_WALLET: WALLET, TRON_API_URL: shop.tronUrl, TRON_API_KEY: API_KEY, ...change },
    })
  const early = await audit()
  expect(early).toEqual({
    status: 0,
    stdout:
      'The books balance\nThe wallet was not compared with them: there was no quiet moment for it yet\n',
    stderr: '',
  })

  await shop.scan()
  shop.people.transfer({ units: 12_000_000n })
  await shop.pass(12 * MINUTE_MS, 2 * MINUTE_MS)
  const [good, nobody, asJson, noWallet] = await Promise.all([
    audit(),
    audit({ TRON_API_URL: 'http://127.0.0.1:1' }),
    audit({}, '--json'),
    audit({ USDT_WALLET: 'T-nowhere' }),
  ])
  expect(good).toEqual({
    status: 0,
    stdout: 'The books balance\nThe wallet holds on the chain what they say\n',
    stderr: '',
  })
  expect(nobody).toMatchObject({ status: 0, stderr: '' })
  expect(nobody.stdout).toMatch(
    /^The books balance\nThe wallet was not compared with them: [^\n]*ECONNREFUSED[^\n]*\n$/,
  )
  expect(json(asJson)).toEqual({ balanced: true, differences: [], wallet: 'balanced', warnings: [] })
  expect(noWallet).toMatchObject({ status: 1, stdout: '' })
  expect(noWallet.stderr).toMatch(/^[^\n]*USDT_WALLET is no TRON address[^\n]*\n$/)

  const hidden = shop.people.transfer({ units: 5_000_000n })
  shop.tron.faults.inject({ kind: 'drop-row', txid: hidden, times: Infinity })
  shop.clock.advance(MINUTE_MS)
  expect(await audit()).toEqual(
    refusal(
      `The books do not balance: 1 difference\n  ${WALLET}: 17.00 USDT instead of 12.00 (the wallet holds on the chain what has come and gone by the books)`,
    ),
  )
})
