import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { AGENT, ANN, CUSTOMER, SECRET, startProduct, stockFile } from './support/product.ts'

interface Line {
  readonly msg?: string
  readonly event?: string
  readonly from?: string
  readonly [name: string]: unknown
}

type Product = Awaited<ReturnType<typeof startProduct>>

/** Calls the API of a running product. */
function client(product: Product) {
  const call = async (method: string, path: string, body?: object, token?: string, headers = {}) => {
    const response = await fetch(`${product.app.addresses['api']}${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as {
      code: number
      error?: string
      data: { token: string; id: number; orderNo: string }
    }
  }
  const logIn = async (credentials: object) => (await call('POST', '/auth/login', credentials)).data.token
  return { call, logIn }
}

/** Bytes that no client would send. */
async function rawRequest(product: Product, bytes: string): Promise<void> {
  const { hostname, port } = new URL(product.app.addresses['api'] ?? '')
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  await text(socket)
}

const parsed = ({ log }: Product) => log.map((line) => JSON.parse(line) as Line)
const events = (product: Product) => parsed(product).filter(({ msg }) => msg === 'security')

describe('the log', () => {
  it('has one line for each log-in, good or bad, and for each change that somebody makes to somebody', async () => {
    const product = await startProduct()
    const { call, logIn } = client(product)
    product.log.length = 0
    const token = await logIn(AGENT)
    await call('POST', '/auth/login', { ...CUSTOMER, password: 'wrong-password' })
    await call('POST', '/auth/login', { username: 'my-password-by-mistake', password: 'x' })
    const user = { username: 'dora', password: 'password-of-dora', balance: 3 }
    const { id } = (await call('POST', '/open/app/user/v2', user, token)).data
    const path = `/open/app/agent/sub-users/${id}`
    const key = { 'idempotency-key': 'sent twice, done once' }
    for (let copy = 1; copy <= 2; copy += 1)
      expect((await call('POST', `${path}/balance`, { amount: -1, remark: 'fee' }, token, key)).code).toBe(0)
    expect((await call('PATCH', `${path}/account`, { password: 'next-password' }, token)).code).toBe(0)
    expect((await call('PATCH', `${path}/status`, { status: 'disabled' }, token)).code).toBe(0)
    expect((await call('DELETE', path, undefined, token)).code).toBe(0)

    const [agent, customer] = [1, 2]
    const from = '127.0.0.1'
    expect(
      events(product).map(({ level: _l, time, pid: _p, hostname: _h, msg: _m, ...rest }) => {
        expect(time).toEqual(expect.any(Number))
        return rest
      }),
    ).toEqual([
      { event: 'login_ok', account: agent, from },
      { event: 'login_failed', account: null, from, target: customer, error: 'invalid_credentials' },
      { event: 'login_failed', account: null, from, error: 'invalid_credentials' },
      { event: 'sub_user_created', account: agent, from, target: id, amount: 3 },
      {
        event: 'balance_adjusted',
        account: agent,
        from,
        target: id,
        amount: -1,
        transaction: expect.stringMatching(/^T\d+/),
      },
      { event: 'sub_user_account_edited', account: agent, from, target: id, changed: ['password'] },
      { event: 'sub_user_status_set', account: agent, from, target: id, status: 'disabled' },
      { event: 'sub_user_deleted', account: agent, from, target: id, amount: -2 },
    ])
  })

  it('says who was kept out of what, and from where', async () => {
    const product = await startProduct()
    const { call, logIn } = client(product)
    const token = await logIn(CUSTOMER)
    product.log.length = 0
    await call('GET', '/open/app/agent/sub-users', undefined, token)
    await call('GET', '/open/app/user/balance/current', undefined, 'forged')
    expect(parsed(product).filter(({ msg }) => msg === 'request')).toMatchObject([
      {
        msg: 'request',
        status: 403,
        error: 'agent_required',
        user: 2,
        from: '127.0.0.1',
        route: '/api/open/app/agent/sub-users',
      },
      { msg: 'request', status: 401, error: 'token_invalid', from: '127.0.0.1' },
    ])
  })

  it('knows a chat by its number', async () => {
    const product = await startProduct()
    await product.memberPhone(ANN)
    expect(events(product).at(-1)).toMatchObject({
      event: 'login_ok',
      account: 2,
      from: expect.stringContaining(String(ANN.id)),
    })
  })

  it('is one clean JSON line per event, whatever people put into names, paths and headers', async () => {
    const product = await startProduct()
    const { call, logIn } = client(product)
    const evil = 'x\r\n{"level":30,"msg":"forged"}\u001b[2J\u0000\u2028'
    await call('POST', '/auth/login', { username: evil, password: evil })
    await call('GET', `/${encodeURIComponent(evil)}`)
    await call(
      'GET',
      `/open/app/user/transactions?keyword=${encodeURIComponent(evil)}`,
      undefined,
      await logIn(AGENT),
    )
    await rawRequest(
      product,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nUser-Agent: evil\u001b[2J\r\nX-Request-Id: evil\r\nConnection: close\r\n\r\n',
    )
    await call(
      'POST',
      '/open/app/user/v2',
      { username: evil, password: evil, email: evil },
      await logIn(AGENT),
    )
    expect(product.log.length).toBeGreaterThan(5)
    for (const line of product.log) {
      expect(line).toMatch(/^\{[^\p{Cc}\u2028\u2029]*\}\n$/u)
      expect(line).not.toMatch(/forged|evil/)
      JSON.parse(line)
    }
  })

  it('holds no secret after everything that can be done was done', async () => {
    const product = await startProduct()
    const { call, logIn } = client(product)
    await product.core.operator.importStock(
      SHELL,
      stockFile('ISP', '198.51.100', 5).replaceAll(/,pass(?=\d)/g, ',proxy-secret-'),
    )
    const phone = await product.memberPhone(ANN)
    const tokens = [await logIn(AGENT), await logIn(CUSTOMER)] as const
    const [agent, customer] = tokens
    const created = {
      username: 'erin',
      password: 'password-of-erin',
      email: 'erin@example.com',
      phone: '13800138000',
    }
    await call('POST', '/open/app/user/v2', created, agent)
    const order = {
      orderType: 'static_proxy',
      poolId: 'ISP',
      userId: 2,
      unitPrice: 0,
      totalAmount: 0,
      ipCount: 2,
    }
    const term = { cycleTimes: 1, duration: 1, unit: 3 }
    const { orderNo } = (
      await call('POST', '/open/app/static/order/create-standard/v2', { ...order, ...term }, customer)
    ).data
    await product.until("SELECT 1 FROM static_orders WHERE status = 'active'")
    await phone.waitFor(/192\.0\.2|198\.51\.100/).catch(() => undefined)
    const list = JSON.stringify(
      await call('GET', `/open/app/static/order/list/v2?orderNo=${orderNo}`, undefined, customer),
    )
    const passwords = [...list.matchAll(/"password":"([^"]+)"/g)].map(([, password]) => password ?? '')
    expect(passwords.length).toBeGreaterThan(0)
    // Secrets where they do not belong, and failures of ours while they are in hand.
    await call('GET', `/open/app/user/balance/current?token=${customer}`)
    await call('GET', `/${customer}`)
    await call('POST', '/auth/login', { ...CUSTOMER, password: 'almost-the-password' })
    await call('POST', '/auth/login', { username: CUSTOMER.password, password: CUSTOMER.username })
    await product.edit('DROP TABLE settings')
    await product.edit('ALTER TABLE chats RENAME TO chats_away')
    phone.send('/login')
    await product.edit('ALTER TABLE instances RENAME TO instances_away')
    expect((await call('GET', '/open/app/static/order/list/v2', undefined, customer)).code).toBe(500)
    await product.edit('ALTER TABLE instances_away RENAME TO instances')
    await product.edit('ALTER TABLE chats_away RENAME TO chats')

    const everything = product.log.join('')
    expect(everything).toContain('internal_error')
    for (const secret of [
      ...tokens,
      ...passwords,
      SECRET,
      product.config.telegram.mode === 'telegram' ? product.config.telegram.token : '',
      AGENT.password,
      CUSTOMER.password,
      created.password,
      'almost-the-password',
      'proxy-secret-',
      '$argon2',
      'Bearer ',
      created.email,
      created.phone,
    ]) {
      expect(everything.includes(secret), secret).toBe(false)
    }
  })
})
