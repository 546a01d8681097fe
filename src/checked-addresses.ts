import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { hostOf, mayDeliverTo } from './core/webhooks/webhook-url.ts'

export type Resolve = (host: string) => Promise<readonly dns.LookupAddress[]>

interface Checked {
  /** The `lookup` option of sockets; fails when an address is not allowed. */
  readonly lookup: LookupFunction
  /** Checks an address in the URL itself, which is not looked up. */
  readonly checkUrl: (url: URL) => void
}

class AddressNotAllowed extends Error {
  readonly code = 'ADDRESS_NOT_ALLOWED'
}

/**
 * Restricts connections to addresses that people have entered (rules 19.4). A name is resolved once for each connection: all its
 * addresses must be allowed, and it is to these that the connection goes, so that no second answer of a name server leads elsewhere.
 * What is not allowed fails with the code ADDRESS_NOT_ALLOWED.
 *
 * @param loopback loopback addresses are allowed, too: for tests and the sandbox
 * @param resolve replaces the resolver of this machine, for tests
 */
export function checkedAddresses(
  loopback: boolean,
  resolve: Resolve = (host) => dns.promises.lookup(host, { all: true }),
): Checked {
  const check = (address: string) => {
    if (!mayDeliverTo(address, loopback)) throw new AddressNotAllowed()
  }
  const addressesOf = async (host: string) => {
    const addresses = await resolve(host)
    for (const { address } of addresses) check(address)
    if (addresses.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' })
    return [...addresses]
  }
  return {
    checkUrl: (url) => {
      if (isIP(hostOf(url)) !== 0) check(hostOf(url))
    },
    lookup: (host, { all }, callback) => {
      addressesOf(host).then(
        (addresses) => {
          const [{ address, family } = { address: '', family: 0 }] = addresses
          return all ? callback(null, addresses) : callback(null, address, family)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    },
  }
}
