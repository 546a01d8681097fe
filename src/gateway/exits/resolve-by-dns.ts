import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long IPv6 addresses are waited for once there are IPv4 ones: some name servers never answer for them. */
const LATER_MS = 300
const resolver = new Resolver({ timeout: 2_000, tries: 3 })

/**
 * Asks the name servers of the system for all addresses of a name, those of IPv4 first. Unlike `lookup` it knows no `hosts` file and no
 * search list, and blocks no thread.
 *
 * @throws Error with the code of the name servers
 */
export async function resolveByDns(name: string): Promise<readonly string[]> {
  const first = resolver.resolve4(name)
  const enough = first.then(
    () => sleep(LATER_MS, [] as string[], { ref: false }),
    () => new Promise<never>(() => {}),
  )
  const [ipv4, ipv6] = await Promise.allSettled([first, Promise.race([resolver.resolve6(name), enough])])
  const addresses = [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}
