import { describe, expect, test } from 'vitest'
import {
  accountsPage,
  basic,
  connectTo,
  gatewayAccount,
  readAll,
  readPast,
  startFront,
  startOrigin,
  tunnel,
} from '../support/gateway-front.ts'

async function startWithOrigin(options = {}) {
  const origin = await startOrigin((socket) => void socket.end('hello'))
  const known = { 'origin.test': { address: '127.0.0.1', port: origin.port } }
  return startFront({ known, ...options })
}

describe('the username', () => {
  test.each([
    ['alice', {}],
    ['alice-country-US', { country: 'us' }],
    ['alice-city-losangeles', { city: 'losangeles' }],
    ['alice-session-Abc123', { session: 'Abc123' }],
    ['alice-lifetime-5-session-abcdef-country-de', { session: 'abcdef', lifetimeMinutes: 5, country: 'de' }],
    ['alice-lifetime-120', { lifetimeMinutes: 120 }],
  ])('%s says which exit is wanted', async (username, wish) => {
    const front = await startWithOrigin()
    expect((await tunnel(front.port, 'origin.test:80', basic(username))).status).toBe(200)
    const usual = { country: null, city: null, session: null, lifetimeMinutes: 120 }
    expect(front.wishes).toEqual([{ pool: 'dynamic_1', account: 'alice', ...usual, ...wish }])
  })

  test.each([
    ['alice-land-us', 'bad_parameter: "land" is unknown'],
    ['alice-', 'bad_parameter: "" is unknown'],
    ['alice-__proto__-x', 'bad_parameter: "__proto__" is unknown'],
    ['alice-country', 'bad_parameter: country cannot be ""'],
    ['alice-country-usa', 'bad_parameter: country cannot be "usa"'],
    ['alice-country-us-country-us', 'bad_parameter: country is there twice'],
    ['alice-session-abc', 'bad_parameter: session cannot be "abc"'],
    ['alice-session-abcdefghijklmnopq', 'bad_parameter: session cannot be "abcdefghijklmnopq"'],
    ['alice-lifetime-0', 'bad_parameter: lifetime cannot be "0"'],
    ['alice-lifetime-121', 'bad_parameter: lifetime cannot be "121"'],
    ['alice-lifetime-05', 'bad_parameter: lifetime cannot be "05"'],
    ['alice-city-Zürich', 'bad_parameter: city cannot be "Zürich"'],
    ['alice-country-fr', 'unknown_country: the product is not in fr'],
    ['alice-city-paris', 'unknown_city: the product is not in paris'],
  ])('%s is refused and told why', async (username, reason) => {
    const front = await startWithOrigin()
    front.sell({ product_no: 'dynamic-1', countries: ['us', 'de'], cities: ['berlin'] })
    const { socket, status, head } = await tunnel(front.port, 'origin.test:80', basic(username))
    expect(status).toBe(400)
    expect(await readPast(socket, '\n')).toBe(`${reason}\n`)
    // Clients of tunnels show headers only.
    expect(head).toContain(`X-Gateway-Message: ${reason.replace(/^\w+: /, '').replace('ü', '?')}\r\n`)
  })

  test('names a country that there is, also where the product is everywhere', async () => {
    const front = await startWithOrigin()
    const { socket, status } = await tunnel(front.port, 'origin.test:80', basic('alice-country-zz'))
    expect(status).toBe(400)
    expect(await readPast(socket, '\n')).toBe('unknown_country: zz is no country\n')
    expect((await tunnel(front.port, 'origin.test:80', basic('alice-country-fr'))).status).toBe(200)
  })

  test('names places that the product has', async () => {
    const front = await startWithOrigin()
    front.sell({ product_no: 'dynamic-1', countries: ['us', 'de'], cities: ['berlin'] })
    expect((await tunnel(front.port, 'origin.test:80', basic('alice-country-DE-city-Berlin'))).status).toBe(
      200,
    )
    front.sell({ product_no: 'dynamic-1', countries: ['us'], cities: [] })
    expect((await tunnel(front.port, 'origin.test:80', basic('alice-country-de'))).status).toBe(400)
  })
})

describe('credentials', () => {
  test.each([
    ['none', ''],
    ['a wrong password', basic('alice', 'Secret')],
    ['no account', basic('bob')],
    ['no password', basic('alice', '')],
    ['another method', 'Proxy-Authorization: Bearer secret\r\n'],
    ['a disabled account', basic('carol')],
    ['a deleted account', basic('dave')],
  ])('%s: 407', async (_, header) => {
    const front = await startWithOrigin()
    front.tell({ username: 'carol' }, { username: 'dave' })
    front.tell(
      { username: 'carol', status: 'disabled', revision: 2 },
      { username: 'dave', status: 'deleted', revision: 2 },
    )
    const { status, head } = await tunnel(front.port, 'origin.test:80', header)
    expect(status).toBe(407)
    expect(head).toContain('Proxy-Authenticate: Basic realm="proxy"')
  })

  test('change with the feed, older news change nothing', async () => {
    const front = await startWithOrigin()
    const login = async (password: string) =>
      (await tunnel(front.port, 'origin.test:80', basic('alice', password))).status
    front.tell({ password: 'new', revision: 5 })
    front.tell({ password: 'old', revision: 4 })
    expect([await login('new'), await login('old'), await login('secret')]).toEqual([200, 407, 407])
  })

  test('of an account that a whole list does not hold any more are void at the end of the list', async () => {
    const front = await startWithOrigin()
    const login = async () => (await tunnel(front.port, 'origin.test:80')).status
    front.accounts.apply(accountsPage([gatewayAccount({ username: 'bob' })], { reset: true, more: true }))
    expect(await login()).toBe(200)
    front.accounts.apply(accountsPage([]))
    expect(await login()).toBe(407)
  })

  test('may hold what usernames and passwords hold elsewhere', async () => {
    const front = await startWithOrigin()
    front.tell({ username: 'bob', password: 'pa:ss wörd-with-hyphens' })
    expect((await tunnel(front.port, 'origin.test:80', basic('bob', 'pa:ss wörd-with-hyphens'))).status).toBe(
      200,
    )
  })

  test('wrong ones are throttled by address, for HTTP and SOCKS5 together', async () => {
    const front = await startWithOrigin({ failuresPerMinute: 3 })
    const first = await connectTo(front.port)
    first.write(Buffer.from('\x05\x01\x02\x01\x05alice\x05wrong', 'latin1'))
    expect((await readAll(first)).toString('latin1')).toBe('\x05\x02\x01\x01')
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await tunnel(front.port, 'origin.test:80', basic('alice', 'wrong'))).status).toBe(407)
    }
    const { status, head } = await tunnel(front.port, 'origin.test:80')
    expect([status, head]).toEqual([
      429,
      expect.stringContaining('Retry-After: 60\r\nX-Gateway-Error: too_many_failed_logins'),
    ])
    // Whoever needs no password is not affected.
    front.tell({ revision: 2, allow: [{ cidr: '127.0.0.1', country: null, session: null }] })
    expect((await tunnel(front.port, 'origin.test:80', '')).status).toBe(200)
  })
})

describe('addresses that need no password', () => {
  const nobody = { country: null, session: null }

  test('the smallest network counts', async () => {
    const front = await startWithOrigin()
    front.tell(
      {
        username: 'wide',
        allow: [
          { cidr: '127.0.0.0/8', ...nobody },
          { cidr: '::/0', ...nobody },
        ],
      },
      { username: 'exact', allow: [{ cidr: '::ffff:127.0.0.1/128', ...nobody }] },
      {
        username: 'near',
        allow: [
          { cidr: '127.0.0.0/30', ...nobody },
          { cidr: '10.0.0.0/32', ...nobody },
        ],
      },
    )
    await tunnel(front.port, 'origin.test:80', '')
    front.tell({ username: 'exact', revision: 2, allow: [] })
    await tunnel(front.port, 'origin.test:80', '')
    front.tell({ username: 'near', revision: 2, status: 'deleted' })
    await tunnel(front.port, 'origin.test:80', '')
    expect(front.wishes.map(({ account }) => account)).toEqual(['exact', 'near', 'wide'])
  })

  test('over SOCKS5 without a method, or with empty credentials', async () => {
    const front = await startWithOrigin()
    front.tell({ revision: 2, allow: [{ cidr: '127.0.0.1/32', country: 'US', session: null }] })
    for (const hello of ['\x05\x01\x00', '\x05\x02\x00\x02\x01\x00\x00']) {
      const socket = await connectTo(front.port)
      socket.write(Buffer.from(`${hello}\x05\x01\x00\x03\x0borigin.test\x00\x50`, 'latin1'))
      expect(await readPast(socket, 'hello')).toContain('\x05\x00\x00\x01\0\0\0\0\0\0hello')
    }
    expect(front.wishes.map(({ country }) => country)).toEqual(['us', 'us'])
  })

  test('credentials count where there are some', async () => {
    const front = await startWithOrigin()
    front.tell({ username: 'bob' }, { revision: 2, allow: [{ cidr: '127.0.0.1/32', ...nobody }] })
    expect((await tunnel(front.port, 'origin.test:80', basic('bob'))).status).toBe(200)
    expect((await tunnel(front.port, 'origin.test:80', basic('bob', 'wrong'))).status).toBe(407)
    expect(front.wishes.map(({ account }) => account)).toEqual(['bob'])
  })

  test('others are asked for credentials', async () => {
    const front = await startWithOrigin()
    front.tell({ revision: 2, allow: [{ cidr: '128.0.0.0/8', ...nobody }] })
    const socket = await connectTo(front.port)
    socket.write(Buffer.from([5, 1, 0]))
    expect(await readAll(socket)).toEqual(Buffer.from([5, 0xff]))
  })
})

test.each([
  ['has another password', { password: 'another' }, 407],
  ['is disabled', { status: 'disabled' }, 407],
  ['is deleted', { status: 'deleted' }, 407],
] as const)('a client that was let in before is refused when its account %s', async (_, change, status) => {
  const front = await startWithOrigin()
  const ask = async () => (await tunnel(front.port, 'origin.test:80', basic('alice-country-us'))).status
  expect([await ask(), await ask()]).toEqual([200, 200])
  front.tell({ revision: 2, ...change })
  expect(await ask()).toBe(status)
  front.tell({ revision: 3 })
  expect(await ask()).toBe(200)
})

test('a client that was let in before is refused when its place is sold no more', async () => {
  const front = await startWithOrigin()
  const ask = async () => (await tunnel(front.port, 'origin.test:80', basic('alice-country-us'))).status
  expect([await ask(), await ask()]).toEqual([200, 200])
  front.sell({ product_no: 'dynamic-1', countries: ['de'], cities: [] })
  expect(await ask()).toBe(400)
})

test('a client that was let in before waits, too, after too many wrong passwords from its address', async () => {
  const front = await startWithOrigin({ failuresPerMinute: 1 })
  const ask = async (password?: string) =>
    (await tunnel(front.port, 'origin.test:80', basic('alice', password))).status
  expect([await ask(), await ask('wrong'), await ask()]).toEqual([200, 407, 429])
})
