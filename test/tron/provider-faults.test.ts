import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTronChain, type TronChainOptions } from '../../src/networks/tron/tron-chain.ts'
import { movableClock } from '../support/movable-clock.ts'
import { type Answer, reply, startNode } from '../support/scripted-node.ts'

const KEY = 'key-of-the-tests-0123456789'
const WALLET = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9'
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const SECOND = 1000
const MINUTE = 60 * SECOND

const block = (number = 86_726_601) => ({ block_header: { raw_data: { number } } })
const emptyList = { data: [], success: true, meta: { at: 1_790_852_581_377, page_size: 0 } }
const suspended = (text: string) => reply(429, JSON.stringify({ Error: text }))
const SUSPENDED_30_S = 'The key exceeds the frequency limit(15), and the query server is suspended for 30 s'
const BAD_KEY = reply(401, '{"Error":"ApiKey not exists"}')

/** A chain whose clock the test moves, without the jitter and without the waiting between requests that have no key. */
function openChain(options: Partial<TronChainOptions> & { apiUrl: string }) {
  const clock = movableClock()
  const events: string[] = []
  const chain = createTronChain({
    apiKey: KEY,
    clock,
    random: () => 0,
    wait: () => Promise.resolve(),
    observer: {
      asked: (provider, method, fault) => void events.push(`${provider} ${method} ${fault?.fault ?? 'ok'}`),
      switched: (provider) => void events.push(`now ${provider}`),
    },
    ...options,
  })
  const list = () => chain.listTransfers({ wallet: WALLET, contract: USDT, after: new Date(0).toISOString() })
  return { chain, clock, events, list }
}

/** What a failed attempt threw; the test fails when nothing was thrown. */
async function thrownBy(attempt: Promise<unknown>): Promise<Error & { fault: string }> {
  const result = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(result).toMatchObject({ name: 'ChainUnavailable' })
  return result as Error & { fault: string }
}

const everythingIn = (error: Error) =>
  [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })].join(
    '\n',
  )

describe('an answer that is none', () => {
  const drip = (response: ServerResponse) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  }
  const flood = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, ' ')));
    }
    response.on('drain', more)
    more()
  }
  const cutOff = (response: ServerResponse) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"block_header":')
    setImmediate(() => response.destroy())
  }
  const zipped = reply(200, 'this is none', { 'content-encoding': 'gzip' })
  const bomb = (response: ServerResponse) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(6_000_000, ' ')))

  it(
    'cases 37 and 44: is a fault of the provider, and never shows the key',
    { timeout: 30_000 },
    async () => {
      const faults: readonly [name: string, fault: string, answer: Answer][] = [
        ['HTML with 502', 'unreachable', reply(502, '<html><title>502 Bad Gateway</title></html>')],
        ['500', 'unreachable', reply(500)],
        [
          'an error with 400',
          'bad_answer',
          reply(400, '{"success":false,"statusCode":400,"error":"A valid …"}'),
        ],
        ['400 without a body', 'bad_answer', reply(400)],
        ['404', 'bad_answer', reply(404, '{"Error":"this API is unavailable due to config"}')],
        ['an error with 200', 'bad_answer', { Error: 'class java.lang.NullPointerException : null' }],
        ['a refusal with 200', 'bad_answer', { success: false, error: 'no' }],
        ['a busy node', 'suspended', { Error: 'class java.lang.Ill… : lack of computing resources' }],
        ['HTML with 200', 'bad_answer', reply(200, '<html></html>', { 'content-type': 'text/html' })],
        ['a lite node', 'bad_answer', reply(200, 'this API is closed because this node is a lite fullnode')],
        ['nothing', 'bad_answer', reply(200)],
        ['half a JSON text', 'bad_answer', reply(200, '{"block_header":{"raw_da')],
        ['null', 'bad_answer', reply(200, 'null')],
        ['an array', 'bad_answer', []],
        ['another shape', 'bad_answer', { block_header: { raw_data: { number: '86726601' } } }],
        ['no block yet', 'bad_answer', {}],
        ['silence', 'unreachable', () => undefined],
        ['a drip', 'unreachable', drip],
        ['a connection that ends early', 'unreachable', cutOff],
        ['a flood', 'bad_answer', flood],
        ['a small file that unpacks to a large one', 'bad_answer', bomb],
        ['no gzip', 'unreachable', zipped],
        ['429', 'suspended', reply(429)],
        ['403', 'suspended', reply(403, JSON.stringify({ Error: SUSPENDED_30_S }))],
        ['an unknown key with 403', 'bad_key', reply(403, '{"Error":"ApiKey not exists"}')],
        ['an unknown key', 'bad_key', BAD_KEY],
        ['an echo of the key', 'bad_answer', reply(400, `{"error":"${KEY} is not good, ${KEY}!"}`)],
      ]
      const node = await startNode(() => ({}))
      for (const [name, fault, answer] of faults) {
        node.state.answer = () => answer
        const slow = name === 'silence' || name === 'a drip'
        const { chain } = openChain({ apiUrl: node.url, ...(slow && { timeoutMs: 200 }) })
        const error = await thrownBy(chain.solidBlock())
        expect(error.fault, `${name}: ${error.message}`).toBe(fault)
        expect(everythingIn(error), name).not.toContain(KEY)
      }
      expect(node.asked.every(({ headers }) => headers['tron-pro-api-key'] === KEY)).toBe(true)
    },
  )

  it('tells what the provider said, without the secrets of its address', async () => {
    const node = await startNode(({ path }) => reply(404, `{"error":"no route /${path}\\n for ${KEY}"}`))
    const { chain } = openChain({ apiUrl: `${node.url.replace('//', '//user:pass-word@')}/secret-token` })
    const error = await thrownBy(chain.solidBlock())
    expect(error.message).toBe(
      'walletsolidity/getblock at the primary provider: HTTP 404: "no route /[secret]/walletsolidity/getblock for [secret]"',
    )
    expect(everythingIn(error)).not.toMatch(/secret-token|pass-word/)
    const nobody = openChain({ apiUrl: 'http://127.0.0.1:1/secret-token' })
    const refusal = await thrownBy(nobody.chain.solidBlock())
    expect(refusal).toMatchObject({ fault: 'unreachable', message: expect.stringContaining('ECONNREFUSED') })
    expect(everythingIn(refusal)).not.toMatch(/secret-token/)
  })

  it('repeats a request once when a kept connection turns out to be closed', async () => {
    const hangUp = (response: ServerResponse) => void response.socket?.destroy()
    const answers: Answer[] = [hangUp, block(7), hangUp, hangUp, block(8)]
    const node = await startNode(() => answers.shift() ?? {})
    const { chain } = openChain({ apiUrl: node.url })
    expect(await chain.solidBlock()).toBe(7)
    expect(node.asked).toHaveLength(2)
    expect((await thrownBy(chain.solidBlock())).fault).toBe('unreachable')
    expect(node.asked).toHaveLength(4)
  })
})

describe('where requests go', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('case 43: to the configured address only', async () => {
    const trap = await startNode(() => block(666))
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy']) vi.stubEnv(name, trap.url)
    vi.stubEnv('no_proxy', '')
    const row = (index: number) => ({ transaction_id: `${index}`, block_timestamp: 1000 + index })
    const node = await startNode(({ path, query }) => {
      if (path.startsWith('walletsolidity')) return reply(302, '', { location: `${trap.url}/${path}` })
      const links = { next: `${trap.url}/v1/accounts/${WALLET}/transactions/trc20?fingerprint=two` }
      const meta = query.fingerprint ? {} : { fingerprint: 'two', links }
      return { data: [row(query.fingerprint ? 2 : 1)], success: true, meta }
    })
    const { chain, list } = openChain({ apiUrl: node.url })
    expect(await list()).toMatchObject({ complete: true })
    expect((await thrownBy(chain.solidBlock())).fault).toBe('bad_answer')
    expect(node.asked.map(({ query }) => query.fingerprint)).toEqual([undefined, 'two', undefined])
    expect(trap.asked).toEqual([])
  })
})

describe('a provider that fails', () => {
  it('case 36: is not asked while it is suspended, by the method that is', async () => {
    let said: Answer = suspended(SUSPENDED_30_S)
    const node = await startNode(({ path }) => (path.startsWith('v1') ? said : block()))
    const { chain, clock, list } = openChain({ apiUrl: node.url })
    const asked = () => node.asked.filter(({ path }) => path.startsWith('v1')).length

    for (const [text, seconds] of [
      [SUSPENDED_30_S, 30],
      ['request rate of (getTrc20TransactionsByAccount) exceeded …, suspended for 5 s. To obtain …', 5],
      ['suspended for 30s', 30],
      ['suspended for 0 s', 1],
      ['slow down', 30],
      ['suspended for 99999999999 s', 600],
    ] as const) {
      said = suspended(text)
      const before = asked()
      expect((await thrownBy(list())).fault, text).toBe('suspended')
      clock.advance(seconds * SECOND - 1)
      expect((await thrownBy(list())).fault, text).toBe('suspended')
      expect(asked(), text).toBe(before + 1)
      expect(await chain.solidBlock(), 'other methods go on').toBe(86_726_601)
      clock.advance(1)
    }
    said = emptyList
    expect(await list()).toMatchObject({ transfers: [], complete: true })
  })

  it('keeps the longest suspension, and none when the clock is set back', async () => {
    const answers = [suspended(SUSPENDED_30_S), suspended('suspended for 5 s'), emptyList, emptyList]
    const node = await startNode(() => answers.shift() ?? {})
    const { clock, list } = openChain({ apiUrl: node.url })
    await Promise.all([thrownBy(list()), thrownBy(list())])
    clock.advance(29 * SECOND)
    await thrownBy(list())
    expect(node.asked).toHaveLength(2)
    clock.advance(-MINUTE)
    await list()
    expect(node.asked).toHaveLength(3)
  })

  it('is asked again after 2, 4, 8 … 60 seconds; with an unknown key after 60', async () => {
    const node = await startNode(() => reply(503))
    const { chain, clock } = openChain({ apiUrl: node.url })
    const expectPause = async (seconds: number) => {
      const before = node.asked.length
      const { fault } = await thrownBy(chain.solidBlock())
      clock.advance(seconds * SECOND - 1)
      const again = await thrownBy(chain.solidBlock())
      expect(again).toMatchObject({ fault, message: expect.stringContaining('not asked again yet') })
      expect(node.asked.length, `${seconds} s`).toBe(before + 1)
      clock.advance(1)
    }
    for (const seconds of [2, 4, 8, 16, 32, 60, 60]) await expectPause(seconds)
    node.state.answer = () => block()
    await chain.solidBlock()
    node.state.answer = () => reply(503)
    await expectPause(2)
    node.state.answer = () => BAD_KEY
    await expectPause(60)
  })
})

it('without a key each method is asked every two seconds at most, however many ask at once', async () => {
  const clock = movableClock()
  const waits: number[] = []
  const node = await startNode(({ path }) => (path.startsWith('v1') ? emptyList : block()))
  const chain = createTronChain({
    apiUrl: node.url,
    clock,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve(clock.advance(ms))
    },
  })
  const list = (wallet: string) =>
    chain.listTransfers({ wallet, contract: USDT, after: new Date(0).toISOString() })
  await Promise.all([list(WALLET), list(USDT), list(WALLET), chain.solidBlock()])
  expect(waits).toEqual([2000, 2000])
  clock.advance(-MINUTE)
  await chain.solidBlock()
  clock.advance(1500)
  await chain.solidBlock()
  expect(waits).toEqual([2000, 2000, 500])
  expect(node.asked).toHaveLength(6)
})

describe('the second provider', () => {
  /** Lets the list fail until somebody else is asked, or three attempts are over. */
  async function failThrice(list: () => Promise<unknown>, clock: { advance(ms: number): void }) {
    for (let n = 0; n < 3; n += 1) {
      await list().catch(() => undefined)
      clock.advance(MINUTE)
    }
  }

  it('serves for ten minutes after three failures in a row, without the key of the first', async () => {
    let listFails = true
    let blockFails = false
    const isList = (path: string) => path.startsWith('v1')
    const primary = await startNode(({ path }) => {
      if (isList(path)) return listFails ? reply(500) : emptyList
      return blockFails ? reply(500) : block(1000)
    })
    const fallback = await startNode(({ path }) => (isList(path) ? emptyList : block(1001)))
    const { chain, clock, events, list } = openChain({ apiUrl: primary.url, fallbackUrl: fallback.url })

    await thrownBy(list())
    expect(await chain.solidBlock(), 'another method that works does not end the row').toBe(1000)
    clock.advance(2 * SECOND)
    await thrownBy(list())
    clock.advance(4 * SECOND)
    expect(await list(), 'the third time, the other one answers at once').toMatchObject({ complete: true })
    expect(events).toEqual([
      'primary trc20 unreachable',
      'primary walletsolidity/getblock ok',
      'primary trc20 unreachable',
      'primary trc20 unreachable',
      'fallback walletsolidity/getblock ok',
      'now fallback',
      'fallback trc20 ok',
    ])
    expect(fallback.asked.some(({ headers }) => 'tron-pro-api-key' in headers)).toBe(false)

    clock.advance(10 * MINUTE - 1)
    const before = primary.asked.length
    await list()
    expect(primary.asked).toHaveLength(before)

    events.length = 0
    clock.advance(1)
    expect(await list(), 'one failure sends us back').toMatchObject({ complete: true })
    expect(events).toEqual([
      'primary walletsolidity/getblock ok',
      'now primary',
      'primary trc20 unreachable',
      'fallback walletsolidity/getblock ok',
      'now fallback',
      'fallback trc20 ok',
    ])

    blockFails = true
    clock.advance(10 * MINUTE)
    await list()
    clock.advance(10 * MINUTE - 1)
    events.length = 0
    await list()
    expect(events, 'not tried again for ten minutes').toEqual(['fallback trc20 ok'])

    blockFails = listFails = false
    clock.advance(10 * MINUTE)
    events.length = 0
    await list()
    expect(events).toEqual(['primary walletsolidity/getblock ok', 'now primary', 'primary trc20 ok'])
  })

  it('case 19: is not trusted when it is behind what was irreversible already', async () => {
    const txid = 'ab'.repeat(32)
    const receipt = { id: txid, blockNumber: 1050, blockTimeStamp: 1_790_852_523_000, receipt: {} }
    let height = 1000
    const primary = await startNode(({ path }) => {
      if (path.startsWith('v1')) return reply(500)
      return path.endsWith('byid') ? receipt : block(height)
    })
    let fallbackHeight = 1000
    const fallback = await startNode(({ path }) =>
      path.startsWith('v1') ? emptyList : block(fallbackHeight),
    )
    const { chain, clock, events, list } = openChain({ apiUrl: primary.url, fallbackUrl: fallback.url })

    expect(await chain.solidBlock()).toBe(1000)
    height = 990
    expect(await chain.solidBlock(), 'a few blocks are nothing, and nothing goes back').toBe(1000)
    await chain.receipt(txid, USDT)
    await failThrice(list, clock)
    await thrownBy(list())
    expect(events).not.toContain('now fallback')
    fallbackHeight = 1035
    clock.advance(MINUTE)
    expect(await list()).toMatchObject({ complete: true })
    expect(events).toContain('now fallback')
    fallbackHeight = 950
    expect((await thrownBy(chain.solidBlock())).message).toContain('100 blocks behind')
  })

  it('case 42: both may be down for an hour: few questions, and all is well after it', async () => {
    const down = reply(502)
    const primary = await startNode(() => down)
    const fallback = await startNode(() => down)
    const { clock, list } = openChain({ apiUrl: primary.url, fallbackUrl: fallback.url })
    for (let n = 0; n < 720; n += 1) {
      expect((await thrownBy(list())).fault).toBe('unreachable')
      clock.advance(5 * SECOND)
    }
    expect(primary.asked.length).toBeLessThan(70)
    expect(fallback.asked.length).toBeLessThan(70)
    fallback.state.answer = ({ path }) => (path.startsWith('v1') ? emptyList : block())
    clock.advance(MINUTE)
    expect(await list()).toMatchObject({ complete: true })
    fallback.state.answer = () => down
    primary.state.answer = ({ path }) => (path.startsWith('v1') ? emptyList : block())
    await failThrice(list, clock)
    expect(await list(), 'back as soon as the second one fails').toMatchObject({ complete: true })
  })

  it('counts failures that come together as one', async () => {
    const primary = await startNode(() => reply(500))
    const { chain, events } = openChain({ apiUrl: primary.url, fallbackUrl: primary.url })
    await Promise.all(Array.from({ length: 9 }, () => thrownBy(chain.receipt('ab'.repeat(32), USDT))))
    expect(events.filter((event) => event.startsWith('fallback'))).toEqual([])
  })
})
