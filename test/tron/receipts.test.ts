import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { toAddress } from '../../src/networks/tron/address.ts'
import { createTronChain } from '../../src/networks/tron/tron-chain.ts'
import { movableClock } from '../support/movable-clock.ts'
import { type Answer, reply, startNode } from '../support/scripted-node.ts'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT_ACCOUNT = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TXID = 'ab'.repeat(32)
const PAYER = '11'.repeat(20)
const WALLET = '22'.repeat(20)

const recorded = async (name: string) =>
  JSON.parse(await readFile(new URL(`recorded/${name}.json`, import.meta.url), 'utf8')) as { id: string }
const word = (hex: string) => hex.padStart(64, '0')

const log = (change: object = {}) => ({
  address: USDT_ACCOUNT,
  topics: [TRANSFER, word(PAYER), word(WALLET)],
  data: word('98968c'),
  ...change,
})
const info = (change: object = {}) => ({
  id: TXID,
  blockNumber: 86_726_643,
  blockTimeStamp: 1_790_852_523_000,
  contractResult: [word('0')],
  receipt: { result: 'SUCCESS' },
  log: [log()],
  ...change,
})
const ours = { index: 0, contract: USDT, from: toAddress(PAYER), to: toAddress(WALLET), raw: 0x98968cn }

/** The chain, read from a node that answers these receipts one after the other. */
async function readerOf(...answers: Answer[]) {
  const node = await startNode(() => answers.shift() ?? {})
  return createTronChain({ apiUrl: node.url, apiKey: 'key-of-the-tests', clock: movableClock() })
}

it('reads receipts as the main network wrote them', async () => {
  const usdt = await recorded('receipt-usdt')
  const gasFree = await recorded('receipt-gasfree')
  const outOfEnergy = await recorded('receipt-out-of-energy')
  const trx = await recorded('receipt-trx')
  const chain = await readerOf(usdt, gasFree, outOfEnergy, trx)

  expect(await chain.receipt(usdt.id, USDT), 'case 7: USDT returns zeros').toEqual({
    txid: 'b69c51db8f9d974e6a38c76852c8ce1adcb682dbacb25ad8ad4f6876121fe9dc',
    blockNumber: 66_861_993,
    blockTime: new Date(1_731_235_554_000),
    success: true,
    transfers: [
      {
        index: 0,
        contract: USDT,
        from: 'TJoaVSdktrnndU4dmKm33SWMKoXt4LLFbU',
        to: 'TUikLT3nTTjTkXPAuC4xUGj84vfSERCWRn',
        raw: 3_500_000n,
      },
    ],
  })
  const { transfers } = (await chain.receipt(gasFree.id, USDT)) ?? {}
  expect(transfers, 'case 10: the fee and the payment').toMatchObject([
    { index: 0, raw: 1_500_000n },
    { index: 1, raw: 938_500_000n },
  ])
  expect(await chain.receipt(outOfEnergy.id, USDT), 'case 5').toMatchObject({ success: false, transfers: [] })
  expect(await chain.receipt(trx.id, USDT), 'no contract ran').toMatchObject({
    success: false,
    transfers: [],
  })
})

it('takes an empty object for "not there yet", and no other emptiness', async () => {
  const chain = await readerOf({})
  expect(await chain.receipt(TXID, USDT)).toBeUndefined()
  for (const nothing of [[], reply(200), reply(200, 'null'), reply(200, '""')]) {
    const chain = await readerOf(nothing)
    await expect(chain.receipt(TXID, USDT)).rejects.toMatchObject({ fault: 'bad_answer' })
  }
})

it('case 7: only the outcome counts, not what the contract returned', async () => {
  const failed = { contractResult: [word('1')], log: [log()] }
  const chain = await readerOf(
    info({ ...failed, receipt: { result: 'REVERT' } }),
    info({ ...failed, result: 'FAILED' }),
    info(),
  )
  expect(await chain.receipt(TXID, USDT)).toMatchObject({ success: false, transfers: [] })
  expect(await chain.receipt(TXID, USDT)).toMatchObject({ success: false, transfers: [] })
  expect(await chain.receipt(TXID, USDT)).toMatchObject({ success: true, transfers: [ours] })
})

it('case 8: refuses a receipt that is not wholly as TRON writes it', async () => {
  const odd = [
    info({ id: 'cd'.repeat(32) }),
    info({ receipt: undefined }),
    info({ receipt: null }),
    info({ blockNumber: '86726643' }),
    info({ blockTimeStamp: undefined }),
    info({ blockTimeStamp: 1e300 }),
    info({ log: {} }),
    info({ log: [null] }),
    info({ log: [log({ address: USDT_ACCOUNT.slice(2) })] }),
    info({ log: [log({ data: word('1').slice(1) })] }),
    info({ log: [log({ data: `${word('1')}00` })] }),
    info({ log: [log({ data: '' })] }),
    info({ log: [log({ data: undefined })] }),
    info({ log: [log({ data: word('x') })] }),
    info({ log: [log({ topics: [TRANSFER, word(PAYER)] })] }),
    info({ log: [log({ topics: [TRANSFER, word(PAYER), word(WALLET), word('1')] })] }),
    info({ log: [log({ topics: [TRANSFER, `01${word(PAYER).slice(2)}`, word(WALLET)] })] }),
    info({ log: [log({ topics: [TRANSFER, word(PAYER), `${'0'.repeat(22)}41${WALLET}`] })] }),
    info({ log: [log({ topics: [TRANSFER, word(PAYER), WALLET] })] }),
  ]
  const chain = await readerOf(...odd)
  for (const answer of odd) {
    await expect(chain.receipt(TXID, USDT), JSON.stringify(answer)).rejects.toMatchObject({
      name: 'ChainUnavailable',
      fault: 'bad_answer',
    })
  }
  expect(await chain.receipt(TXID, USDT), 'and goes on').toBeUndefined()
})

it('case 9: the address of a log in any form is the same contract', async () => {
  const forms = [USDT_ACCOUNT, USDT_ACCOUNT.toUpperCase(), `41${USDT_ACCOUNT}`, USDT]
  const chain = await readerOf(...forms.map((address) => info({ log: [log({ address })] })))
  for (const form of forms) {
    expect((await chain.receipt(TXID, USDT))?.transfers, form).toEqual([ours])
  }
})

it('cases 1, 3, 10, 12: counts all events for the index, and reads the transfers of the contract only', async () => {
  const chain = await readerOf(
    info({
      id: TXID.toUpperCase(),
      log: [
        log({ address: '99'.repeat(20) }),
        log({ address: '99'.repeat(20), topics: undefined, data: undefined }),
        log({ topics: [word('8c5be1e5'), word(PAYER), word(WALLET)] }),
        log(),
        log({ topics: [TRANSFER.toUpperCase(), word(WALLET), word(WALLET)] }),
      ],
    }),
  )
  expect(await chain.receipt(TXID, USDT)).toMatchObject({
    txid: TXID,
    transfers: [
      { ...ours, index: 3 },
      { ...ours, index: 4, from: ours.to },
    ],
  })
})

it('case 13: loses no digit of any number', async () => {
  const numbers = [0n, 2n ** 53n + 1n, 10n ** 15n + 1n, 2n ** 63n, 2n ** 256n - 1n]
  const chain = await readerOf(
    info({ log: numbers.map((number) => log({ data: word(number.toString(16)) })) }),
  )
  const { transfers = [] } = (await chain.receipt(TXID, USDT)) ?? {}
  expect(transfers.map(({ raw }) => raw)).toEqual(numbers)
})
