/**
 * The supplier of the benchmark of supply (`supply.ts`): as much of the platform IPIPV as a shop needs to buy single proxies, in a process
 * of its own and at next to no cost. What is ordered is done when it is looked at.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encrypted, opened } from '../src/emulators/supplier/envelope.ts'
import type { Account } from '../src/emulators/supplier/types.ts'

const [, , key = '', secret = ''] = process.argv
const account: Account = {
  key,
  secret,
  coin: '900000000.00',
  credit: '0.00',
  enabled: true,
  callbackUrl: undefined,
}
const accounts = new Map([[key, account]])
const NUMBER_PREFIX = 'P'
const MONTH_S = 31 * 86_400
/** Places of orders, by our number: each has an address of its own. */
const orders = new Map<string, number>()

const PRODUCT = {
  productNo: 'bench',
  productName: 'Benchmark',
  proxyType: 103,
  useType: '1',
  countryCode: 'USA',
  stateCode: '',
  cityCode: 'USNYC',
  costPrice: '2.00',
  inventory: 5_000_000,
  unit: 3,
  duration: 1,
  enable: 1,
  cidrStatus: -1,
}

interface Asked {
  readonly orderNo?: string
  readonly appOrderNo?: string
}

const ANSWERS: Readonly<Record<string, (asked: Asked) => unknown>> = {
  info: () => ({ coin: account.coin, credit: account.credit, status: 1 }),
  'product/query': () => [PRODUCT],
  'city/list': () => [],
  'project/list': () => [],
  'order/list': () => ({ total: 0, list: [] }),
  'instance/list': () => ({ total: 0, list: [] }),
  'instance/open': ({ appOrderNo = '' }) => {
    if (!orders.has(appOrderNo)) orders.set(appOrderNo, orders.size)
    return { orderNo: `${NUMBER_PREFIX}${appOrderNo}`, appOrderNo, amount: PRODUCT.costPrice }
  },
  order: ({ orderNo = '', appOrderNo = orderNo.slice(NUMBER_PREFIX.length) }) => {
    const place = orders.get(appOrderNo)
    if (place === undefined) return undefined
    const number = `${NUMBER_PREFIX}${appOrderNo}`
    const instance = {
      instanceNo: `c_${appOrderNo}`,
      orderNo: number,
      ip: `11.${place >> 16}.${(place >> 8) & 255}.${place & 255}`,
      port: 8000,
      username: `u${place}`,
      pwd: 'secret',
      userExpired: Math.floor(Date.now() / 1000) + MONTH_S,
      status: 3,
    }
    const done = { type: 1, status: 3, amount: PRODUCT.costPrice, total: 1, instances: [instance] }
    return { orderNo: number, appOrderNo, ...done }
  },
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    const method = /^\/api\/open\/app\/(.+)\/v2$/.exec(request.url ?? '')?.[1] ?? ''
    const { reqId, parameters } = opened(JSON.parse(body), accounts)
    const data = encrypted(ANSWERS[method]?.(parameters as Asked), secret)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ reqId, code: 200, msg: 'success', data }))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
