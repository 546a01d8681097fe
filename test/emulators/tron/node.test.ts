import { expect, it } from 'vitest'
import samples from './samples.json' with { type: 'json' }
import { shapeOf, startTron, STRANGER, WALLET } from './server.ts'

const RECEIPT = 'walletsolidity/gettransactioninfobyid'
const word = (value: bigint) => value.toString(16).padStart(64, '0')

it('shows a receipt at once at the head, and after 57 s as irreversible', async () => {
  const { chain, clock, node, get } = await startTron()
  clock.advance(1500)
  const value = chain.transfer({ units: 3_500_000n })
  expect(await node(RECEIPT, { value })).toEqual({})
  const receipt = await node('wallet/gettransactioninfobyid', { value })
  expect(shapeOf(receipt)).toEqual(shapeOf(samples.receipt))
  const block = chain.find(value)
  expect(receipt).toMatchObject({
    id: value,
    blockNumber: block?.block,
    blockTimeStamp: block?.time.getTime(),
    contractResult: [word(0n)],
    log: [{ data: word(3_500_000n) }],
  })
  clock.advance(55_499)
  expect(await node(RECEIPT, { value })).toEqual({})
  clock.advance(1)
  expect(await node(RECEIPT, { value: value.toUpperCase() })).toEqual(receipt)
  expect(await (await get(`/${RECEIPT}`, { value })).json()).toEqual(receipt)

  const visible = await node(RECEIPT, { value, visible: true })
  expect(visible).toMatchObject({ contract_address: chain.contract, log: [{ address: chain.contract }] })
  expect(await node(RECEIPT, { value: '0'.repeat(64) })).toEqual({})
  expect(await node(RECEIPT, { value: 'xyz' })).toEqual(JSON.parse(samples.errors.node_200_bad_hex_post))
})

it('shows failed transactions without logs', async () => {
  const { chain, clock, node } = await startTron()
  const reverted = chain.transfer({ units: 1n, outcome: 'REVERT' })
  const exhausted = chain.transfer({ units: 1n, outcome: 'OUT_OF_ENERGY' })
  clock.advance(57_000)
  expect(shapeOf(await node(RECEIPT, { value: reverted }))).toEqual(shapeOf(samples.receiptReverted))
  expect(await node(RECEIPT, { value: exhausted })).toMatchObject({
    receipt: samples.receiptOutOfEnergy.receipt,
    result: 'FAILED',
    resMessage: samples.receiptOutOfEnergy.resMessage,
  })
  expect(await node('walletsolidity/gettransactionbyid', { value: reverted })).toMatchObject({
    ret: [{ contractRet: 'REVERT' }],
  })
})

it('shows all logs of a transaction in their order, whoever was called', async () => {
  const { chain, clock, node } = await startTron()
  const fake = chain.addToken({ symbol: 'USDT', name: 'Tether USD', decimals: 6 })
  const gasFree = chain.gasFree({ units: 10n })
  const batch = chain.batch([{ units: 1n }, { units: 1n }, { units: 2n, contract: fake.address }])
  const pulled = chain.transferFrom({ units: 5n, spender: STRANGER })
  clock.advance(57_000)
  const logs = async (value: string) =>
    (await node(RECEIPT, { value }))['log'] as { data: string; topics: [] }[]
  expect((await logs(gasFree)).map(({ data, topics }) => [data, topics.length])).toEqual([
    [word(1_500_000n), 3],
    [word(10n), 3],
    ['', 1],
  ])
  expect((await logs(batch)).map(({ data }) => data)).toEqual([1n, 1n, 2n].map(word))
  expect(await logs(pulled)).toHaveLength(1)
  const { raw_data: raw } = await node('wallet/gettransactionbyid', { value: pulled, visible: true })
  expect(raw).toMatchObject({ contract: [{ parameter: { value: { owner_address: STRANGER } } }] })
  expect(() => chain.transfer({ units: 1n, contract: WALLET })).toThrow('addToken')
})

it('has a block every three seconds, each with the id of the one before', async () => {
  const { chain, clock, node } = await startTron()
  const head = await node('wallet/getnowblock')
  expect(shapeOf(head)).toEqual(shapeOf(samples.block))
  const header = (block: typeof head) => (block as typeof samples.block).block_header.raw_data
  const { number, timestamp, parentHash } = header(head)
  expect(timestamp).toBe(clock.now().getTime())
  expect(String(head['blockID']).slice(0, 16)).toBe(number.toString(16).padStart(16, '0'))
  const parent = await node('wallet/getblock', { id_or_num: String(number - 1), detail: false })
  expect(parent['blockID']).toBe(parentHash)
  expect(header(parent).timestamp).toBe(timestamp - 3000)
  expect(await node('wallet/getblock', { id_or_num: parentHash })).toEqual(parent)
  expect(await node('wallet/getblock', { id_or_num: number + 1 })).toEqual({})
  expect(await node('wallet/getblock', { id_or_num: 'f'.repeat(64) })).toEqual({})
  const solid = await node('walletsolidity/getblock', { detail: false })
  expect(header(solid).number).toBe(number - 19)
  expect(await node('walletsolidity/getnowblock')).toEqual(solid)

  const txid = chain.transfer({ units: 1n })
  expect(await node('wallet/getnowblock')).toMatchObject({ transactions: [{ txID: txid }] })
  expect(await node('wallet/getblock', { detail: false })).not.toHaveProperty('transactions')
  const receipts = async (num: number) => node('wallet/gettransactioninfobyblocknum', { num })
  expect(await receipts(number)).toEqual([await node('wallet/gettransactioninfobyid', { value: txid })])
  expect(await receipts(number - 1)).toEqual([])
  expect(await receipts(0)).toEqual({})
})

it('changes its mind about a transaction until it is irreversible', async () => {
  const { chain, clock, node, list } = await startTron()
  const txid = chain.transfer({ units: 1n })
  const before = chain.blockAt(clock.now())
  chain.drop(txid)
  expect(await node('wallet/gettransactioninfobyid', { value: txid })).toEqual({})
  expect((await list()).data).toEqual([])
  expect(chain.find(txid)).toBeUndefined()
  expect(chain.blockAt(clock.now())).toMatchObject({ number: before.number })
  expect(chain.blockAt(clock.now()).id).not.toBe(before.id)

  clock.advance(9000)
  chain.include(txid)
  expect((await list()).data).toMatchObject([
    { transaction_id: txid, block_timestamp: clock.now().getTime() },
  ])
  chain.include(txid, new Date(clock.now().getTime() + 6000))
  expect((await list()).data).toEqual([])
  clock.advance(6000)
  expect((await list()).data).toHaveLength(1)
  clock.advance(57_000)
  expect(() => chain.drop(txid)).toThrow('irreversible')
})

it('answers what a token contract knows, at the head and at the irreversible head', async () => {
  const { chain, clock, node } = await startTron()
  const hex = {
    wallet: '4182dd6b9966724ae2fdc79b416c7588da67ff1b35',
    usdt: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
  }
  const ask = (face: string, function_selector: string, parameter = '') =>
    node(`${face}/triggerconstantcontract`, {
      owner_address: hex.wallet,
      contract_address: hex.usdt,
      function_selector,
      parameter,
    })
  const balance = async (face: string) => {
    const { constant_result: result } = await ask(
      face,
      'balanceOf(address)',
      hex.wallet.slice(2).padStart(64, '0'),
    )
    return BigInt(`0x${String(result)}`)
  }
  chain.transfer({ units: 7_000_000n })
  expect(await balance('wallet')).toBe(7_000_000n)
  expect(await balance('walletsolidity')).toBe(0n)
  clock.advance(57_000)
  chain.transfer({ units: 2_000_000n, from: WALLET, to: STRANGER })
  expect([await balance('wallet'), await balance('walletsolidity')]).toEqual([5_000_000n, 7_000_000n])
  expect(chain.balance(chain.payer)).toBe(999_993_000_000n)

  const answer = await ask('walletsolidity', 'balanceOf(address)', word(0n))
  expect(shapeOf(answer)).toEqual(shapeOf(samples.balanceOf))
  expect((await ask('wallet', 'decimals()'))['constant_result']).toEqual([word(6n)])
  expect(await ask('wallet', 'mint(uint256)', word(1n))).toMatchObject({
    result: { result: true, message: '524556455254206f70636f6465206578656375746564' },
    transaction: { ret: [{ ret: 'FAILED' }] },
  })
  const asked = { owner_address: WALLET, contract_address: chain.contract, visible: true }
  const deprecated = await node('wallet/triggerconstantcontract', {
    ...asked,
    function_selector: 'deprecated()',
  })
  expect(shapeOf({ ...deprecated, energy_penalty: 1 })).toEqual(shapeOf(samples.deprecated))
  const missing = { owner_address: hex.wallet, contract_address: hex.wallet, function_selector: 'decimals()' }
  expect(await node('wallet/triggerconstantcontract', missing)).toEqual(
    JSON.parse(samples.errors.constant_no_contract),
  )
})
