/** In which form a chat wants its proxies written. */
export const PROXY_FORMATS = ['colon', 'at', 'http', 'socks5', 'csv'] as const
export type ProxyFormat = (typeof PROXY_FORMATS)[number]

interface Proxy {
  readonly ip: string
  readonly port: number
  readonly username: string
  readonly password: string
}

/** One line for one proxy; an IPv6 address stands in brackets where a colon follows it. */
export function formatProxy(format: ProxyFormat, { ip, port, username, password }: Proxy): string {
  const address = `${ip.includes(':') ? `[${ip}]` : ip}:${port}`
  switch (format) {
    case 'colon':
      return `${address}:${username}:${password}`
    case 'at':
      return `${username}:${password}@${address}`
    case 'http':
    case 'socks5':
      return `${format}://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${address}`
    case 'csv':
      return [ip, port, username, password].map(csvField).join(',')
  }
}

function csvField(value: string | number): string {
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
