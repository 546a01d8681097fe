import { setTimeout as sleep } from 'node:timers/promises'
import { dayOf } from '../calendar-day.ts'
import { waitForCommitted } from '../database/after-commits.ts'
import { literal } from '../database/dialect.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { checkCandidates, recordCandidates } from './candidates.ts'
import {
  answerNamedTransactions,
  answerTo,
  type NamedAnswer,
  nameTransaction,
  unansweredSince,
} from './named-transactions.ts'
import { expireTopUps } from './expire-top-ups.ts'
import {
  ChainUnavailable,
  type OpenNetwork,
  type PaymentNetwork,
  type WatchedWallet,
} from './payment-network.ts'
import { reconcile } from './reconcile.ts'
import {
  beginScans,
  endScan,
  findScan,
  isOf,
  type ScanState,
  updateScan,
  wantScan,
  type Watched,
} from './scan-state.ts'
import { happened } from '../facts/happened.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Requests within this time share one scan. */
const COALESCE_MS = 3_000
/** How long a request waits for the chain. */
const FRESH_TIMEOUT_MS = 4_000
/** How often the end of a scan of another server is looked for, in case a notification was lost. */
const POLL_MS = 500
/** How far back the first scan of a wallet begins; earlier transfers are ignored. */
const FIRST_SCAN_BACK_MS = 10 * MINUTE_MS
const MAX_SKEW_MS = MINUTE_MS
/** Time in ms without a successful scan after which the operator is told. */
const OUTAGE_MS = 5 * MINUTE_MS
/** Time in ms without a successful scan after which the state of top-ups is marked as stale. */
const STALE_MS = 90_000
const PAUSE_MS = { awaited: 5_000, grace: 15_000, idle: MINUTE_MS }

/**
 * Reads a network for all its top-ups together, so that the cost does not grow with their number (rules 8.12). One scan runs at a time;
 * requests join it. Of several servers only the leader scans; the others request a scan by a row of the database and wait for its end.
 */
export class ChainScanner {
  /** The network, by its traits, and the wallet to which people pay on it. */
  readonly open: OpenNetwork
  readonly #ours: Watched
  readonly #network: PaymentNetwork
  readonly #deps: () => Essentials
  readonly #standsBy: () => boolean
  #running: Promise<void> | undefined
  #begun = -Infinity
  #failure: unknown
  /** Whether the end of the last scan was stored. */
  #isEndStored = true
  /** Result of the last request to the leader for a scan. */
  #asked: Promise<boolean> | undefined
  #askedAt = -Infinity
  #checked = false
  /** Failure of the last check of due receipts, kept until a check succeeds. */
  #unread: ChainUnavailable | undefined
  /** Count of answers of the chain: a scan that keeps getting answers is slow, but has not failed. */
  #answers = 0
  /** When each wallet was last reconciled with its balance, by wallet and token. */
  readonly #reconciledAt = new Map<string, number>()

  /** @param standsBy whether another server scans */
  constructor(open: OpenNetwork, deps: () => Essentials, standsBy: () => boolean = () => false) {
    const { network, wallet, contract } = open
    this.open = open
    this.#ours = { network: network.id, wallet, contract }
    this.#network = withAnswerCount(network, () => (this.#answers += 1))
    this.#deps = deps
    this.#standsBy = standsBy
  }

  /**
   * Checks the configured wallet and token on the chain. Until this has succeeded once, no scan reads anything, so that nothing is
   * credited.
   *
   * @returns the symbol of the token; undefined when it has none
   * @throws ChainUnavailable with the fault `misconfigured` when they cannot be right
   */
  async check(): Promise<string | undefined> {
    const { wallet, contract } = this.#ours
    const symbol = await this.#network.checkWallet(wallet, contract)
    this.#checked = true
    return symbol
  }

  /** Whether {@link check} has succeeded. */
  get checked(): boolean {
    return this.#checked
  }

  /** Whether {@link check} has succeeded in any server: then it counts as done in this one, which need not ask the chain, too. */
  async checkedElsewhere(): Promise<boolean> {
    const scan = await findScan(this.#deps().db.read, this.#ours)
    this.#checked ||= scan !== undefined && scan.lastSuccessAt !== null && scan.fault !== 'misconfigured'
    return this.#checked
  }

  /** Whether the last scan, of any server, found the configured wallet or token to be wrong. */
  async misconfigured(): Promise<boolean> {
    return (await findScan(this.#deps().db.read, this.#ours))?.fault === 'misconfigured'
  }

  /**
   * Runs one scan, or joins the one that runs: new transfers on the chain, receipts that are due, top-ups that expire.
   *
   * @throws ChainUnavailable; the next scan begins where the last successful one ended
   */
  scan(): Promise<void> {
    this.#running ??= this.#scan().finally(() => (this.#running = undefined))
    return this.#running
  }

  /**
   * Waits a few seconds for a scan, unless one has just ended.
   *
   * @returns false when the chain could not be read or did not answer in time; true while a long scan keeps getting answers
   */
  async fresh(): Promise<boolean> {
    if (this.#standsBy()) return Promise.race([this.#scannedByLeader(), later(false)])
    if (!this.#running && this.#since(this.#begun) < COALESCE_MS) return this.#failure === undefined
    const scanned = this.scan().then(
      () => true,
      (error: unknown) => {
        if (error instanceof ChainUnavailable) return false
        throw error
      },
    )
    const before = this.#answers
    const answers = () => this.#failure === undefined && this.#answers > before
    return Promise.race([scanned, later(undefined).then(answers)])
  }

  /**
   * Looks a transaction up, in the next scan, by whichever server scans (rules 8.15).
   *
   * @returns undefined when the chain could not be read or did not answer in time
   */
  async lookUp(txid: string): Promise<NamedAnswer | undefined> {
    const { db, clock } = this.#deps()
    const transaction = { network: this.#ours.network, txid }
    await db.write((tx) => nameTransaction(tx, transaction, clock.now()))
    const answer = () => answerTo(db.read, transaction)
    // The commit wakes the leader.
    if (this.#standsBy()) return waitForCommitted(db, answer, { waitMs: FRESH_TIMEOUT_MS, pollMs: POLL_MS })
    return Promise.race([this.#scanAnew().then(answer), later(undefined)])
  }

  /** Waits for a scan that begins after this call; a failure is only recorded by the scan itself. */
  async #scanAnew(): Promise<void> {
    for (const scan of [() => this.#running, () => this.scan()])
      await scan()?.catch((error: unknown) => {
        if (!(error instanceof ChainUnavailable)) throw error
      })
  }

  /** Returns the leader's answer to the last request; makes a new request after {@link COALESCE_MS}. */
  #scannedByLeader(): Promise<boolean> {
    if (this.#asked && this.#since(this.#askedAt) < COALESCE_MS) return this.#asked
    this.#askedAt = this.#deps().clock.now().getTime()
    this.#asked = this.#askLeader().catch((error: unknown) => {
      this.#asked = undefined
      throw error
    })
    return this.#asked
  }

  /** @returns whether a scan of the leader, which ended after this, has read the chain */
  async #askLeader(): Promise<boolean> {
    const { db } = this.#deps()
    await this.#known(this.#ours)
    const before = await db.write((tx) => wantScan(tx, this.#ours), 'one_statement')
    const look = async () => {
      const scan = await findScan(db.read, this.#ours)
      return scan && scan.scans > before ? scan : undefined
    }
    const ended = await waitForCommitted(db, look, { waitMs: FRESH_TIMEOUT_MS, pollMs: POLL_MS })
    return ended?.fault === null
  }

  /** Returns the milliseconds until the next scan is due. */
  async pause(): Promise<number> {
    const { db, clock } = this.#deps()
    const now = clock.now().toISOString()
    const { network } = this.#ours
    const named = unansweredSince(db.read, network, clock.now())
    const { wanted, due, awaited, held } = await db.read.$kysely
      .selectNoFrom(({ selectFrom, exists, or }) => {
        const waiting = selectFrom('listedTransactions')
          .select('txid')
          .where('network', '=', network)
          .where('state', '=', literal('waiting'))
        const topUps = selectFrom('topUps').select('id').where('network', '=', network)
        const locked = topUps.where('releasedAt', 'is', null)
        const confirming = topUps.where('status', '=', literal('confirming'))
        const asked = selectFrom('chainScans')
          .select('id')
          .where(isOf(this.#ours))
          .whereRef('wantedScan', '>', 'scans')
        return [
          exists(asked).as('wanted'),
          or([exists(waiting.where('nextCheckAt', '<=', now)), exists(named)]).as('due'),
          or([exists(confirming), exists(locked.where('expiresAt', '>', now))]).as('awaited'),
          or([exists(locked), exists(waiting)]).as('held'),
        ]
      })
      .executeTakeFirstOrThrow()
    // A scan whose end could not be stored stays wanted: it is repeated after a pause, not at once.
    if (wanted && this.#isEndStored) return 0
    // A scan reads a limited number of receipts: go on with the rest at once.
    if (due && this.#failure === undefined) return 0
    if (awaited) return PAUSE_MS.awaited
    return held ? PAUSE_MS.grace : PAUSE_MS.idle
  }

  /** Returns when the chain was last read with success, and whether the state is stale. */
  async state(): Promise<{ checkedAt: string | null; stale: boolean }> {
    const scan = await findScan(this.#deps().db.read, this.#ours)
    const checkedAt = scan?.lastSuccessAt ?? null
    const stale = checkedAt === null || scan?.fault !== null || this.#since(Date.parse(checkedAt)) > STALE_MS
    return { checkedAt, stale }
  }

  /** Returns the milliseconds between a time and now; absolute, so that a clock that was set back does not stop periodic work. */
  #since(time: number): number {
    return Math.abs(this.#deps().clock.now().getTime() - time)
  }

  async #scan(): Promise<void> {
    const deps = this.#deps()
    const now = deps.clock.now()
    this.#begun = now.getTime()
    try {
      if (!this.#checked) await this.check()
      const watched = await this.#watched()
      await this.#readAll(watched, now)
      await this.#recordSuccess(watched, now)
      this.#failure = undefined
      this.#isEndStored = true
    } catch (error) {
      this.#failure = error
      this.#isEndStored = false
      await this.#recordFailure(error)
      this.#isEndStored = true
      throw error
    } finally {
      await expireTopUps(deps)
    }
  }

  /**
   * Runs all parts of a scan; a failure of one does not stop the others.
   *
   * @throws ChainUnavailable, at the end, when a part has failed
   */
  async #readAll(watched: readonly WatchedWallet[], now: Date): Promise<void> {
    const failures: ChainUnavailable[] = []
    const attempt = async (part: () => Promise<void>) => {
      try {
        await part()
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error
        failures.push(error)
      }
    }
    const read: ScanState[] = []
    for (const wallet of watched) await attempt(async () => void read.push(await this.#readNew(wallet, now)))
    await attempt(() => this.#checkReceipts(watched))
    await attempt(() => answerNamedTransactions(this.#deps(), this.#network, watched))
    for (const scan of read) await attempt(() => this.#sweep(scan, now))
    const [failure] = failures
    if (failure) throw failure
  }

  /** Returns the configured wallet, and earlier ones to which payments may still come. */
  async #watched(): Promise<WatchedWallet[]> {
    const { network, wallet, contract } = this.#ours
    const earlier = await this.#deps()
      .db.read.$kysely.selectFrom('topUps')
      .select(['wallet', 'contract'])
      .distinct()
      .where('network', '=', network)
      .where('releasedAt', 'is', null)
      .where(({ eb, or }) => or([eb('wallet', '<>', wallet), eb('contract', '<>', contract)]))
      .orderBy('wallet')
      .orderBy('contract')
      .execute()
    return [{ wallet, contract }, ...earlier]
  }

  /** Reads the transfers since the last scan. */
  async #readNew(watched: WatchedWallet, now: Date): Promise<ScanState> {
    const deps = this.#deps()
    const scan = await this.#known(watched)
    const after = scan.cursor ?? (await this.#network.cursorAt(new Date(scan.watermark)))
    const list = await this.#network.listTransfers({ ...watched, after })
    if (list.networkTime && Math.abs(list.networkTime.getTime() - now.getTime()) > MAX_SKEW_MS) {
      throw new ChainUnavailable(
        'bad_answer',
        'the clock here and the clock of the chain differ by more than a minute',
      )
    }
    const watermark = new Date(Math.max(list.readUntil.getTime(), Date.parse(scan.watermark)))
    await deps.db.write(async (tx) => {
      await recordCandidates(deps, tx, this.#network, watched, list.transfers, new Date(scan.createdAt))
      await updateScan(tx, scan, { watermark, cursor: list.next })
    })
    return scan
  }

  /** Checks receipts that are due. The last failure stands until a check succeeds. */
  async #checkReceipts(watched: readonly WatchedWallet[]): Promise<void> {
    try {
      if (await checkCandidates(this.#deps(), this.#network, watched)) this.#unread = undefined
    } catch (error) {
      if (error instanceof ChainUnavailable) this.#unread = error
      throw error
    }
    if (this.#unread) throw this.#unread
  }

  /** Returns the state of the scans of this wallet; creates it when there is none. */
  async #known({ wallet, contract }: WatchedWallet): Promise<ScanState> {
    const { db, clock } = this.#deps()
    const watched = { network: this.#ours.network, wallet, contract }
    const known = await findScan(db.read, watched)
    if (known) return known
    const since = new Date(clock.now().getTime() - FIRST_SCAN_BACK_MS)
    await db.write((tx) => beginScans(tx, watched, since))
    const createdAt = since.toISOString()
    return {
      ...watched,
      watermark: createdAt,
      cursor: null,
      createdAt,
      lastSuccessAt: null,
      lastSweepAt: null,
      scans: 0,
      fault: null,
    }
  }

  /** Reads what the index listed too late for the scans, and reconciles the wallet. */
  async #sweep(scan: ScanState, now: Date): Promise<void> {
    const deps = this.#deps()
    const { often, seldom } = this.#network.sweeps
    const last = scan.lastSweepAt === null ? now.getTime() : Date.parse(scan.lastSweepAt)
    if (scan.lastSweepAt !== null && this.#since(last) < often.everyMs) return
    const isSeldom = Math.floor(now.getTime() / seldom.everyMs) > Math.floor(last / seldom.everyMs)
    if (scan.lastSweepAt !== null) {
      const since = new Date(now.getTime() - (isSeldom ? seldom : often).backMs)
      const after = await this.#network.cursorAt(since)
      const { transfers } = await this.#network.listTransfers({ ...scan, after, finalOnly: true })
      await deps.db.write((tx) =>
        recordCandidates(deps, tx, this.#network, scan, transfers, new Date(scan.createdAt)),
      )
    }
    await deps.db.write((tx) => updateScan(tx, scan, { lastSweepAt: now }))
    const name = `${scan.wallet} ${scan.contract}`
    if (this.#since(this.#reconciledAt.get(name) ?? -Infinity) < HOUR_MS) return
    if (await reconcile(deps, this.#network, scan)) this.#reconciledAt.set(name, now.getTime())
  }

  /** Records a scan of all wallets; sends chain_back after chain_stale. */
  async #recordSuccess(watched: readonly WatchedWallet[], now: Date): Promise<void> {
    const deps = this.#deps()
    const { network } = this.#ours
    const staleSince = outageStart(await this.#known(this.#ours))
    await deps.db.write(async (tx) => {
      for (const { wallet, contract } of watched)
        await endScan(tx, { ...this.#ours, wallet, contract }, { lastSuccessAt: now, fault: null })
      const told = await tx.$kysely
        .selectFrom('notices')
        .select('id')
        .where('kind', '=', 'chain_stale')
        .where('subject', '=', outage(network, staleSince))
        .limit(1)
        .executeTakeFirst()
      if (!told) return
      const data = { network, staleSince }
      happened(tx, { kind: 'chain_back', subject: outage(network, now.toISOString()), data })
    })
  }

  /** Records a scan that has failed; tells the operator of an outage, once, and of a bad key or a misconfiguration without delay. */
  async #recordFailure(error: unknown): Promise<void> {
    const deps = this.#deps()
    const { network } = this.#ours
    const now = deps.clock.now()
    const scan = await this.#known(this.#ours)
    const chainFailure = error instanceof ChainUnavailable ? error : undefined
    const fault = chainFailure?.fault ?? 'failed'
    const isOutage = scan.lastSuccessAt === null || this.#since(Date.parse(scan.lastSuccessAt)) > OUTAGE_MS
    await deps.db.write(async (tx) => {
      await endScan(tx, this.#ours, { fault })
      if (fault === 'bad_key')
        happened(tx, {
          kind: 'chain_bad_key',
          subject: `${network} ${dayOf(now)}`,
          data: { network },
        })
      if (chainFailure && (isOutage || fault === 'misconfigured'))
        happened(tx, {
          kind: 'chain_stale',
          subject: outage(network, outageStart(scan)),
          data: { network, lastSuccessAt: scan.lastSuccessAt, reason: chainFailure.message },
        })
    })
  }
}

/** Wraps a network so that it calls `answered` at each answer. */
function withAnswerCount(network: PaymentNetwork, answered: () => void): PaymentNetwork {
  const counted = async <Answer>(asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked
    answered()
    return answer
  }
  return {
    ...network,
    cursorAt: (time) => counted(network.cursorAt(time)),
    listTransfers: (query) => counted(network.listTransfers(query)),
    receipt: (txid, contract) => counted(network.receipt(txid, contract)),
    knows: (txid) => counted(network.knows(txid)),
    balance: (wallet, contract) => counted(network.balance(wallet, contract)),
    checkWallet: (wallet, contract) => counted(network.checkWallet(wallet, contract)),
  }
}

/** Resolves to a value after {@link FRESH_TIMEOUT_MS}. */
function later<T>(value: T): Promise<T> {
  return sleep(FRESH_TIMEOUT_MS, value, { ref: false })
}

/** Names an outage of a network. */
function outage(network: string, time: string): string {
  return `${network} ${time}`
}

/** Identifies the outage that began after this last successful scan. */
function outageStart({ lastSuccessAt, createdAt }: ScanState): string {
  return lastSuccessAt ?? createdAt
}
