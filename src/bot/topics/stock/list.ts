import { z } from 'zod'
import {
  contentOf,
  type ListedProxy,
  type ProxyListContent,
  readProxyList,
} from '../../../core/catalog/proxy-list.ts'
import type { BadLine } from '../../../core/csv.ts'
import { ServiceError } from '../../../core/errors.ts'
import { randomText } from '../../../core/ids.ts'
import { type Use, USES } from '../../actions/stock.ts'
import { downloadText, fileOf } from '../../dialogue/download.ts'
import type { BotContext } from '../../session/context.ts'
import { draft } from '../../session/draft.ts'

/**
 * A list of proxies that was sent, and what was chosen for it. Its credentials are not kept readable: a file is read from
 * Telegram again, a pasted text is sealed.
 */
const Sent = z.object({
  id: z.string(),
  source: z.union([z.object({ file: z.string() }), z.object({ sealed: z.string() })]),
  use: z.enum(USES).optional(),
  productNo: z.string().optional(),
  place: z.object({ country_code: z.string(), state: z.string(), city_code: z.string() }).optional(),
  /** Monthly cost of one proxy, in units of the currency, where its line names none. */
  cost: z.number().optional(),
})
export type Sent = z.output<typeof Sent>

const sentDraft = draft('stock', Sent.nullable())

/** The list to which a button belongs; undefined when it was carried out, or another one was sent. */
export async function sentList(ctx: BotContext, id: string | undefined): Promise<Sent | undefined> {
  const sent = await sentDraft.read(ctx)
  return sent && sent.id === id ? sent : undefined
}

export function keepFile(ctx: BotContext, file: string): Promise<Sent> {
  return keep(ctx, { id: randomText(6), source: { file } })
}

export function keepText(ctx: BotContext, text: string): Promise<Sent> {
  const sealed = ctx.core.chats.sealedLists.seal(text, String(ctx.session.chatId))
  return keep(ctx, { id: randomText(6), source: { sealed } })
}

export async function keep(ctx: BotContext, sent: Sent): Promise<Sent> {
  await sentDraft.write(ctx, sent)
  return sent
}

/** Forgets a list that was carried out: its buttons do nothing any more. */
export function forget(ctx: BotContext): Promise<void> {
  return sentDraft.write(ctx, null)
}

export interface ReadList extends ProxyListContent {
  readonly text: string
  readonly list: readonly ListedProxy[]
}

/** Reads the list as it was sent. */
export async function readSent(
  ctx: BotContext,
  { source }: Sent,
): Promise<ReadList | { readonly problem: string }> {
  const text = await textOf(ctx, source)
  if ('problem' in text) return text
  try {
    const list = readProxyList(text.text)
    return list.length === 0 ? { problem: ctx.texts.stock.empty } : { ...text, list, ...contentOf(list) }
  } catch (error) {
    if (badLinesOf(error)) return { problem: ctx.texts.stock.notAList }
    throw error
  }
}

async function textOf(
  ctx: BotContext,
  source: Sent['source'],
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const { texts, core, session } = ctx
  if ('sealed' in source) {
    const text = core.chats.sealedLists.open(source.sealed, String(session.chatId))
    return typeof text === 'string' ? { text } : { problem: texts.stock.gone }
  }
  const file = await fileOf(ctx.api, { file_id: source.file })
  const read = 'problem' in file ? file : await downloadText(ctx, file.file)
  return 'problem' in read ? { problem: texts.input.files[read.problem] } : read
}

/** Returns the columns that were chosen in the chat because the list lacks them. */
export function filledBy({ productNo, place }: Sent): Record<string, string> {
  return { ...(productNo === undefined ? {} : { product_no: productNo }), ...place }
}

/** Returns the first choice that is still missing; undefined when there is none. */
export function missing({ use, productNo, place }: Sent, { products, places }: ProxyListContent) {
  if (use === undefined) return 'use'
  if (use !== 'import') return undefined
  if (productNo === undefined && !products) return 'product'
  return place === undefined && !places ? 'place' : undefined
}

/** Returns the only use that makes sense for a list, if there is just one. */
export function obviousUse({ credentials, products }: ProxyListContent): Use | undefined {
  return credentials && products ? 'import' : undefined
}

/** The bad lines that a refusal of the core names. */
export function badLinesOf(error: unknown): readonly BadLine[] | undefined {
  if (!(error instanceof ServiceError)) return undefined
  return error.data?.['errors'] as readonly BadLine[] | undefined
}
