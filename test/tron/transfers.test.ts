import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { USDT_CONTRACT } from '../../src/emulators/tron/tron-emulator.ts'
import { createTronChain } from '../../src/networks/tron/tron-chain.ts'
import { startTron, WALLET } from '../emulators/tron/server.ts'
import { movableClock } from '../support/movable-clock.ts'
import { startNode } from '../support/scripted-node.ts'

const PAYER = 'TZ53RkfpZKtGJpbrb16YjycT3i8t7HNp11'
const KEY = 'key-of-the-tests-0123456789'
const SECOND = 1000
const HOUR = 3_600 * SECOND

/** The imitated TRON, read over HTTP with the key that it knows. */
async function openChain() {
  const { tron, clock, origin } = await startTron({ keys: [KEY] })
  const chain = createTronChain({ apiUrl: `${origin}/tron`, apiKey: KEY, clock, random: () => 0 })
  const start = clock.now()
  const list = (query: object = {}) =>
    chain.listTransfers({ wallet: WALLET, contract: USDT_CONTRACT, after: start.toISOString(), ...query })
  return { chain, tron, clock, start, list }
}

const unitsOf = ({ transfers }: { transfers: readonly { raw: bigint }[] }) => transfers.map(({ raw }) => raw)

it('follows a payment from the list to the receipt that nobody can undo', async () => {
  const { chain, tron, clock, start, list } = await openChain()
  expect(await chain.checkWallet(WALLET, USDT_CONTRACT)).toBe('USDT')
  const txid = tron.chain.transfer({ units: 100_003_700n })
  clock.advance(6 * SECOND)

  const listed = {
    txid,
    contract: USDT_CONTRACT,
    from: tron.chain.payer,
    to: WALLET,
    raw: 100_003_700n,
    blockTime: tron.chain.find(txid)?.time,
  }
  expect(await list()).toEqual({
    transfers: [listed],
    complete: true,
    // An index may list a block minutes late: the next scan begins where this one did.
    next: start.toISOString(),
    readUntil: start,
    networkTime: clock.now(),
  })
  expect((await list({ finalOnly: true })).transfers).toEqual([])
  expect(await chain.receipt(txid, USDT_CONTRACT)).toBeUndefined()
  expect(await chain.knows(txid)).toBe(true)
  expect(await chain.knows('cd'.repeat(32))).toBe(false)
  expect(await chain.balance(WALLET, USDT_CONTRACT)).toBe(0n)

  clock.advance(57 * SECOND)
  expect((await list({ finalOnly: true })).transfers).toEqual([listed])
  expect(await chain.receipt(txid, USDT_CONTRACT)).toEqual({
    txid,
    blockNumber: tron.chain.find(txid)?.block,
    blockTime: listed.blockTime,
    success: true,
    transfers: [{ index: 0, contract: USDT_CONTRACT, from: tron.chain.payer, to: WALLET, raw: 100_003_700n }],
  })
  expect(await chain.balance(WALLET, USDT_CONTRACT)).toBe(100_003_700n)
  expect(await chain.solidBlock()).toBe(tron.chain.solidHead())
  expect(tron.requests().every(({ withKey }) => withKey)).toBe(true)
})

it('says what is wrong with a wallet or a contract that cannot be right', async () => {
  const { chain, tron } = await openChain()
  const token = (symbol: string, decimals: number) =>
    tron.chain.addToken({ symbol, name: 'Tether USD', decimals }).address
  const [fake, other] = [token('USD₮<b>', 18), token('ABC', 6)]
  expect(await chain.checkWallet(WALLET, other)).toBe('ABC')
  for (const [wallet, contract, problem] of [
    [
      WALLET,
      fake,
      `USDT_CONTRACT ${fake} counts with 18 decimals, USDT with 6 (its name on the chain is USD₮?b?)`,
    ],
    [WALLET, PAYER, `USDT_CONTRACT ${PAYER} is no contract on this chain`],
    [
      USDT_CONTRACT,
      WALLET,
      `USDT_CONTRACT ${WALLET} is no contract on this chain, and USDT_WALLET ${USDT_CONTRACT} is one: are they swapped?`,
    ],
    [other, USDT_CONTRACT, `USDT_WALLET ${other} is a contract: it must be the address of an account`],
  ] as const)
    await expect(chain.checkWallet(wallet, contract)).rejects.toMatchObject({
      fault: 'misconfigured',
      message: problem,
    })
})

it('case 4: reads all pages, oldest first, between two payments and a thousand crumbs', async () => {
  const { chain, tron, clock, list } = await openChain()
  const first = tron.chain.transfer({ units: 100_003_700n })
  for (let n = 0; n < 1000; n += 1) {
    if (n % 7 === 0) clock.advance(3 * SECOND)
    tron.chain.transfer({ units: 1n })
  }
  const last = tron.chain.transfer({ units: 200_004_100n })
  clock.advance(57 * SECOND)
  const { transfers, complete } = await list()
  expect(transfers).toHaveLength(1002)
  expect(complete).toBe(true)
  expect([transfers[0]?.txid, transfers.at(-1)?.txid]).toEqual([first, last])
  expect(tron.requests('trc20')).toHaveLength(6)
  expect(await chain.receipt(last, USDT_CONTRACT)).toMatchObject({ success: true })
})

it('lists what leaves the wallet on request', async () => {
  const { tron, list } = await openChain()
  tron.chain.transfer({ units: 5n })
  tron.chain.transfer({ units: 3n, from: WALLET, to: PAYER })
  expect(unitsOf(await list())).toEqual([5n])
  expect(unitsOf(await list({ direction: 'out' }))).toEqual([3n])
})

it('case 38: loses nothing when a page fails, runs in circles or forgets the mark of the next one', async () => {
  const { tron, clock, list } = await openChain()
  for (let n = 0; n < 500; n += 1) {
    clock.advance(3 * SECOND)
    tron.chain.transfer({ units: BigInt(n) })
  }
  const all = Array.from({ length: 500 }, (_, n) => BigInt(n))
  const refused = async (fault: string) => {
    await expect(list()).rejects.toMatchObject({ name: 'ChainUnavailable', fault })
    tron.faults.clear()
    clock.advance(70 * SECOND)
  }
  let pages = 0
  tron.faults.inject({
    kind: 'edit',
    times: 2,
    method: 'trc20',
    edit: (answer) => ((pages += 1) === 2 ? { Error: 'no' } : answer),
  })
  await refused('bad_answer')
  tron.faults.inject({ kind: 'repeat-fingerprint', times: Infinity })
  tron.clearRequests()
  await refused('bad_answer')
  expect(tron.requests()).toHaveLength(2)
  tron.faults.inject({ kind: 'fingerprint-mismatch', times: Infinity })
  await refused('bad_answer')
  tron.faults.inject({ kind: 'no-fingerprint', times: Infinity })
  expect(unitsOf(await list())).toEqual(all)
  tron.faults.inject({ kind: 'ignore', parameters: ['order_by'] })
  await expect(list(), 'newest first').rejects.toMatchObject({ fault: 'bad_answer' })
  tron.faults.clear()
  expect(unitsOf(await list())).toEqual(all)
})

it('case 39: reads 201 transfers of one block across the border of a page, or says that it cannot', async () => {
  const { tron, clock, start, list } = await openChain()
  for (let n = 0; n < 201; n += 1) tron.chain.transfer({ units: BigInt(n), at: start })
  clock.advance(3 * SECOND)
  expect((await list({ after: new Date(start.getTime() - HOUR).toISOString() })).transfers).toHaveLength(201)
  tron.faults.inject({ kind: 'no-fingerprint', times: Infinity })
  await expect(list()).rejects.toMatchObject({ fault: 'bad_answer' })
})

it('case 40: is right although the index ignores what it is asked', async () => {
  const { tron, clock, start, list } = await openChain()
  const fake = tron.chain.addToken({ symbol: 'USDT', name: '<b>Tether</b>', decimals: 6 })
  tron.chain.transfer({ units: 1n, at: new Date(start.getTime() - HOUR) })
  for (const units of [2n, 3n, 4n]) {
    clock.advance(3 * SECOND)
    tron.chain.transfer({ units })
  }
  tron.chain.transfer({ units: 5n, from: WALLET, to: PAYER })
  tron.chain.transfer({ units: 6n, contract: fake.address, from: PAYER })
  tron.chain.approve({ owner: PAYER, spender: WALLET, units: 7n })
  for (const parameters of [
    ['min_timestamp'],
    ['order_by'],
    ['only_to'],
    ['contract_address'],
    ['min_timestamp', 'order_by', 'only_to', 'contract_address', 'limit'],
  ] as const) {
    tron.faults.inject({ kind: 'ignore', parameters })
    expect(unitsOf(await list()), parameters.join()).toEqual([2n, 3n, 4n])
  }
})

it('skips rows that are no transfers to the wallet, whatever else they are', async () => {
  const good = {
    transaction_id: 'ab'.repeat(32),
    token_info: { symbol: 'USDT', address: USDT_CONTRACT, decimals: 6, name: 'Tether USD' },
    block_timestamp: 1_790_852_523_000,
    from: PAYER,
    to: WALLET,
    type: 'Transfer',
    value: '10000300',
  }
  const odd = [
    null,
    7,
    'row',
    [],
    {},
    { ...good, transaction_id: 'ab' },
    { ...good, transaction_id: undefined },
    { ...good, token_info: null },
    { ...good, token_info: { ...good.token_info, address: PAYER } },
    { ...good, block_timestamp: '1790852523000' },
    { ...good, block_timestamp: 9e15 },
    { ...good, block_timestamp: -1 },
    { ...good, from: 'TR5V2g6RJRHDG7wbMSxrV6KVVQfVmmckR8' },
    { ...good, from: '<script>' },
    { ...good, to: PAYER },
    { ...good, type: 'Approval' },
    ...['1e6', '-1', '1.5', '0x10', '', '9'.repeat(79), 10_000_300].map((value) => ({ ...good, value })),
  ]
  const huge = (2n ** 256n - 1n).toString()
  const rows = [good, ...odd, { ...good, transaction_id: `0x${'CD'.repeat(32)}`, value: huge }]
  const node = await startNode(() => ({ data: rows, success: true, meta: { at: 'now', fingerprint: '' } }))
  const chain = createTronChain({ apiUrl: node.url, apiKey: KEY, clock: movableClock() })
  const query = { wallet: WALLET, contract: USDT_CONTRACT, after: new Date(0).toISOString() }
  expect(await chain.listTransfers(query)).toMatchObject({
    transfers: [
      { txid: 'ab'.repeat(32), raw: 10_000_300n },
      { txid: 'cd'.repeat(32), raw: 2n ** 256n - 1n },
    ],
    networkTime: null,
  })
})

it('says where a list ends that is longer than one scan may read, and refuses to guess', async () => {
  const row = (time: number) => ({ block_timestamp: time })
  let time = 0
  let step = 1
  const node = await startNode(() => ({
    data: [row((time += step)), row((time += step))],
    success: true,
    meta: { at: 1_790_852_581_377, fingerprint: `${time}` },
  }))
  const clock = movableClock()
  const wait = (ms: number) => Promise.resolve(clock.advance(ms))
  const chain = createTronChain({ apiUrl: node.url, apiKey: KEY, clock, wait })
  const query = { wallet: WALLET, contract: USDT_CONTRACT, after: new Date(0).toISOString() }
  expect(await chain.listTransfers(query)).toEqual({
    transfers: [],
    complete: false,
    next: new Date(100).toISOString(),
    readUntil: new Date(100),
    networkTime: new Date(1_790_852_581_377),
  })
  expect(node.asked).toHaveLength(50)
  const later = { ...query, after: new Date(1_000_000).toISOString() }
  await expect(chain.listTransfers(later), 'old rows only').rejects.toMatchObject({ fault: 'bad_answer' })
  step = -1
  time = 1000
  await expect(chain.listTransfers(query), 'newest first').rejects.toMatchObject({ fault: 'bad_answer' })
})

it('reads answers as TronGrid gave them', async () => {
  const recorded = async (name: string) =>
    JSON.parse(await readFile(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')) as object
  const answers = await Promise.all(['list-gasfree', 'solid-block', 'balance'].map(recorded))
  const node = await startNode(() => answers.shift() ?? {})
  const chain = createTronChain({ apiUrl: node.url, apiKey: KEY, clock: movableClock() })
  const wallet = 'TBTrPYEiB1GafBdWygFBa1gBB7DNZGRhqp'
  expect(
    await chain.listTransfers({ wallet, contract: USDT_CONTRACT, after: new Date(0).toISOString() }),
  ).toEqual({
    transfers: [
      {
        txid: '7372016ffe9b3591e25283ffe300a22fb97ef2fd10be0671fe040cdf2da60135',
        contract: USDT_CONTRACT,
        from: 'TZ53RkfpZKtGJpbrb16YjycT3i8t7HNp11',
        to: wallet,
        raw: 10_933_000_000n,
        blockTime: new Date(1_790_852_523_000),
      },
    ],
    complete: true,
    next: expect.any(String),
    readUntil: expect.any(Date),
    networkTime: new Date(1_790_852_588_509),
  })
  expect(await chain.solidBlock()).toBe(86_726_601)
  expect(await chain.balance(wallet, USDT_CONTRACT)).toBe(0x40cfcc00n)
})
