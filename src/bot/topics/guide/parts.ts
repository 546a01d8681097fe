import { addressOf, formatProxy } from '../../../core/proxy-formats.ts'
import type { Parts } from '../../texts/en/guide.ts'

type Proxy = Parameters<typeof formatProxy>[1]

export function partsOf(proxy: Proxy): Parts {
  const { ip, port, username, password } = proxy
  return {
    address: addressOf(proxy),
    ip,
    port: String(port),
    username,
    password,
    url: formatProxy('http', proxy).replaceAll("'", '%27'),
    line: formatProxy('colon', proxy),
  }
}
