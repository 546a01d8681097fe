import { toBase58 } from './address.ts'
import { json, type Answer } from './answers.ts'
import { timeOf } from './blocks.ts'
import type { Log } from './contract-calls.ts'
import type { View } from './view.ts'

/** Names of the arguments of known events. */
const ARGUMENTS = {
  Transfer: ['from', 'to', 'value'],
  Approval: ['owner', 'spender', 'value'],
} as const

/** Answers `GET /v1/transactions/{txid}/events`: all logs of a transaction, the last one first. */
export function transactionEvents(
  view: View,
  txid: string,
  { only_confirmed, only_unconfirmed }: Readonly<Record<string, string>>,
): Answer {
  const placed = view.chain.find(txid.toLowerCase())
  const solid = placed !== undefined && placed.height <= view.solidHead
  const shown =
    placed !== undefined &&
    placed.height <= view.indexed &&
    !(only_confirmed === 'true' && !solid) &&
    !(only_unconfirmed === 'true' && solid)
  const logs = shown ? placed.transaction.logs : []
  const data = logs
    .map((log, index) => ({
      block_number: placed?.height,
      block_timestamp: timeOf(placed?.height ?? 0),
      caller_contract_address: toBase58(log.contract),
      contract_address: toBase58(log.contract),
      event_index: index,
      event_name: log.name,
      ...decoded(log),
      transaction_id: placed?.transaction.txid,
      ...(!solid && { _unconfirmed: true }),
    }))
    .toReversed()
  return json({ data, success: true, meta: { at: view.chain.now(), page_size: data.length } })
}

/** Returns the arguments by number and by name; none for an event that the index does not know. */
function decoded({ name, movement }: Log): object {
  if (!movement || name === 'GasFreeTransfer') return { result: {}, result_type: {}, event: `${name}()` }
  const values = [`0x${movement.from}`, `0x${movement.to}`, movement.units.toString()] as const
  const [first, second, third] = ARGUMENTS[name]
  return {
    result: {
      ...Object.fromEntries(values.entries()),
      [first]: values[0],
      [second]: values[1],
      [third]: values[2],
    },
    result_type: { [first]: 'address', [second]: 'address', [third]: 'uint256' },
    event: `${name}(address indexed ${first}, address indexed ${second}, uint256 ${third})`,
  }
}
