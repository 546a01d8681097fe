import { writeCsv } from '../../../core/csv.ts'
import { formatProxy, type ProxyFormat } from '../../../core/orders/proxy-formats.ts'
import type { OrderedInstance } from '../../../core/orders/active-instances.ts'
import { MAX_COPY } from '../../kit/screen.ts'

type Proxy = Parameters<typeof formatProxy>[1]

/** Lines on one screen; more would push the buttons out of sight on a phone. */
const LINES_PER_PAGE = 8

/** Lines in pages, each short enough for the screen and for one copy button. */
export function proxyPages(proxies: readonly Proxy[], format: ProxyFormat): string[][] {
  const pages: string[][] = []
  for (const line of proxies.map((proxy) => formatProxy(format, proxy))) {
    const page = pages.at(-1)
    if (page && page.length < LINES_PER_PAGE && [...page, line].join('\n').length <= MAX_COPY) page.push(line)
    else pages.push([line])
  }
  return pages
}

/** All lines as the content of a text file. */
export function proxyFile(proxies: readonly Proxy[], format: ProxyFormat): Buffer {
  return Buffer.from(proxies.map((proxy) => `${formatProxy(format, proxy)}\n`).join(''))
}

/** The proxies as a table, under the names that the API gives to their facts (rules 5.11). */
export async function proxyTable(proxies: readonly OrderedInstance[]): Promise<Buffer> {
  const header = [
    'user',
    'order_no',
    'instance_no',
    'ip',
    'port',
    'username',
    'password',
    'country_code',
    'city_code',
    'cidr',
    'status',
    'auto_renew',
    'opened_at',
    'expire_time',
  ]
  const text = await writeCsv(header, proxies, (proxy) => [
    proxy.owner,
    proxy.orderNo,
    proxy.instanceNo,
    proxy.ip,
    proxy.port,
    proxy.username,
    proxy.password,
    proxy.countryCode,
    proxy.cityCode,
    proxy.cidr,
    proxy.status,
    String(proxy.autoRenew),
    proxy.openedAt,
    proxy.expireTime,
  ])
  return Buffer.from(text)
}
