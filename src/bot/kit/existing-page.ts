import type { Page } from '../../core/page.ts'

/**
 * A page of a list; the first one when it is empty, because what stood on it when the button was made has gone.
 *
 * @param list reads a page
 */
export async function existingPage<List extends Pick<Page<unknown>, 'items'>>(
  page: number,
  list: (page: number) => Promise<List>,
): Promise<List> {
  const found = await list(page)
  return found.items.length === 0 && page > 1 ? list(1) : found
}
