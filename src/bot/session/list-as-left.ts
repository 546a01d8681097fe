import { z } from 'zod'
import type { Page } from '../../core/page.ts'
import { existingPage } from '../kit/existing-page.ts'
import type { BotContext } from './context.ts'
import { draft } from './draft.ts'

/**
 * A list that reopens at the page where it was left, unless the button names a page; Back buttons name none.
 *
 * @param name under which the chat's draft keeps the page; unique
 */
export function listAsLeft(name: string) {
  const lastPage = draft(name, z.int())
  return async <List extends Pick<Page<unknown>, 'items' | 'page'>>(
    ctx: BotContext,
    page: number | undefined,
    list: (page: number) => Promise<List>,
  ): Promise<List> => {
    const found = await existingPage(page ?? (await lastPage.read(ctx)) ?? 1, list)
    await lastPage.write(ctx, found.page)
    return found
  }
}
