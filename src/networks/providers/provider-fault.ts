import { type ChainFault, ChainUnavailable } from '../../core/top-ups/payment-network.ts'

/** A request to a provider failed, so that it should not be used for a while. */
export class ProviderFault extends ChainUnavailable {
  /** Length of the suspension in milliseconds, when the provider gave one. */
  readonly suspendedMs: number | undefined

  constructor(fault: ChainFault, message: string, suspendedMs?: number) {
    super(fault, message)
    this.suspendedMs = suspendedMs
  }
}

/** Removes secrets from a text. */
export type Hide = (text: string) => string

/** Quotes the provider's message in one line, for the log. */
export function quoted(text: string, hide: Hide): string {
  const line = hide(text).replaceAll(/\s+/g, ' ').trim().slice(0, 200)
  return line && `: ${JSON.stringify(line)}`
}

/** Hides the API key and secrets in the address: a user, a password, a token in the path. */
export function hiderOf(url: string, apiKey: string | undefined): Hide {
  const { username, password, pathname } = new URL(url)
  const secrets = [apiKey ?? '', username, password, ...pathname.split('/')].filter((text) => text.length > 3)
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
}
