import { setTimeout as sleep } from 'node:timers/promises'
import { Prisma } from '../../generated/prisma/client.ts'
import { selectJson } from '../database/database.ts'
import type { CoreDeps } from '../deps.ts'
import { announceToOperators } from '../notices/announce.ts'
import { type ChainReader, ChainUnavailable } from './chain-reader.ts'
import { checkCandidates, noteListed } from './candidates.ts'
import { expireTopUps } from './expire-top-ups.ts'
import { reconcile } from './reconcile.ts'
import type { WatchedWallet } from './record-receipt.ts'
import type { TopUpTerms } from './top-up-terms.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Checks that come so close together share one scan. */
const COALESCE_MS = 3_000
/** How long somebody who asks waits for the chain. */
const PATIENCE_MS = 4_000
/** How far behind a scan the next one begins: an index may list a block that late. */
const OVERLAP_MS = 12 * MINUTE_MS
/** Of the first scan ever; older transfers are not ours to judge. */
const FIRST_MS = 10 * MINUTE_MS
const MAX_SKEW_MS = MINUTE_MS
/** Without a scan for so long, the operator is told. */
const STALE_MS = 5 * MINUTE_MS
/** Without a scan for so long, whoever asks is told. */
const OLD_MS = 90_000
const PAUSE_MS = { awaited: 5_000, grace: 15_000, idle: MINUTE_MS }
/** Slow second looks, which must find nothing new: how often, and how far back. */
const SWEEPS = {
  often: { everyMs: 10 * MINUTE_MS, backMs: 24 * HOUR_MS },
  seldom: { everyMs: 24 * HOUR_MS, backMs: 7 * 24 * HOUR_MS },
}

interface Scan extends WatchedWallet {
  readonly watermark: string
  readonly lastSuccessAt: string | null
  readonly lastSweepAt: string | null
  readonly createdAt: string
}

/**
 * Reads the chain for all top-ups together, so that its cost does not grow with their number (contract 8). One scan runs at a
 * time, and whoever wants to know joins it.
 */
export class ChainScanner {
  readonly #terms: TopUpTerms
  readonly #chain: ChainReader
  readonly #deps: () => CoreDeps
  readonly #listeners = new Set<() => void>()
  #running: Promise<void> | undefined
  #begun = -Infinity
  #failure: unknown
  /** Since when the chain has not been read, once the operator knows. */
  #staleSince: string | undefined
  #reconciledAt = -Infinity

  constructor(terms: TopUpTerms, chain: ChainReader, deps: () => CoreDeps) {
    this.#terms = terms
    this.#chain = chain
    this.#deps = deps
  }

  /**
   * One scan: what is new on the chain, receipts that are due, top-ups whose time is over. Joins the one that runs.
   *
   * @throws ChainUnavailable, after it was noted; nothing is lost, the next scan begins where the last good one ended
   */
  scan(): Promise<void> {
    this.#running ??= this.#scan().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** Waits a moment for a scan that is as good as new; goes on without when the chain cannot be read. */
  async fresh(): Promise<void> {
    if (!this.#running && this.#now() - this.#begun < COALESCE_MS) return
    const scanned = this.scan().catch((error: unknown) => {
      if (!(error instanceof ChainUnavailable)) throw error
    })
    await Promise.race([scanned, sleep(PATIENCE_MS, undefined, { ref: false })])
  }

  /** Milliseconds until the next scan makes sense. */
  async pause(): Promise<number> {
    const now = this.#deps().clock.now()
    const [held] = await selectJson<{ awaited: 0 | 1; held: 0 | 1 }>(
      this.#deps().db.read,
      Prisma.sql`SELECT json_object(
        'awaited', EXISTS (SELECT 1 FROM top_ups WHERE status = 'confirming' OR released_at IS NULL AND expires_at > ${now}),
        'held', EXISTS (SELECT 1 FROM top_ups WHERE released_at IS NULL)
                OR EXISTS (SELECT 1 FROM chain_candidates WHERE state = 'waiting')) AS json`,
    )
    if (held?.awaited) return PAUSE_MS.awaited
    return held?.held ? PAUSE_MS.grace : PAUSE_MS.idle
  }

  /** Something is awaited from now on: the pause may be shorter. */
  wake(): void {
    for (const listener of this.#listeners) listener()
  }

  onWake(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** When the chain was read last, and whether that is too long ago to rely on. */
  async state(): Promise<{ checkedAt: string | null; stale: boolean }> {
    const [found] = await selectJson<{ checkedAt: string | null }>(
      this.#deps().db.read,
      Prisma.sql`SELECT json_object('checkedAt', last_success_at) AS json FROM chain_scans
                 WHERE wallet = ${this.#terms.wallet} AND contract = ${this.#terms.contract}`,
    )
    const checkedAt = found?.checkedAt ?? null
    const stale =
      checkedAt === null || this.#failure !== undefined || this.#now() - Date.parse(checkedAt) > OLD_MS
    return { checkedAt, stale }
  }

  #now(): number {
    return this.#deps().clock.now().getTime()
  }

  async #scan(): Promise<void> {
    const deps = this.#deps()
    this.#begun = this.#now()
    try {
      for (const watched of await this.#watched()) await this.#scanWallet(watched)
      await checkCandidates(deps, this.#chain)
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      if (error instanceof ChainUnavailable) await this.#tellTrouble(error)
      throw error
    } finally {
      await expireTopUps(deps)
    }
  }

  /** The wallet of the configuration, and those of earlier ones to which payments may still come. */
  async #watched(): Promise<WatchedWallet[]> {
    const { wallet, contract } = this.#terms
    const earlier = await selectJson<WatchedWallet>(
      this.#deps().db.read,
      Prisma.sql`SELECT DISTINCT json_object('wallet', wallet, 'contract', contract) AS json FROM top_ups
                 WHERE released_at IS NULL AND (wallet <> ${wallet} OR contract <> ${contract})`,
    )
    return [{ wallet, contract }, ...earlier]
  }

  async #scanWallet(watched: WatchedWallet): Promise<void> {
    const deps = this.#deps()
    const begun = deps.clock.now()
    const scan = await this.#known(watched)
    const list = await this.#chain.listTransfers({ ...watched, since: new Date(scan.watermark) })
    if (list.providerTime && Math.abs(list.providerTime.getTime() - begun.getTime()) > MAX_SKEW_MS) {
      throw new ChainUnavailable(
        'bad_answer',
        'the clock here and the clock of the chain differ by more than a minute',
      )
    }
    const read = list.complete ? begun.getTime() - OVERLAP_MS : (list.readUntil?.getTime() ?? 0)
    const watermark = new Date(Math.max(read, Date.parse(scan.watermark)))
    await deps.db.write(async (tx) => {
      await noteListed(deps, tx, watched, list.transfers, new Date(scan.createdAt))
      await tx.$executeRaw`UPDATE chain_scans SET watermark = ${watermark}, last_success_at = ${begun}
                           WHERE wallet = ${watched.wallet} AND contract = ${watched.contract}`
      if (this.#staleSince !== undefined) {
        const data = { staleSince: this.#staleSince }
        await announceToOperators(deps, tx, { kind: 'chain_back', subject: begun.toISOString(), data })
      }
    })
    this.#staleSince = undefined
    deps.jobs.wake()
    await this.#lookAgain(scan, begun)
  }

  /** How far this wallet was read; the first time, from a moment ago on. */
  async #known(watched: WatchedWallet): Promise<Scan> {
    const { db, clock } = this.#deps()
    const { wallet, contract } = watched
    const [known] = await selectJson<Omit<Scan, keyof WatchedWallet>>(
      db.read,
      Prisma.sql`SELECT json_object('watermark', watermark, 'lastSuccessAt', last_success_at, 'lastSweepAt', last_sweep_at,
                   'createdAt', created_at) AS json FROM chain_scans WHERE wallet = ${wallet} AND contract = ${contract}`,
    )
    if (known) return { ...watched, ...known }
    const since = new Date(clock.now().getTime() - FIRST_MS)
    await db.write(
      (tx) => tx.$executeRaw`INSERT OR IGNORE INTO chain_scans (wallet, contract, watermark, created_at)
                             VALUES (${wallet}, ${contract}, ${since}, ${since})`,
    )
    const createdAt = since.toISOString()
    return { ...watched, watermark: createdAt, createdAt, lastSuccessAt: null, lastSweepAt: null }
  }

  /** Whatever the index listed too late for the scans. */
  async #lookAgain(scan: Scan, now: Date): Promise<void> {
    const deps = this.#deps()
    const last = scan.lastSweepAt === null ? now.getTime() : Date.parse(scan.lastSweepAt)
    const due = scan.lastSweepAt !== null && now.getTime() - last < SWEEPS.often.everyMs
    if (due) return
    const dayBegan =
      Math.floor(now.getTime() / SWEEPS.seldom.everyMs) > Math.floor(last / SWEEPS.seldom.everyMs)
    const since = new Date(now.getTime() - (dayBegan ? SWEEPS.seldom : SWEEPS.often).backMs)
    if (scan.lastSweepAt !== null) {
      const { transfers } = await this.#chain.listTransfers({ ...scan, since, solidOnly: true })
      await deps.db.write((tx) => noteListed(deps, tx, scan, transfers, new Date(scan.createdAt)))
    }
    await deps.db.write(
      (tx) =>
        tx.$executeRaw`UPDATE chain_scans SET last_sweep_at = ${now} WHERE wallet = ${scan.wallet} AND contract = ${scan.contract}`,
    )
    if (now.getTime() - this.#reconciledAt < HOUR_MS) return
    if (await reconcile(deps, this.#chain, scan)) this.#reconciledAt = now.getTime()
  }

  /** The operator hears of it once, and of a refused key at once. */
  async #tellTrouble(error: ChainUnavailable): Promise<void> {
    const deps = this.#deps()
    const { checkedAt } = await this.state()
    const today = deps.clock.now().toISOString().slice(0, 10)
    const silent = checkedAt === null || this.#now() - Date.parse(checkedAt) > STALE_MS
    if (error.fault !== 'bad_key' && (!silent || this.#staleSince !== undefined)) return
    await deps.db.write((tx) =>
      error.fault === 'bad_key'
        ? announceToOperators(deps, tx, { kind: 'chain_bad_key', subject: today })
        : announceToOperators(deps, tx, {
            kind: 'chain_stale',
            subject: checkedAt ?? today,
            data: { lastSuccessAt: checkedAt, reason: error.message },
          }),
    )
    if (silent) this.#staleSince = checkedAt ?? deps.clock.now().toISOString()
    deps.jobs.wake()
  }
}
