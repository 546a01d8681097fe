import { formatProxy, type ProxyFormat } from '../../../core/proxy-formats.ts'
import { MAX_COPY } from '../../kit/screen.ts'

type Proxy = Parameters<typeof formatProxy>[1]

/** Lines on one screen; more would push the buttons out of sight on a phone. */
const LINES_PER_PAGE = 8

/** Splits lines into pages, each short enough for the screen and for one copy button. */
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
