import { addressOf, formatProxy } from '../../../core/proxy-formats.ts'

type Proxy = Parameters<typeof formatProxy>[1]

/** What a text about an application is made with. */
export interface Parts {
  /** `192.0.2.1:8000` */
  readonly address: string
  readonly ip: string
  readonly port: string
  readonly username: string
  readonly password: string
  /** `http://user:password@192.0.2.1:8000`, without what a shell or a text in quotation marks would read otherwise. */
  readonly url: string
  /** `192.0.2.1:8000:user:password` */
  readonly line: string
}

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
