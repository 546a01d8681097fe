import { describe, expect, it } from 'vitest'
import { shapeOf, startTron, STRANGER, WALLET } from './server.ts'
import samples from './samples.json' with { type: 'json' }

const values = ({ data }: { data: readonly { value: string }[] }) => data.map(({ value }) => Number(value))

describe('the list of transfers', () => {
  it('looks like TronGrid’s, with and without a next page', async () => {
    const { chain, clock, list } = await startTron()
    const txid = chain.transfer({ units: 100_003_700n })
    const last = await list()
    expect(shapeOf(last)).toEqual(shapeOf(samples.trc20LastPage))
    expect(last.data).toEqual([
      {
        transaction_id: txid,
        token_info: samples.trc20LastPage.data[0]?.token_info,
        block_timestamp: chain.find(txid)?.time.getTime(),
        from: chain.payer,
        to: WALLET,
        type: 'Transfer',
        value: '100003700',
      },
    ])
    expect(last.meta.at).toBe(clock.now().getTime())
    expect(Number(last.data[0]?.block_timestamp) % 3000).toBe(0)

    chain.transfer({ units: 1n })
    const page = await list({ limit: 1, order_by: 'block_timestamp,desc' })
    expect(shapeOf({ ...page, meta: { ...page.meta, fingerprint: '', links: '' } })).toEqual(
      shapeOf({ ...samples.trc20Page, meta: { ...samples.trc20Page.meta, fingerprint: '', links: '' } }),
    )
    expect(page.meta.links?.next).toBe(
      `https://api.trongrid.io/v1/accounts/${WALLET}/transactions/trc20?limit=1&order_by=block_timestamp,desc&fingerprint=${page.meta.fingerprint}`,
    )
  })

  it('is read page by page, also within one block, in both directions, while more comes in', async () => {
    const { chain, list, clock } = await startTron()
    for (let units = 1n; units <= 45n; units++) chain.transfer({ units })
    const read = async (query: Record<string, string>) => {
      const pages = [await list(query)]
      for (let next = pages[0]?.meta.fingerprint; next; next = pages.at(-1)?.meta.fingerprint) {
        if (pages.length === 1) clock.advance(3000)
        if (pages.length === 1) chain.transfer({ units: 1000n })
        pages.push(await list({ ...query, fingerprint: next }))
      }
      return pages
    }
    const newestFirst = await read({})
    expect(newestFirst.map(({ meta }) => meta.page_size)).toEqual([20, 20, 5])
    expect(newestFirst.flatMap(values)).toEqual(Array.from({ length: 45 }, (_, i) => 45 - i))
    const oldestFirst = await read({ order_by: 'block_timestamp,asc' })
    expect(oldestFirst.flatMap(values)).toEqual([...Array.from({ length: 45 }, (_, i) => i + 1), 1000, 1000])
  })

  it('refuses a fingerprint with other parameters, a limit above 200, and a bad address', async () => {
    const { chain, get, list } = await startTron()
    for (let units = 1n; units <= 3n; units++) chain.transfer({ units })
    const { fingerprint = '' } = (await list({ limit: 1 })).meta
    const path = `/v1/accounts/${WALLET}/transactions/trc20`
    for (const query of [
      { limit: 2, fingerprint },
      { limit: 1, only_to: true, fingerprint },
      { limit: 1, fingerprint: WALLET },
    ]) {
      const refused = await get(path, query)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toEqual(JSON.parse(samples.errors.v1_fingerprint_mismatch_400))
    }
    const tooMany = await get(path, { limit: 201 })
    expect([tooMany.status, await tooMany.text()]).toEqual([400, ''])
    expect((await list({ limit: 200 })).data).toHaveLength(3)
    const nobody = await get('/v1/accounts/TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY8/transactions/trc20')
    expect([nobody.status, await nobody.text()]).toEqual([400, samples.errors.v1_bad_address_400])
  })

  it('is filtered by direction, time, finality and contract', async () => {
    const { chain, clock, list, get } = await startTron()
    const fake = chain.addToken({ symbol: 'USDT', name: '<b>Tether USD</b>', decimals: 18 })
    chain.transfer({ units: 1n })
    const first = chain.blockAt(clock.now()).time.getTime()
    clock.advance(60_000)
    chain.transfer({ units: 2n, from: WALLET, to: STRANGER })
    chain.transfer({ units: 3n, contract: fake.address })
    const second = chain.blockAt(clock.now()).time.getTime()

    expect(values(await list())).toEqual([3, 2, 1])
    expect(values(await list({ only_to: true }))).toEqual([3, 1])
    expect(values(await list({ onlyFrom: true }))).toEqual([2])
    expect(values(await list({ only_confirmed: true }))).toEqual([1])
    expect(values(await list({ only_unconfirmed: true }))).toEqual([3, 2])
    expect(values(await list({ contract_address: chain.contract }))).toEqual([2, 1])
    expect(values(await list({ min_timestamp: first, max_timestamp: first }))).toEqual([1])
    expect(values(await list({ min_timestamp: first + 1 }))).toEqual([3, 2])
    expect(values(await list({ maxTimestamp: second - 1 }))).toEqual([1])
    expect(values(await list({ no_such_parameter: 1 }))).toHaveLength(3)
    const hex = await get('/v1/accounts/4182dd6b9966724ae2fdc79b416c7588da67ff1b35/transactions/trc20')
    expect(values((await hex.json()) as never)).toEqual([3, 2, 1])
    expect((await list()).data[0]?.token_info).toEqual(fake)
  })

  it('shows every event of a token, and nothing of what failed', async () => {
    const { chain, list, get } = await startTron()
    chain.transfer({ units: 1n, outcome: 'REVERT' })
    chain.transfer({ units: 2n, outcome: 'OUT_OF_ENERGY' })
    chain.transfer({ units: 0n })
    chain.approve({ units: 2n ** 256n - 1n })
    chain.batch([{ units: 10n }, { units: 20n }, { units: 30n, to: STRANGER }])
    chain.gasFree({ units: 40n })
    chain.transferFrom({ units: 50n, spender: STRANGER })
    const { data } = await list()
    expect(data.map(({ type, value }) => `${type} ${value}`)).toEqual([
      'Transfer 50',
      'Transfer 40',
      'Transfer 20',
      'Transfer 10',
      `Approval ${2n ** 256n - 1n}`,
      'Transfer 0',
    ])
    expect(data[2]?.transaction_id).toBe(data[3]?.transaction_id)
    const payer = await get(`/v1/accounts/${chain.payer}/transactions/trc20`)
    expect(values((await payer.json()) as never).slice(0, 3)).toEqual([50, 40, 1_500_000])
  })

  it('comes later than the block when the index is slow', async () => {
    const { chain, clock, list, tron } = await startTron({ indexDelayMs: 9000 })
    chain.transfer({ units: 1n })
    clock.advance(8000)
    expect((await list()).data).toEqual([])
    clock.advance(1000)
    expect((await list()).data).toHaveLength(1)
    chain.transfer({ units: 2n })
    tron.settings.indexDelayMs = 0
    expect((await list()).data).toHaveLength(2)
  })
})

describe('the events of a transaction', () => {
  it('look like TronGrid’s, and say when they are not irreversible', async () => {
    const { chain, clock, get } = await startTron()
    const txid = chain.gasFree({ units: 10_933_000_000n })
    const events = async (query = {}) =>
      (await (await get(`/v1/transactions/${txid}/events`, query)).json()) as typeof samples.events
    expect((await events()).data).toMatchObject([{ _unconfirmed: true }, { _unconfirmed: true }, {}])
    expect((await events({ only_confirmed: true })).data).toEqual([])
    clock.advance(57_000)
    const { data, ...rest } = await events()
    expect(data.map(shapeOf)).toEqual(samples.events.data.map(shapeOf))
    expect(
      data.map(({ event_index, event_name, result }) => [event_index, event_name, result.value]),
    ).toEqual([
      [2, 'GasFreeTransfer', undefined],
      [1, 'Transfer', '10933000000'],
      [0, 'Transfer', '1500000'],
    ])
    expect(rest).toEqual({ success: true, meta: { at: clock.now().getTime(), page_size: 3 } })
    expect(await (await get(`/v1/transactions/${'0'.repeat(64)}/events`)).json()).toMatchObject({ data: [] })
  })
})
