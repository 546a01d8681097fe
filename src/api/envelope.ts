import { z } from 'zod'
import { ERROR_CODES } from '../core/errors.ts'
import type { Texts, Language } from './language.ts'

/** Text of a success that has none of its own. */
export const SUCCESS: Texts = { en: 'Success', zh: '操作成功' }

/** A success on the wire (contract 1); the spec names its text `message` for some endpoints and `msg` for others. */
export function successSchema(data: z.ZodType) {
  return z.strictObject({ code: z.literal(0), message: z.string(), msg: z.string(), data })
}

/** A failure on the wire (contract 1). */
export const ErrorSchema = z
  .strictObject({
    code: z.int().min(400).max(599).meta({ description: 'The HTTP status' }),
    error: z
      .enum(ERROR_CODES)
      .meta({ description: 'Stable name of the error; does not change with the language' }),
    message: z.string(),
    msg: z.string().meta({ description: 'Same as `message`' }),
    data: z.record(z.string(), z.unknown()).nullable().meta({ description: 'Facts about the error' }),
    request_id: z.string().meta({ description: 'Same as the header X-Request-Id' }),
  })
  .meta({ id: 'Error', description: 'Every answer other than 2xx' })

/** What comes before the data of a success, ready to send in each language. */
export type SuccessHead = Readonly<Record<Language, string>>

export function successHead(texts: Texts): SuccessHead {
  const head = (text: string) =>
    JSON.stringify({ code: 0, message: text, msg: text }).slice(0, -1) + ',"data":'
  return { en: head(texts.en), zh: head(texts.zh) }
}

/** A page of a list, as an endpoint returns it; the envelope shows its items under both names (contract 1). */
export class List<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  /** What the list says besides, such as sums over all pages. */
  readonly more: object | undefined

  constructor(
    items: readonly Item[],
    page?: { readonly total: number; readonly page: number; readonly pageSize: number },
    more?: object,
  ) {
    this.items = items
    this.more = more
    this.total = page?.total ?? items.length
    this.page = page?.page ?? 1
    this.pageSize = page?.pageSize ?? items.length
  }
}

/** Schema of the `data` that a {@link List} becomes. */
export function listSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    list: z.array(item).meta({ description: 'Same as `items`' }),
    total: z.int().min(0).meta({ description: 'Number of items on all pages' }),
    page: z.int().min(1),
    page_size: z.int().min(0),
    pageSize: z.int().min(0).meta({ description: 'Same as `page_size`' }),
  })
}

/** The text of a success. */
export function success(head: string, data: unknown): string {
  return `${head}${data instanceof List ? listText(data) : JSON.stringify(data)}}`
}

/** The items are most of the work, so they are turned into text once. */
function listText({ items, total, page, pageSize, more }: List<unknown>): string {
  const text = JSON.stringify(items)
  const rest = more === undefined ? '' : `,${JSON.stringify(more).slice(1, -1)}`
  return `{"items":${text},"list":${text},"total":${total},"page":${page},"page_size":${pageSize},"pageSize":${pageSize}${rest}}`
}
