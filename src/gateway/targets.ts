import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isLocalName, PublicAddresses } from '../core/public-addresses.ts'
import { Refused, type Target } from './exit.ts'

/** The place where a known host is reached; without a port: the one that the client names. */
export interface Lead {
  readonly address: string
  readonly port?: number
}

export interface TargetOptions {
  /** Hosts, as {@link parseTarget} spells them, that are reached at their lead without a check: for tests and the sandbox. */
  readonly known?: ReadonlyMap<string, Lead>
  /** Addresses under which this machine is reached, besides those of its interfaces. */
  readonly own?: readonly string[]
}

/** Mail is not sent through exits: they would be listed as senders of spam. */
const CLOSED_PORTS = new Set([25, 465, 587])
/** A name in its canonical spelling, as nearly all are: no address in any spelling, no other alphabet (`xn--`). */
const PLAIN_NAME = /^(?:(?!xn--)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?!xn--)[a-z]+$/
/** Characters that cannot be part of the host in a URL. */
const NO_HOST = /[/?#@\\[\]\s]/
const MOST_CHARACTERS = 253
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Returns a target in the one spelling in which it is checked and counted: addresses canonical whatever their spelling (octal,
 * hexadecimal, short, decimal, IPv4 within IPv6), names in lower-case ASCII without the trailing dot (rules 12.14).
 *
 * @param sent the host as it was sent, a character for each byte; an IPv6 address without brackets
 * @throws Refused bad_target
 */
export function parseTarget(sent: string, port: number): Target {
  const bad = () => new Refused('bad_target', 'host and port are expected')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw bad()
  if (sent.length <= MOST_CHARACTERS && PLAIN_NAME.test(sent)) return { host: sent, port }
  const host = textOf(sent)
  if (NO_HOST.test(host)) throw bad()
  const url = URL.parse(isIP(host) === 6 ? `http://[${host}]` : `http://${host}`)
  if (!url || url.port !== '' || url.hostname === '') throw bad()
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  if (name.length > MOST_CHARACTERS || name.split('.').includes('')) throw bad()
  return { host: isIP(name) === 0 ? name : ipaddr.process(name).toString(), port }
}

/**
 * Decodes bytes that came as a character each: names of other alphabets are in UTF-8 (RFC 3986, 3.2.2).
 *
 * @throws Refused bad_target when they are not
 */
function textOf(sent: string): string {
  try {
    return UTF8.decode(Buffer.from(sent, 'latin1'))
  } catch {
    throw new Refused('bad_target', 'the host is not in UTF-8')
  }
}

/** Which targets are refused (rules 12.7). */
export class Targets {
  readonly #known: ReadonlyMap<string, Lead>
  readonly #public: PublicAddresses

  constructor({ known = new Map(), own = [] }: TargetOptions = {}) {
    this.#known = known
    this.#public = new PublicAddresses(own)
  }

  /**
   * Refuses what can be refused without resolving the name.
   *
   * @throws Refused port_refused, target_refused
   */
  refuse({ host, port }: Target): void {
    if (CLOSED_PORTS.has(port)) throw new Refused('port_refused', `port ${port} is closed to all`)
    if (this.#known.has(host)) return
    const refused = isIP(host) === 0 ? isLocalName(host) : !this.mayReach(host)
    if (refused) throw new Refused('target_refused')
  }

  /** Whether an address is one of the public internet, and not of this machine. */
  mayReach(address: string): boolean {
    return this.#public.has(address)
  }

  /** Returns the lead of a known host, which needs no resolving and no check. */
  lead(host: string): Lead | undefined {
    return this.#known.get(host)
  }
}
