import type { Instance } from '../core/orders/list-static-orders.ts'
import { MAX_COPY } from './screen.ts'

type Proxy = Pick<Instance, 'ip' | 'port' | 'username' | 'password'>

/** Lines on one screen; more would push the buttons out of sight on a phone. */
const LINES_PER_PAGE = 8

/** `ip:port:username:password`, the form that tools take (contract 5); an IPv6 address in brackets. */
export function proxyLine({ ip, port, username, password }: Proxy): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}:${username}:${password}`
}

/** Lines in pages, each short enough for the screen and for one copy button. */
export function proxyPages(proxies: readonly Proxy[]): string[][] {
  const pages: string[][] = []
  for (const line of proxies.map(proxyLine)) {
    const page = pages.at(-1)
    if (page && page.length < LINES_PER_PAGE && [...page, line].join('\n').length <= MAX_COPY) page.push(line)
    else pages.push([line])
  }
  return pages
}

/** All lines as the content of a text file. */
export function proxyFile(proxies: readonly Proxy[]): Buffer {
  return Buffer.from(proxies.map((proxy) => `${proxyLine(proxy)}\n`).join(''))
}
