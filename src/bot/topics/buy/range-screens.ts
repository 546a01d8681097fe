import { ORDER_LIMITS } from '../../../core/orders/static-order-input.ts'
import { PURCHASE_STEPS } from '../../actions/buy.ts'
import { backButton, choiceButton, homeButton } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { lines } from '../../texts/html.ts'
import { blocksOf, type Purchase } from './purchase.ts'
import { heading } from './heading.ts'
import { taking } from './picker-screens.ts'
import type { Progress } from './steps.ts'

/** An IP range with the number of proxies that are free in it. */
export interface FreeRange {
  readonly range: string
  readonly free: number
}

const RANGES_PER_PAGE = 8
const NUMBERS = [1, 2, 5, 10, 20, 50, 100]

/** All ranges with free proxies, with what is chosen of each. */
export function rangesScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  ranges: readonly FreeRange[],
  wanted: number,
): Screen {
  const { texts } = view
  const { items, page, pages } = pageOf(ranges, wanted, RANGES_PER_PAGE)
  const buttons = items.map(({ range, free }) => {
    const count = chosenOf(purchase, range)
    const text = count > 0 ? texts.buy.ranges.picked(range, count, free) : texts.buy.ranges.range(range, free)
    return choiceButton(text, count > 0, PURCHASE_STEPS.data(purchase, 'range', { range }))
  })
  const total = chosenInAll(purchase)
  return {
    takes: taking({ id: purchase.id }),
    text: lines(
      ...heading(view, purchase, progress),
      '',
      ranges.length === 0 ? texts.buy.ranges.noneFree : texts.buy.ranges.question(total, ORDER_LIMITS.ips),
    ),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, pages, (to) => PURCHASE_STEPS.data(purchase, 'ranges', { page: to })),
      total > 0
        ? [
            {
              text: texts.buy.ranges.goOn(total),
              data: PURCHASE_STEPS.data(purchase, 'confirm'),
              style: 'primary',
            },
          ]
        : [],
      [backButton(texts, PURCHASE_STEPS.data(purchase, 'confirm')), homeButton(texts)],
    ],
  }
}

/** The page on which a range is listed; the first when it is not. */
export function pageWith(ranges: readonly FreeRange[], range: string): number {
  const position = ranges.findIndex((each) => each.range === range)
  return Math.floor(Math.max(position, 0) / RANGES_PER_PAGE) + 1
}

/**
 * Asks how many proxies of one range to take.
 *
 * @param page the page of the ranges to which Back leads
 */
export function rangeScreen(
  view: View,
  purchase: Purchase,
  progress: Progress,
  { range, free }: FreeRange,
  page: number,
): Screen {
  const { texts } = view
  const max = maxOf(purchase, { range, free })
  const take = (count: number, text: string): Button => ({
    text,
    data: PURCHASE_STEPS.data(purchase, 'take', { count, range }),
  })
  const quick = NUMBERS.filter((count) => count < max).map((count) => take(count, String(count)))
  return {
    takes: taking({ id: purchase.id, asks: 'range', range }),
    text: lines(...heading(view, purchase, progress), '', texts.buy.ranges.howMany(range, free)),
    buttons: [
      ...grid([...quick, ...(max > 0 ? [take(max, texts.buy.ranges.all(max))] : [])], 4),
      chosenOf(purchase, range) > 0 ? [take(0, texts.buy.ranges.none)] : [],
      [backButton(texts, PURCHASE_STEPS.data(purchase, 'ranges', { page })), homeButton(texts)],
    ],
  }
}

/** How many of a range can be chosen: what is free, within the limit of one order. */
export function maxOf(purchase: Purchase, { range, free }: FreeRange): number {
  const others = chosenInAll(purchase) - chosenOf(purchase, range)
  return Math.min(free, ORDER_LIMITS.ips - others)
}

function chosenOf(purchase: Purchase, range: string): number {
  return blocksOf(purchase).find(({ cidr }) => cidr === range)?.count ?? 0
}

function chosenInAll(purchase: Purchase): number {
  return blocksOf(purchase).reduce((sum, { count }) => sum + count, 0)
}
