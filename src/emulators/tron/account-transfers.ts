import { readAddress, toBase58, type Hex20 } from './address.ts'
import { fingerprintMismatch, invalidAddress, json, limitTooHigh, v1Refusal, type Answer } from './answers.ts'
import { timeOf } from './blocks.ts'
import type { Log } from './contract-calls.ts'
import { fingerprintsFor } from './fingerprint.ts'
import type { FaultKind, ListParameter } from './types.ts'
import type { View } from './view.ts'

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 200

const PARAMETERS: readonly ListParameter[] = [
  'only_to',
  'only_from',
  'only_confirmed',
  'only_unconfirmed',
  'contract_address',
  'min_timestamp',
  'max_timestamp',
  'limit',
  'order_by',
  'fingerprint',
]

type Parameters = Readonly<Partial<Record<ListParameter, string>>>

/** Height of the block, index of the transaction in it, index of the log in the transaction. */
type Position = readonly [number, number, number]

interface Row {
  readonly position: Position
  readonly txid: string
  readonly log: Log & Required<Pick<Log, 'movement'>>
}

/**
 * Answers `GET /v1/accounts/{address}/transactions/trc20`: the events of token contracts that name an address, true or not. Rows have
 * no block number, no log index and no sign of being irreversible.
 *
 * @param query as it came; names of parameters may be in snake or camel case, unknown ones are ignored
 */
export function accountTransfers(
  view: View,
  address: string,
  query: Readonly<Record<string, string>>,
  faults: readonly FaultKind[],
): Answer {
  const account = readAddress(address)
  if (account === undefined) return invalidAddress
  const parameters = readParameters(query, faults)
  const limit = Number(parameters.limit ?? DEFAULT_LIMIT)
  if (!(limit >= 1 && limit <= MAX_LIMIT)) return limitTooHigh
  if (parameters.only_confirmed === 'true' && parameters.only_unconfirmed === 'true')
    return v1Refusal('only_confirmed and only_unconfirmed are mutually exclusive.')
  const descending = (parameters.order_by ?? 'block_timestamp,desc') !== 'block_timestamp,asc'

  const { fingerprint, ...others } = parameters
  const fingerprints = fingerprintsFor<Position>([account, others])
  const after = fingerprint === undefined ? undefined : fingerprints.read(fingerprint)
  const mismatch = faults.some(({ kind }) => kind === 'fingerprint-mismatch')
  if (mismatch || (fingerprint !== undefined && after === undefined)) return fingerprintMismatch

  const all = rowsOf(view, account).filter(matching(parameters, view, account))
  const rest = (descending ? all.toReversed() : all).filter(
    ({ position }) => after === undefined || compare(position, after) * (descending ? -1 : 1) > 0,
  )
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const next = nextFingerprint(fingerprint, faults, () =>
    last && rest.length > limit ? fingerprints.write(last.position) : undefined,
  )
  const data = spoiled(page, faults).map((row) => rowJson(view, row))
  return json({
    data,
    success: true,
    meta: {
      at: view.chain.now(),
      ...(next !== undefined && { fingerprint: next, links: { next: nextAddress(address, query, next) } }),
      page_size: data.length,
    },
  })
}

function readParameters(query: Readonly<Record<string, string>>, faults: readonly FaultKind[]): Parameters {
  const ignored = faults.flatMap((fault) => (fault.kind === 'ignore' ? fault.parameters : []))
  const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const given = new Map(Object.entries(query).map(([name, value]) => [snakeCase(name), value]))
  return Object.fromEntries(
    PARAMETERS.filter((name) => given.has(name) && !ignored.includes(name)).map((name) => [
      name,
      given.get(name),
    ]),
  )
}

/** Returns all movements of known tokens from or to the account, in the order of the chain. */
function rowsOf({ chain, indexed }: View, account: Hex20): Row[] {
  let block = { height: -1, size: 0 }
  return chain.transactions().flatMap(({ transaction, height }) => {
    block = { height, size: height === block.height ? block.size + 1 : 0 }
    if (height > indexed) return []
    return transaction.logs.flatMap((log, index) => {
      const { movement } = log
      if (!movement || (movement.from !== account && movement.to !== account)) return []
      return {
        position: [height, block.size, index] as const,
        txid: transaction.txid,
        log: { ...log, movement },
      }
    })
  })
}

function matching(parameters: Parameters, view: View, account: Hex20): (row: Row) => boolean {
  const contract = readAddress(parameters.contract_address ?? '')
  const isTrue = (name: ListParameter) => parameters[name] === 'true'
  return ({ position: [height], log }) => {
    const time = timeOf(height)
    return (
      (!isTrue('only_to') || log.movement.to === account) &&
      (!isTrue('only_from') || log.movement.from === account) &&
      (!isTrue('only_confirmed') || height <= view.solidHead) &&
      (!isTrue('only_unconfirmed') || height > view.solidHead) &&
      (parameters.contract_address === undefined || log.contract === contract) &&
      // Both ends are included.
      time >= Number(parameters.min_timestamp ?? 0) &&
      time <= Number(parameters.max_timestamp ?? view.chain.now())
    )
  }
}

function compare(a: Position, b: Position): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function nextFingerprint(
  asked: string | undefined,
  faults: readonly FaultKind[],
  next: () => string | undefined,
): string | undefined {
  const has = (kind: FaultKind['kind']) => faults.some((fault) => fault.kind === kind)
  if (has('no-fingerprint')) return undefined
  return has('repeat-fingerprint') && asked !== undefined ? asked : next()
}

/** Returns the page with rows left out or doubled, as the faults say. */
function spoiled(page: readonly Row[], faults: readonly FaultKind[]): readonly Row[] {
  return faults.reduce<readonly Row[]>((rows, fault) => {
    if (fault.kind !== 'drop-row' && fault.kind !== 'duplicate-row') return rows
    const hit = (row: Row) => (fault.txid === undefined ? row === rows[0] : row.txid === fault.txid)
    return rows.flatMap((row) => (!hit(row) ? row : fault.kind === 'drop-row' ? [] : [row, row]))
  }, page)
}

function rowJson({ chain }: View, { position: [height], txid, log }: Row): object {
  const { symbol, address, decimals, name } = chain.tokens.get(log.contract) ?? {}
  return {
    transaction_id: txid,
    token_info: { symbol, address, decimals, name },
    block_timestamp: timeOf(height),
    from: toBase58(log.movement.from),
    to: toBase58(log.movement.to),
    type: log.name,
    value: log.movement.units.toString(),
  }
}

/** Returns the address of the next page, on TronGrid's public host, whatever host was asked: a client must not follow it. */
function nextAddress(address: string, query: Readonly<Record<string, string>>, fingerprint: string): string {
  const parameters = Object.entries({ ...query, fingerprint }).map(([name, value]) => `${name}=${value}`)
  return `https://api.trongrid.io/v1/accounts/${address}/transactions/trc20?${parameters.join('&')}`
}
