import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { freeAddresses, listFreeAddresses } from './free-addresses.ts'
import { listIpRanges } from './ip-ranges.ts'
import { queryProducts } from './query-products.ts'

/** What is sold. */
export function catalogPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    query: bind(queryProducts),
    ipRanges: bind(listIpRanges),
    freeAddresses: bind(freeAddresses),
    listFreeAddresses: bind(listFreeAddresses),
  }
}
