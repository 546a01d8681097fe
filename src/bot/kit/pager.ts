import type { Texts } from '../texts/index.ts'
import { action } from './action.ts'
import type { Button } from './screen.ts'

/** The button between ‹ and ›, which shows the current page and does nothing. */
export const NOTHING = action('noop')

/** From this number of pages on, ‹ and › alone would take too many presses. */
const MANY_PAGES = 10

/**
 * `‹ 2 / 7 ›`, when there is more than one page; with many pages also `« 1`, steps of 10 (of 100 where there are hundreds), and
 * the last one.
 *
 * @param to callback data that leads to a page
 */
export function pager(texts: Texts, page: number, pages: number, to: (page: number) => string): Button[][] {
  if (pages <= 1) return []
  return [
    [
      { text: '‹', data: page > 1 ? to(page - 1) : NOTHING.data() },
      { text: texts.buttons.page(page, pages), data: NOTHING.data() },
      { text: '›', data: page < pages ? to(page + 1) : NOTHING.data() },
    ],
    ...(pages > MANY_PAGES ? [jumps(page, pages, to)] : []),
  ]
}

function jumps(page: number, pages: number, to: (page: number) => string): Button[] {
  const step = pages > 20 * MANY_PAGES ? 100 : 10
  const jump = (text: string, wanted: number): Button => {
    const target = Math.min(Math.max(wanted, 1), pages)
    return { text, data: target === page ? NOTHING.data() : to(target) }
  }
  return [
    jump('« 1', 1),
    jump(`−${step}`, page - step),
    jump(`+${step}`, page + step),
    jump(`${pages} »`, pages),
  ]
}

/** The items of a page; a page that does not exist any more is the last one. */
export function pageOf<Item>(
  items: readonly Item[],
  page: number,
  size: number,
): { items: Item[]; page: number; pages: number } {
  const pages = Math.max(Math.ceil(items.length / size), 1)
  const shown = Math.min(Math.max(page, 1), pages)
  return { items: items.slice((shown - 1) * size, shown * size), page: shown, pages }
}
