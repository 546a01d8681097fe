import type { AccountStatus } from '../../src/generated/prisma/client.ts'
import { describe, expect, test } from 'vitest'
import { expectRefusal, openApi, outcomes } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

const PUBLIC = '/business/dynamic-proxy/extract'
const OWN = '/open/app/dynamic/extract'

interface Extracted {
  readonly product_no: string
  readonly count: number
  readonly expires_at: string
  readonly items: readonly {
    readonly username: string
    readonly password: string
    readonly session: string | null
    readonly country_code: string | null
    readonly proxy_url: string
  }[]
  readonly text: string | null
  readonly api_url: string | null
}

/** A user with traffic in a product of each pool, and the credential that the gateway knows it by. */
async function shop() {
  const api = await openApi()
  for (const number of [1, 2, 3] as const) {
    await api.product(`dyn-${number}`, {
      proxyType: number === 3 ? 105 : 104,
      pool: `dynamic_${number}`,
      gateway: `gw${number}.example.com:800${number}`,
    })
  }
  const seller = await api.agent({ name: 'seller', balance: 100 })
  const user = await api.customer(seller, { name: 'user', balance: 100 })
  for (const poolId of ['dyn-1', 'dyn-2', 'dyn-3']) await api.buyTraffic(user, { poolId })
  const login = (productNo: string) =>
    api.db.read.traffic.findFirstOrThrow({ where: { userId: user.id, product: { productNo } } })
  const client = await api.as(user)
  const extract = async (body: object, path = PUBLIC, base: '/a/api' | '/b/api' = '/a/api') => {
    const answer = await client.post(path, body, { base })
    expect(answer.body).toMatchObject({ code: 0 })
    return answer.body.data as unknown as Extracted
  }
  const useUp = async (productNo: string) =>
    api.core.traffic.recordUsage({
      reportId: productNo,
      account: (await login(productNo)).username,
      bytes: 1e9,
    })
  return { ...api, seller, user, client, login, extract, useUp }
}

/** For cases that change nothing. */
const standing = shared(shop)

describe('an extraction', () => {
  test('answers one credential, unless more is asked for', async () => {
    const { extract, login } = await shop()
    const { username, password } = await login('dyn-2')
    expect(username).toMatch(/^u0[0-9a-z]{12}$/)
    expect(password).toMatch(/^[A-Za-z2-9]{20}$/)
    expect(await extract({})).toEqual({
      product_no: 'dyn-2',
      method: 'password',
      count: 1,
      expires_at: '2026-03-01T12:05:00.000Z',
      items: [
        {
          host: 'gw2.example.com',
          port: 8002,
          username,
          password,
          protocol: 'http',
          session: null,
          country_code: null,
          proxy_url: `http://${username}:${password}@gw2.example.com:8002`,
        },
      ],
      text: null,
      api_url: null,
    })
  })

  test.each([
    [{ countryCode: 'us' }, '-country-us', 'US'],
    [{ countryCode: 'US', cityCode: 'USLAX' }, '-country-us-city-losangeles', 'US'],
    [{ cityCode: 'uslax' }, '-country-us-city-losangeles', 'US'],
    [{ countryCode: 'US', cityCode: 'Los Angeles' }, '-country-us-city-losangeles', 'US'],
    [{ cityCode: "St. John's" }, '-city-stjohns', null],
    [{ countryCode: null, cityCode: null, userId: null }, '', null],
  ])('%j becomes %s', async (place, suffix, country) => {
    const { extract, login } = standing()
    const { username } = await login('dyn-2')
    const { items } = await extract(place)
    expect(items).toMatchObject([{ username: username + suffix, country_code: country }])
  })

  test('gives every sticky credential a session of its own, which lives as long as was asked for', async () => {
    const { extract, login } = await shop()
    const { username, password } = await login('dyn-2')
    const { items, count, expires_at } = await extract({
      countryCode: 'GB',
      extractConfig: { quantity: 100, sticky: true, validTime: 120, protocol: 'socks5' },
    })
    expect([count, expires_at]).toEqual([100, '2026-03-01T14:00:00.000Z'])
    expect(new Set(items.map(({ session }) => session)).size).toBe(100)
    for (const item of items) {
      expect(item.session).toMatch(/^[a-z0-9]{6,16}$/)
      expect(item.username).toBe(`${username}-country-gb-session-${item.session}-lifetime-120`)
      expect(item.username).toMatch(
        /^[a-z0-9]+(-country-[a-z]{2})?(-city-[a-z0-9]+)?(-session-[a-zA-Z0-9]{6,16})?(-lifetime-\d{1,3})?$/,
      )
      expect(item.proxy_url).toBe(`socks5://${item.username}:${password}@gw2.example.com:8002`)
    }
  })

  test.each([
    [1, '\r\n'],
    [2, '/br'],
    [3, '\r'],
    [4, '\n'],
    [5, '\t'],
  ])('with delimiter %i puts %j between lines of text', async (delimiter, between) => {
    const { extract, login } = standing()
    const { username, password } = await login('dyn-2')
    const { text, items } = await extract({ extractConfig: { quantity: 3, returnType: 'txt', delimiter } })
    const line = `gw2.example.com:8002:${username}:${password}`
    expect(text).toBe([line, line, line].join(between))
    expect(items).toHaveLength(3)
  })

  test.each([
    [undefined, (u: string, p: string) => `gw2.example.com:8002:${u}:${p}`],
    ['host:port:username:password', (u: string, p: string) => `gw2.example.com:8002:${u}:${p}`],
    ['username:password@host:port', (u: string, p: string) => `${u}:${p}@gw2.example.com:8002`],
    ['ip:port:user:pass', (u: string, p: string) => `gw2.example.com:8002:${u}:${p}`],
    ['hostname:port@login:password', (u: string, p: string) => `gw2.example.com:8002@${u}:${p}`],
    [
      'protocol://username:password@host:port',
      (u: string, p: string) => `http://${u}:${p}@gw2.example.com:8002`,
    ],
    ['username,password,host,port', (u: string, p: string) => `${u},${p},gw2.example.com,8002`],
  ])('writes a line as %s', async (format, expected) => {
    const { extract, login } = standing()
    const { username, password } = await login('dyn-2')
    const { text } = await extract({ extractConfig: { returnType: 'txt', ...(format && { format }) } })
    expect(text).toBe(expected(username, password))
  })

  test.each([
    [{ countryCode: 'XX' }, 'countryCode', 'not_a_country_code'],
    [{ countryCode: 5 }, 'countryCode', 'invalid_type'],
    [{ cityCode: '-session-x' }, 'cityCode', 'not_a_city'],
    [{ countryCode: 'GB', cityCode: 'USLAX' }, 'cityCode', 'city_not_in_country'],
    [{ productNo: 7 }, 'productNo', 'invalid_type'],
    [{ proxyType: 999 }, 'proxyType', 'invalid_value'],
    [{ userId: '2' }, 'userId', 'invalid_type'],
    [{ extractConfig: [] }, 'extractConfig', 'invalid_type'],
    [{ extractConfig: { method: 'whitelist' } }, 'extractConfig.method', 'invalid_value'],
    [{ extractConfig: { quantity: 0 } }, 'extractConfig.quantity', 'too_small'],
    [{ extractConfig: { quantity: 101 } }, 'extractConfig.quantity', 'too_big'],
    [{ extractConfig: { quantity: 1.5 } }, 'extractConfig.quantity', 'invalid_type'],
    [{ extractConfig: { validTime: 0 } }, 'extractConfig.validTime', 'too_small'],
    [{ extractConfig: { validTime: 121 } }, 'extractConfig.validTime', 'too_big'],
    [{ extractConfig: { sticky: 'true' } }, 'extractConfig.sticky', 'invalid_type'],
    [{ extractConfig: { protocol: 'https' } }, 'extractConfig.protocol', 'invalid_value'],
    [{ extractConfig: { returnType: 'xml' } }, 'extractConfig.returnType', 'invalid_value'],
    [{ extractConfig: { delimiter: 6 } }, 'extractConfig.delimiter', 'invalid_value'],
    [{ extractConfig: { format: 'host:port' } }, 'extractConfig.format', 'not_a_line_format'],
    [
      { extractConfig: { format: 'host port username password' } },
      'extractConfig.format',
      'not_a_line_format',
    ],
    [{ extractConfig: { format: 'hosts:ports:users:pw' } }, 'extractConfig.format', 'not_a_line_format'],
  ])('of %j is refused', async (body, field, rule) => {
    const { client } = standing()
    for (const path of [PUBLIC, OWN]) {
      const answer = await client.post(path, body, { base: '/a/api' })
      expectRefusal(answer, 422, 'validation_error')
      expect(answer.body.data.errors).toMatchObject([{ field, rule }])
    }
  })

  test('needs traffic that is left', async () => {
    const { client, useUp, as, customer, seller, buyTraffic, user, core } = await shop()
    await useUp('dyn-2')
    const answer = await client.post(PUBLIC, {})
    expectRefusal(answer, 409, 'traffic_exhausted')
    expect(answer.body.data).toEqual({ product_no: 'dyn-2' })
    const neverBought = await as(await customer(seller))
    expectRefusal(await neverBought.post(PUBLIC, {}), 409, 'traffic_exhausted')
    // What is bought afterwards works with the same credential.
    await buyTraffic(user, { poolId: 'dyn-2' })
    expect((await client.post(PUBLIC, {})).status).toBe(200)
    expect((await core.traffic.remainingFlow(user, user.id, 'dyn-2')).remaining).toBe(1e9)
  })

  test('is made by an agent for its sub-user, and by nobody else', async () => {
    const { as, seller, user, login, agent, client } = await shop()
    const { username } = await login('dyn-2')
    const byAgent = await (await as(seller)).post(PUBLIC, { userId: user.id })
    expect(byAgent.body.data).toMatchObject({ items: [{ username }] })
    const stranger = await as(await agent())
    for (const path of [PUBLIC, OWN]) {
      expectRefusal(await stranger.post(path, { userId: user.id }), 403, 'not_direct_sub_user')
      expectRefusal(await client.post(path, { userId: seller.id }), 403, 'agent_required')
    }
  })

  test('gives two users two credentials, and one user another one per product', async () => {
    const { extract, as, customer, seller, buyTraffic } = await shop()
    const other = await customer(seller, { balance: 5 })
    await buyTraffic(other, { poolId: 'dyn-2' })
    const [mine] = (await extract({})).items
    const [alsoMine] = (await extract({ productNo: 'dyn-1' }, OWN)).items
    const theirs = (await (await as(other)).post(PUBLIC, {})).body.data as unknown as Extracted
    const all = [mine, alsoMine, theirs.items[0]]
    expect(new Set(all.map((item) => item?.username)).size).toBe(3)
    expect(new Set(all.map((item) => item?.password)).size).toBe(3)
  })
})

describe('the public extraction', () => {
  test('reaches only dynamic_2 in variant A', async () => {
    const { client, extract, product } = await shop()
    expect((await extract({ productNo: 'dyn-2', proxyType: 104 })).product_no).toBe('dyn-2')
    const answer = await client.post(PUBLIC, { productNo: 'dyn-1' }, { base: '/a/api' })
    expectRefusal(answer, 403, 'pool_not_public')
    expect(answer.body.data).toEqual({ product_no: 'dyn-1', pool_type: 'dynamic_1' })
    await product('static')
    for (const body of [
      { productNo: 'nope' },
      { productNo: 'static' },
      { productNo: 'dyn-2', proxyType: 105 },
    ])
      expectRefusal(await client.post(PUBLIC, body, { base: '/a/api' }), 404, 'product_not_found')
  })

  test('takes any pool in variant B, where product and type have to be named', async () => {
    const { client, extract } = await shop()
    expect((await extract({ productNo: 'dyn-3', proxyType: 105 }, PUBLIC, '/b/api')).product_no).toBe('dyn-3')
    for (const [body, fields] of [
      [{}, ['productNo', 'proxyType']],
      [{ productNo: 'dyn-2' }, ['proxyType']],
      [{ proxyType: 104 }, ['productNo']],
      [{ productNo: null, proxyType: null }, ['productNo', 'proxyType']],
    ] as const) {
      const answer = await client.post(PUBLIC, body, { base: '/b/api' })
      expectRefusal(answer, 422, 'validation_error')
      expect(answer.body.data.errors.map(({ field }) => field)).toEqual(fields)
    }
  })

  test('takes the product of the pool in which traffic is left', async () => {
    const { client, extract, product, buyTraffic, user, useUp } = await shop()
    await product('dyn-2b', { proxyType: 104, pool: 'dynamic_2' })
    expect((await extract({})).product_no).toBe('dyn-2')
    await buyTraffic(user, { poolId: 'dyn-2b' })
    await useUp('dyn-2')
    expect((await extract({})).product_no).toBe('dyn-2b')
    await useUp('dyn-2b')
    expectRefusal(await client.post(PUBLIC, {}), 409, 'traffic_exhausted')
  })

  test('has nothing where there is no such product', async () => {
    const { agent, as } = await openApi()
    expectRefusal(await (await as(await agent())).post(PUBLIC, {}), 404, 'product_not_found')
  })
})

describe('the account-level extraction', () => {
  test.each(['/a/api', '/b/api'] as const)('reaches every own pool under %s', async (base) => {
    const { extract } = await shop()
    for (const productNo of ['dyn-1', 'dyn-2', 'dyn-3']) {
      const { product_no, items } = await extract({ productNo }, OWN, base)
      expect(product_no).toBe(productNo)
      expect(items[0]?.proxy_url).toContain(`@gw${productNo.slice(-1)}.example.com:800${productNo.slice(-1)}`)
    }
  })

  test('without a product takes one with traffic left', async () => {
    const { extract, useUp, client } = await shop()
    expect((await extract({}, OWN)).product_no).toBe('dyn-1')
    await useUp('dyn-1')
    expect((await extract({}, OWN)).product_no).toBe('dyn-2')
    expect((await extract({ proxyType: 105 }, OWN)).product_no).toBe('dyn-3')
    await useUp('dyn-2')
    await useUp('dyn-3')
    expectRefusal(await client.post(OWN, {}), 409, 'traffic_exhausted')
  })
})

describe('a public link', () => {
  const asLines = { method: 'api', quantity: 2, sticky: true, validTime: 30, delimiter: 4 }

  async function linked() {
    const all = await shop()
    const { api_url: url } = await all.extract({ countryCode: 'US', extractConfig: asLines }, OWN)
    if (url === null) throw new Error('there is no link')
    const open = (path = new URL(url).pathname) => all.server.inject(path)
    const token = url.split('/').at(-1) ?? ''
    return { ...all, url, token, open }
  }
  const standingLink = shared(linked)

  test('hands out new credentials as text, without a token', async () => {
    const { open, url, login, token } = await linked()
    expect(url).toMatch(/^http:\/\/localhost(:80)?\/a\/api\/open\/app\/dynamic\/extract\/[\w-]{32}$/)
    const { username, password } = await login('dyn-2')
    const first = await login('dyn-1')
    const line = new RegExp(
      `^gw1\\.example\\.com:8001:${first.username}-country-us-session-[a-z0-9]{8}-lifetime-30:${first.password}$`,
    )
    const [one, two] = [await open(), await open(`/b/api/open/app/dynamic/extract/${token}`)]
    for (const answer of [one, two]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      const lines = answer.body.split('\n')
      expect(lines).toHaveLength(2)
      for (const text of lines) expect(text).toMatch(line)
    }
    expect(one.body).not.toBe(two.body)
    expect(one.body).not.toContain(username)
    expect(one.body).not.toContain(password)
  })

  test('is made by the public extraction too, only with method api, and its address can be configured', async () => {
    const { extract } = await shop()
    expect((await extract({ extractConfig: { method: 'api' } })).api_url).toMatch(
      /\/a\/api\/open\/app\/dynamic\/extract\//,
    )
    expect((await extract({ extractConfig: { method: 'password' } })).api_url).toBeNull()
    const { product, agent, buyTraffic, as } = await openApi({ api: { publicUrl: 'https://shop.example' } })
    await product('dyn', { proxyType: 104, pool: 'dynamic_2' })
    const seller = await agent({ balance: 5 })
    await buyTraffic(seller, { poolId: 'dyn' })
    const { body } = await (
      await as(seller)
    ).post(OWN, { extractConfig: { method: 'api' } }, { base: '/b/api' })
    expect(body.data).toMatchObject({
      api_url: expect.stringMatching(
        /^https:\/\/shop\.example\/b\/api\/open\/app\/dynamic\/extract\//,
      ) as string,
    })
  })

  test('is not in the database, nor in the log', async () => {
    const { db, token, open, log } = await linked()
    await open()
    const rows = await db.read.extractLink.findMany()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify([rows[0]?.tokenHash, rows[0]?.options])).not.toContain(token)
    expect(JSON.stringify(log)).not.toContain(token)
  })

  test('ends when its owner or the owner’s agent revokes it, and nobody else can', async () => {
    const { client, open, token, as, agent, seller, extract } = await linked()
    const path = `${OWN}/${token}`
    expectRefusal(await (await as(await agent())).delete(path), 404, 'route_not_found')
    expect((await open()).statusCode).toBe(200)
    expect((await client.delete(path)).body.data).toEqual({ revoked: 1 })
    const dead = await open()
    expect([dead.statusCode, dead.json().error]).toEqual([404, 'route_not_found'])
    expectRefusal(await client.delete(path), 404, 'route_not_found')

    const { api_url: another } = await extract({ extractConfig: asLines }, OWN)
    const { pathname } = new URL(another ?? '')
    expect((await (await as(seller)).delete(pathname.replace('/a/api', ''))).status).toBe(200)
    expect((await open(pathname)).statusCode).toBe(404)
  })

  test('ends with all others when the token is lost', async () => {
    const { client, open, extract, as, seller } = await linked()
    await extract({ extractConfig: asLines }, OWN)
    expect((await (await as(seller)).delete(OWN)).body.data).toEqual({ revoked: 0 })
    expect((await client.delete(OWN)).body.data).toEqual({ revoked: 2 })
    expect((await open()).statusCode).toBe(404)
  })

  test('ends when 20 newer ones were made for the same product', async () => {
    const { open, extract, db } = await linked()
    for (let more = 0; more < 19; more += 1) await extract({ extractConfig: asLines }, OWN)
    expect((await open()).statusCode).toBe(200)
    await extract({ productNo: 'dyn-3', extractConfig: asLines }, OWN)
    expect((await open()).statusCode).toBe(200)
    await extract({ extractConfig: asLines }, OWN)
    expect((await open()).statusCode).toBe(404)
    expect(await db.read.extractLink.count()).toBe(21)
  })

  test('has a limit of its own, and then says when to come back', async () => {
    const { open, server, extract, clock } = await linked()
    const answers = await Promise.all(Array.from({ length: 70 }, () => open()))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(60)
    const refused = answers.find(({ statusCode }) => statusCode !== 200)
    expect([refused?.statusCode, refused?.json().error, refused?.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      '60',
    ])
    const { api_url: another } = await extract({ extractConfig: asLines }, OWN)
    expect((await server.inject(new URL(another ?? '').pathname)).statusCode).toBe(200)
    clock.advance(60_000)
    expect((await open()).statusCode).toBe(200)
  })

  test('tells when the traffic is used up, and stops with its owner', async () => {
    const { open, useUp, db, user, buyTraffic } = await linked()
    const refusal = async () => {
      const answer = await open()
      return [answer.statusCode, answer.json().error]
    }
    await useUp('dyn-1')
    expect(await refusal()).toEqual([409, 'traffic_exhausted'])
    await buyTraffic(user, { poolId: 'dyn-1' })
    expect((await open()).statusCode).toBe(200)
    const become = (status: AccountStatus) =>
      db.write((tx) => tx.account.update({ where: { id: user.id }, data: { status } }))
    await become('disabled')
    expect(await refusal()).toEqual([403, 'account_disabled'])
    await become('deleted')
    expect(await refusal()).toEqual([404, 'route_not_found'])
  })

  test.each(['nope', 'x'.repeat(32), '%2e%2e', "'--"])('%s is none', async (token) => {
    const { open } = standingLink()
    const answer = await open(`/api/open/app/dynamic/extract/${token}`)
    expect([answer.statusCode, answer.json().error]).toEqual([404, 'route_not_found'])
  })
})

test('Many extractions at once change nothing and get what they asked for', async () => {
  const { client, audited } = await shop()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      client.post(index % 2 ? PUBLIC : OWN, { extractConfig: { quantity: 1 + (index % 100) } }),
    ),
  )
  expect(outcomes(answers)).toEqual({ ok: 60 })
  await audited()
})
