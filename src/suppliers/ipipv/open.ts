import type { OpenRequest } from '../../core/supply/driver.ts'

/** Most proxies of one item, and most items of one order. */
const MAX_OF_ITEM = 20
const MAX_ITEMS = 100
/** Most proxies of one order. */
export const MAX_COUNT = MAX_OF_ITEM * MAX_ITEMS

interface Range {
  readonly cidr: string
  readonly count: number
}

interface Item {
  readonly count: number
  readonly cidrBlocks: readonly Range[]
}

/** Returns the parameters of `instance/open`: one order of one product, in items of at most 20 proxies. */
export function openParameters(request: OpenRequest): object {
  return {
    appOrderNo: request.callNo,
    params: itemsOf(request.count, request.cidrBlocks).map(({ count, cidrBlocks }) => ({
      productNo: request.offerNo,
      count,
      cycleTimes: request.periods,
      ...(request.projectId !== null && { projectId: request.projectId }),
      ...(cidrBlocks.length > 0 && { cidrBlocks }),
    })),
  }
}

/** Splits an order into items, each with its share of the ranges. */
function itemsOf(count: number, ranges: readonly Range[]): readonly Item[] {
  const items: Item[] = []
  const left = ranges.map((range) => ({ ...range }))
  for (let open = count; open > 0; open -= MAX_OF_ITEM) {
    const ofItem = Math.min(open, MAX_OF_ITEM)
    items.push({ count: ofItem, cidrBlocks: takeFrom(left, ofItem) })
  }
  return items
}

/** Takes proxies from the first ranges that have some left. */
function takeFrom(left: { cidr: string; count: number }[], wanted: number): readonly Range[] {
  const taken: Range[] = []
  let missing = wanted
  for (const range of left) {
    const count = Math.min(range.count, missing)
    if (count === 0) continue
    taken.push({ cidr: range.cidr, count })
    range.count -= count
    missing -= count
  }
  return taken
}
