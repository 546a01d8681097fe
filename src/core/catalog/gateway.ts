import { isIP } from 'node:net'
import { z } from 'zod'

/** Host and port of the gateway of a dynamic product. */
export interface Gateway {
  readonly host: string
  readonly port: number
}

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN_NAME = new RegExp(`^${LABEL}(\\.${LABEL})*$`, 'i')

/** `host:port`, the host being a domain name, an IPv4 address or an IPv6 address in brackets. */
export const GatewayAddress = z.string().transform((text, context): Gateway => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  const known =
    bracketed === undefined
      ? plain !== undefined && plain.length <= 253 && (isIP(plain) === 4 || DOMAIN_NAME.test(plain))
      : isIP(bracketed) === 6
  if (!known || port < 1 || port > 65_535) {
    context.addIssue({ code: 'custom', message: 'not_a_gateway_address' })
    return z.NEVER
  }
  return { host: bracketed === undefined ? (plain ?? '') : `[${bracketed}]`, port }
})
