import type { FastifyInstance } from 'fastify'
import findMyWay from 'find-my-way'

/**
 * Remembers which methods each address takes, for the answer to any other (RFC 9110, 15.5.6).
 *
 * @param server the server, before any route is added
 * @returns the methods of an address with its query; empty when nothing is there
 */
export function knownMethods(server: FastifyInstance): (url: string) => ReadonlySet<string> {
  const methodsOf = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ url, method }) => {
    let index = 0
    // Addresses that differ in the names of their parameters only are the same.
    const pattern = url.replace(/:\w+/g, () => `:p${(index += 1)}`)
    const methods = methodsOf.get(pattern) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    methodsOf.set(pattern, methods)
  })
  // The second router is made at the first unknown address, since few are unknown.
  let addresses: ReturnType<typeof findMyWay> | undefined
  const addressesNow = () => {
    const made = findMyWay()
    for (const [pattern, methods] of methodsOf) made.on('GET', pattern, () => {}, methods)
    return made
  }
  return (url) => {
    addresses ??= addressesNow()
    return (addresses.find('GET', url)?.store as Set<string> | null | undefined) ?? new Set()
  }
}
