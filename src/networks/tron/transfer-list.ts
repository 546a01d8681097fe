import type { TronWeb } from 'tronweb'
import { z } from 'zod'
import {
  ChainUnavailable,
  type Cursor,
  type ListedTransfer,
  type ListQuery,
  type TransferList,
} from '../../core/top-ups/payment-network.ts'
import { isAddress } from './address.ts'
import { BlockTime } from './block.ts'

/** Largest page of TronGrid; for a larger limit it answers 400 without a body. */
const ROWS_PER_PAGE = 200
/** Enough for more transfers than a wallet gets in a day; the next scan continues where this one ends. */
const MAX_PAGES = 50
/** How far a list overlaps the one before: the index may list a block that late. */
const OVERLAP_MS = 12 * 60_000

const Page = z.object({
  data: z.array(z.unknown()),
  meta: z
    .object({
      at: BlockTime.optional().catch(undefined),
      // `links.next` is not read: it could point to another host, to which the API key would be sent.
      fingerprint: z.string().optional(),
    })
    .optional(),
})
type Page = z.output<typeof Page>

const TimedRow = z.object({ block_timestamp: BlockTime })

const TransferRow = TimedRow.extend({
  transaction_id: z
    .string()
    .regex(/^(0x)?[0-9a-f]{64}$/i)
    .transform((text) => text.slice(-64).toLowerCase()),
  // Anybody can give a contract the symbol and decimals of USDT: only its address counts.
  token_info: z.object({ address: z.string() }),
  from: z.string().refine(isAddress),
  to: z.string().refine(isAddress),
  // The other type is `Approval`.
  type: z.literal('Transfer'),
  value: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt),
})

/** The start of the next page: at the mark (cursor) of the page before, or at a time. */
interface PageStart {
  readonly min_timestamp: number
  readonly fingerprint?: string
}

/** Returns the place of a block time, which is the time itself: a list begins with the blocks of that time. */
export function cursorAt(time: Date): Cursor {
  return time.toISOString()
}

/**
 * Reads the list from one provider to its end. Filters and sorts the rows again, as the index may fail to do so; invalid rows are
 * skipped.
 *
 * @param now when the list is begun
 * @throws ChainUnavailable when rows could be missing
 */
export async function listTransfers(tron: TronWeb, query: ListQuery, now: Date): Promise<TransferList> {
  const path = `v1/accounts/${query.wallet}/transactions/trc20`
  const pages = new Pages(query, now)
  while (pages.next) pages.take(await tron.fullNode.request<object>(path, pages.next, 'get'))
  return pages.list()
}

/** Collects the pages of one list. */
class Pages {
  readonly #query: ListQuery
  readonly #since: Date
  readonly #now: Date
  readonly #marks = new Set<string>()
  #transfers: ListedTransfer[] = []
  #count = 0
  #start: PageStart | undefined
  #ascending = true
  #readUntil: Date | null = null
  #networkTime: Date | null = null

  constructor(query: ListQuery, now: Date) {
    this.#query = query
    this.#since = new Date(query.after)
    this.#now = now
    this.#start = { min_timestamp: this.#since.getTime() }
  }

  /** Parameters of the next page; undefined at the end, or at the limit of pages. */
  get next(): object | undefined {
    if (!this.#start || this.#count === MAX_PAGES) return undefined
    return {
      [this.#query.direction === 'out' ? 'only_from' : 'only_to']: true,
      contract_address: this.#query.contract,
      order_by: 'block_timestamp,asc',
      limit: ROWS_PER_PAGE,
      ...(this.#query.finalOnly ? { only_confirmed: true } : {}),
      ...this.#start,
    }
  }

  take(answer: object): void {
    const parsed = Page.safeParse(answer)
    if (!parsed.success) throw badList('it is no list')
    this.#count += 1
    this.#networkTime ??= parsed.data.meta?.at ?? null
    for (const row of parsed.data.data) this.#takeRow(row)
    this.#start = this.#startAfter(parsed.data)
  }

  list(): TransferList {
    const complete = this.#start === undefined
    const upTo = this.#readUntil
    if (!complete && (!this.#ascending || upTo === null || upTo < this.#since)) {
      throw badList(`after ${MAX_PAGES} pages in no order it is not at its end`)
    }
    const now = this.#now.getTime()
    const read = complete ? now - OVERLAP_MS : Math.min(upTo?.getTime() ?? 0, now)
    const readUntil = new Date(Math.max(read, this.#since.getTime()))
    return {
      transfers: this.#transfers.toSorted((a, b) => a.blockTime.getTime() - b.blockTime.getTime()),
      complete,
      next: cursorAt(readUntil),
      readUntil,
      networkTime: this.#networkTime,
    }
  }

  #takeRow(row: unknown): void {
    const blockTime = TimedRow.safeParse(row).data?.block_timestamp
    if (!blockTime) return
    if (this.#readUntil && blockTime < this.#readUntil) this.#ascending = false
    else this.#readUntil = blockTime
    const transfer = TransferRow.safeParse(row).data
    if (!transfer || blockTime < this.#since) return
    const { wallet, direction, contract } = this.#query
    const { transaction_id: txid, token_info, from, to, value: raw } = transfer
    if (token_info.address !== contract || (direction === 'out' ? from : to) !== wallet) return
    this.#transfers.push({ txid, contract, from, to, raw, blockTime })
  }

  #startAfter({ data, meta }: Page): PageStart | undefined {
    const min_timestamp = this.#start?.min_timestamp ?? 0
    const mark = meta?.fingerprint
    if (mark) {
      if (this.#marks.has(mark)) throw badList('it goes in circles')
      this.#marks.add(mark)
      return { min_timestamp, fingerprint: mark }
    }
    if (data.length < ROWS_PER_PAGE) return undefined
    return this.#startWithoutMark(min_timestamp)
  }

  /**
   * A full page is hardly ever the last one, and TronGrid sometimes omits the mark (TRON-US/trongrid#23). The list then continues at
   * the time of its last block, which is read again as a whole. When that makes no progress (200 rows of one block), it fails.
   */
  #startWithoutMark(min_timestamp: number): PageStart {
    const last = this.#readUntil
    if (!this.#ascending || !last || last.getTime() <= min_timestamp) {
      throw badList('a full page has no mark of the next one')
    }
    this.#transfers = this.#transfers.filter(({ blockTime }) => blockTime < last)
    return { min_timestamp: last.getTime() }
  }
}

function badList(problem: string): ChainUnavailable {
  return new ChainUnavailable('bad_answer', `the list of transfers: ${problem}`)
}
