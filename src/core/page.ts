import { z } from 'zod'

/** A part of a list. */
export interface Page<Item> {
  readonly items: Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
}

/** Largest page number accepted. */
export const MAX_PAGE = 1_000_000

/** Schemas of the part of a list that is asked for (rules 1.8). */
export const paging = {
  page: z.int().min(1).max(MAX_PAGE).default(1),
  pageSize: z.int().min(1).max(100).default(20),
}
