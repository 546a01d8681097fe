import { InvalidInput } from '../errors.ts'
import type { NetworkTraits } from './payment-network.ts'

/** What a person or a program has written of a transfer. */
export interface NamedTransfer {
  /** Its transaction, on each network whose ids look like this; at least one. */
  readonly transactions: readonly Transaction[]
  /** Its position in the transaction; undefined where none was written. */
  readonly index: number | undefined
}

/** Names a transaction. */
export interface Transaction {
  readonly network: string
  readonly txid: string
}

/**
 * Reads the name of a transfer: `TXID`, `TXID:INDEX` where the transaction has several, after `NETWORK:` where several networks have it.
 *
 * @param field what the name was written for
 * @throws validation_error (the field) for anything else
 */
export function parseTransferName(
  networks: readonly NetworkTraits[],
  written: string,
  field: string,
): NamedTransfer {
  const text = written.trim()
  const named = networks.filter(({ id }) => text.toUpperCase().startsWith(`${id}:`))
  const [, name = '', index] =
    /^(.*?)(?::(\d{1,4}))?$/.exec(text.slice(named[0] ? named[0].id.length + 1 : 0)) ?? []
  const transactions = transactionsNamed(named.length > 0 ? named : networks, name)
  if (transactions.length === 0) throw InvalidInput.of(field, 'not_a_txid')
  return { transactions, index: index === undefined ? undefined : Number(index) }
}

/** Finds the transaction in a text: its id, alone or in the address of an explorer; on each network whose ids look like it. */
export function transactionsIn(networks: readonly NetworkTraits[], text: string): Transaction[] {
  const parts = text.split(/[^\p{L}\p{N}_-]+/u)
  const found = parts.map((part) => transactionsNamed(networks, part)).find((named) => named.length > 0)
  return found ?? []
}

function transactionsNamed(networks: readonly NetworkTraits[], name: string): Transaction[] {
  return networks.flatMap((network) => {
    const txid = network.txidOf(name)
    return txid === undefined ? [] : { network: network.id, txid }
  })
}

/** Returns the network of a row. */
export function networkOf(networks: readonly NetworkTraits[], id: string): NetworkTraits {
  const network = networks.find((each) => each.id === id)
  if (!network) throw new Error(`there is no network ${id}`)
  return network
}
