import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The addresses of this machine's interfaces, in canonical spelling. */
export function ownAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => ipaddr.process(address).toString())
}
