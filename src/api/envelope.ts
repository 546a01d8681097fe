import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../core/errors.ts'
import { nextTurn } from '../core/turns.ts'
import { ERROR_DATA } from './error-data.ts'
import { FALLBACK_LANGUAGE, type Language, ofEachLanguage } from '../core/languages.ts'
import { errorPageOf, ERROR_STATUS } from './errors.ts'
import { TEXTS } from './texts/index.ts'

/** Returns the schema of a success on the wire (rules 1.2); clients look for its text as `message` or as `msg`. */
export function successSchema(data: z.ZodType) {
  return z.strictObject({
    code: z.literal(0).meta({ description: '0: success' }),
    message: z.string().meta({ description: 'What was done, in the language of the answer' }),
    msg: z.string().meta({ description: 'Same as `message`' }),
    data,
  })
}

/** Schemas of failures on the wire (rules 1.3), one per code, with the shape of its `data`. */
const ERROR_SCHEMAS = new Map(ERROR_CODES.map((code) => [code, describeError(code)]))

/** Returns the schema of a failure with this code. */
export function errorSchema(code: ErrorCode): z.ZodType {
  return ERROR_SCHEMAS.get(code) ?? z.never()
}

function describeError(code: ErrorCode) {
  return z
    .strictObject({
      code: z.literal(ERROR_STATUS[code]).meta({ description: 'The HTTP status' }),
      error: z
        .literal(code)
        .meta({ description: 'Stable name of the error; does not change with the language' }),
      message: z.string().meta({ description: 'What is wrong, for people, in the language of the answer' }),
      msg: z.string().meta({ description: 'Same as `message`' }),
      data: ERROR_DATA[code]?.data ?? z.null().meta({ description: 'Always null' }),
      request_id: z.string().meta({ description: 'Same as the header X-Request-Id' }),
    })
    .meta({
      id: errorName(code),
      description: TEXTS[FALLBACK_LANGUAGE].errors[code],
      externalDocs: { url: errorPageOf(code) },
    })
}

/** Returns the name of an error among the components: `OutOfStockError` for `out_of_stock`. */
function errorName(code: ErrorCode): string {
  const words = code.replace(/_error$/, '').split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`
}

/** JSON text before the data of a success, in each language. */
type SuccessHead = Readonly<Record<Language, string>>

/** Returns the head of a success of an endpoint: it says what that endpoint has done, or just that it has succeeded. */
export function successHead({ name }: { readonly name: string }): SuccessHead {
  return ofEachLanguage((language) => {
    const { done, success } = TEXTS[language]
    const text = (done as Readonly<Record<string, string>>)[name] ?? success
    return JSON.stringify({ code: 0, message: text, msg: text }).slice(0, -1) + ',"data":'
  })
}

/** A page of a list, as an endpoint returns it; the envelope shows its items under both names (rules 1.8). */
export class List<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  /** Further fields of the list, such as sums over all pages. */
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

  toJSON() {
    const { items, total, page, pageSize, more } = this
    return { items, list: items, total, page, page_size: pageSize, pageSize, ...more }
  }
}

/** Returns the schema of the `data` that a {@link List} becomes. */
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

/** Characters of a list that are serialized before other work gets a turn. */
const TEXT_AT_ONCE = 256 * 1024

/** Returns the text of a success. */
export async function success(head: string, data: unknown): Promise<string> {
  return `${head}${data instanceof List ? await listText(data) : JSON.stringify(data)}}`
}

/** Returns a success as an object, for the API docs. */
export function successExample(head: string, data: unknown): unknown {
  return JSON.parse(`${head}${JSON.stringify(data)}}`)
}

/** Serializes the items once for both of their fields: they are most of the work. */
async function listText({ items, total, page, pageSize, more }: List<unknown>): Promise<string> {
  const text = await arrayText(items)
  const rest = more === undefined ? '' : `,${JSON.stringify(more).slice(1, -1)}`
  return `{"items":${text},"list":${text},"total":${total},"page":${page},"page_size":${pageSize},"pageSize":${pageSize}${rest}}`
}

async function arrayText(items: readonly unknown[]): Promise<string> {
  const texts: string[] = []
  let written = 0
  for (const item of items) {
    if (written > TEXT_AT_ONCE) {
      await nextTurn()
      written = 0
    }
    const text = JSON.stringify(item)
    texts.push(text)
    written += text.length
  }
  return `[${texts.join(',')}]`
}
