/** Addresses for documentation (RFC 5737), and for benchmarks (RFC 2544) when those are used up: nobody has them. */
const DOCUMENTATION = ['192.0.2', '198.51.100', '203.0.113']
const HOSTS = 254

/** Returns the address with this index, from 0; each is sold once. */
export function addressOf(index: number): string {
  const network = Math.floor(index / HOSTS)
  const host = (index % HOSTS) + 1
  const documentation = DOCUMENTATION[network]
  if (documentation !== undefined) return `${documentation}.${host}`
  const further = network - DOCUMENTATION.length
  if (further >= 512) throw new Error('the emulator has no more addresses')
  return `198.${18 + Math.floor(further / 256)}.${further % 256}.${host}`
}

/** Returns the address with this index in a range, from 0. */
export function addressIn(cidr: string, index: number): string {
  const [base = '', prefix = '32'] = cidr.split('/')
  const first = base.split('.').reduce((value, part) => value * 256 + Number(part), 0)
  if (index >= 2 ** (32 - Number(prefix)) - 1)
    throw new Error(`the emulator has no more addresses in ${cidr}`)
  const value = first + 1 + index
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}
