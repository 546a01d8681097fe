import { binding } from '../binding.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { freeAddresses, listFreeAddresses } from './free-addresses.ts'
import { listIpRanges } from './ip-ranges.ts'
import { mostOrdered } from './most-ordered.ts'
import { onTheShelf, queryProducts } from './query-products.ts'

/** What is sold. */
export function catalogPart(deps: Essentials) {
  const bind = binding(deps)
  return {
    query: bind(queryProducts),
    onTheShelf: bind(onTheShelf),
    mostOrdered: bind(mostOrdered),
    ipRanges: bind(listIpRanges),
    freeAddresses: bind(freeAddresses),
    listFreeAddresses: bind(listFreeAddresses),
  }
}
