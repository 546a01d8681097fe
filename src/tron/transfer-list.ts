import type { TronWeb } from 'tronweb'
import { z } from 'zod'
import {
  ChainUnavailable,
  type ListedTransfer,
  type ListQuery,
  type TransferList,
} from '../core/top-ups/chain-reader.ts'
import { isAddress } from './address.ts'
import { BlockTime } from './block.ts'

/** The most that TronGrid gives at once; for more it answers 400 without a body. */
const ROWS_PER_PAGE = 200
/** More than a wallet gets in a day; the next scan goes on where this one ends. */
const MAX_PAGES = 50

const Page = z.object({
  data: z.array(z.unknown()),
  meta: z
    .object({
      at: BlockTime.optional().catch(undefined),
      // `links.next` is not read: it leads where its writer likes, and the API key would go with it.
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
  // Symbol and decimals are whatever the contract's author likes: only its address counts.
  token_info: z.object({ address: z.string() }),
  from: z.string().refine(isAddress),
  to: z.string().refine(isAddress),
  // The other one is `Approval`.
  type: z.literal('Transfer'),
  value: z
    .string()
    .regex(/^\d{1,78}$/)
    .transform(BigInt),
})

/** Where the next page begins: at a mark of the page before, or at a time. */
interface PageStart {
  readonly min_timestamp: number
  readonly fingerprint?: string
}

/**
 * Reads the list from one provider to its end, and does itself what the index may fail to do: it leaves out what was not asked for
 * and sorts the rest. What is no proper row is skipped.
 *
 * @throws ChainUnavailable when rows could be missing
 */
export async function listTransfers(tron: TronWeb, query: ListQuery): Promise<TransferList> {
  const path = `v1/accounts/${query.wallet}/transactions/trc20`
  const pages = new Pages(query)
  while (pages.next) pages.take(await tron.fullNode.request<object>(path, pages.next, 'get'))
  return pages.list()
}

/** The pages of one list, as they come. */
class Pages {
  readonly #query: ListQuery
  readonly #marks = new Set<string>()
  #transfers: ListedTransfer[] = []
  #count = 0
  #start: PageStart | undefined
  #ascending = true
  #readUntil: Date | null = null
  #providerTime: Date | null = null

  constructor(query: ListQuery) {
    this.#query = query
    this.#start = { min_timestamp: query.since.getTime() }
  }

  /** Parameters of the next page; undefined at the end, or when it has been enough. */
  get next(): object | undefined {
    if (!this.#start || this.#count === MAX_PAGES) return undefined
    return {
      [this.#query.direction === 'out' ? 'only_from' : 'only_to']: true,
      contract_address: this.#query.contract,
      order_by: 'block_timestamp,asc',
      limit: ROWS_PER_PAGE,
      ...(this.#query.solidOnly ? { only_confirmed: true } : {}),
      ...this.#start,
    }
  }

  take(answer: object): void {
    const parsed = Page.safeParse(answer)
    if (!parsed.success) throw badList('it is no list')
    this.#count += 1
    this.#providerTime ??= parsed.data.meta?.at ?? null
    for (const row of parsed.data.data) this.#takeRow(row)
    this.#start = this.#startAfter(parsed.data)
  }

  list(): TransferList {
    const complete = this.#start === undefined
    const upTo = this.#readUntil
    if (!complete && (!this.#ascending || upTo === null || upTo < this.#query.since)) {
      throw badList(`after ${MAX_PAGES} pages in no order it is not at its end`)
    }
    return {
      transfers: this.#transfers.toSorted((a, b) => a.blockTime.getTime() - b.blockTime.getTime()),
      complete,
      readUntil: upTo,
      providerTime: this.#providerTime,
    }
  }

  #takeRow(row: unknown): void {
    const blockTime = TimedRow.safeParse(row).data?.block_timestamp
    if (!blockTime) return
    if (this.#readUntil && blockTime < this.#readUntil) this.#ascending = false
    else this.#readUntil = blockTime
    const transfer = TransferRow.safeParse(row).data
    if (!transfer || blockTime < this.#query.since) return
    const { wallet, direction, contract } = this.#query
    const { transaction_id: txid, token_info, from, to, value: units } = transfer
    if (token_info.address !== contract || (direction === 'out' ? from : to) !== wallet) return
    this.#transfers.push({ txid, contract, from, to, units, blockTime })
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
   * A full page is hardly ever the last one, and TronGrid has been seen to forget the mark (TRON-US/trongrid#23). The list then goes on
   * from its last block, the whole of which is read again. When that leads nowhere (200 rows of one block), rows may be out of reach.
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
