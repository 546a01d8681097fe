import { z } from 'zod'
import { ChainUnavailable, type Receipt, type TransferLog } from '../../core/top-ups/payment-network.ts'
import { toAccount, toAddress } from './address.ts'
import { BlockNumber, BlockTime } from './block.ts'

/** keccak256 of `Transfer(address,address,uint256)`: the first topic of every such event. */
const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** An address, as the 32 bytes of a topic. */
const ADDRESS_TOPIC = /^0{24}([0-9a-f]{40})$/i
const WORD = /^[0-9a-f]{64}$/i

const Log = z.object({
  address: z.string(),
  // Nodes leave out what is empty.
  topics: z.array(z.string()).default([]),
  data: z.string().default(''),
})
type Log = z.output<typeof Log>

const TransactionInfo = z.object({
  id: z.string(),
  blockNumber: BlockNumber,
  blockTimeStamp: BlockTime,
  /** Left out when nothing went wrong. */
  result: z.string().optional(),
  /** A transfer of TRX has no `result`: it runs no contract. */
  receipt: z.object({ result: z.string().optional() }),
  log: z.array(Log).default([]),
})

/**
 * Parses the answer of `walletsolidity/gettransactioninfobyid`. Only events count as transfers: neither the call nor its return value
 * (USDT returns none) proves one.
 *
 * @returns undefined for `{}`: the transaction is unknown, or not irreversible yet
 * @throws ChainUnavailable for anything that does not fully follow the format of TRON
 */
export function readReceipt(answer: object, txid: string, contract: string): Receipt | undefined {
  if (Object.keys(answer).length === 0) return undefined
  const parsed = TransactionInfo.safeParse(answer)
  if (!parsed.success) throw badReceipt(txid, `its ${parsed.error.issues[0]?.path.join('.')} is wrong`)
  const { id, blockNumber, blockTimeStamp, result, receipt, log } = parsed.data
  if (id.toLowerCase() !== txid.toLowerCase()) throw badReceipt(txid, 'it is that of another transaction')
  const success = receipt.result === 'SUCCESS' && result !== 'FAILED'
  return {
    txid: txid.toLowerCase(),
    blockNumber,
    blockTime: blockTimeStamp,
    success,
    transfers: success ? transfersOf(log, txid, contract) : [],
  }
}

function transfersOf(log: readonly Log[], txid: string, contract: string): TransferLog[] {
  const account = toAccount(contract)
  return log.flatMap((entry, index) => {
    const emitter = toAccount(entry.address)
    if (emitter === undefined) throw badReceipt(txid, `log ${index} has no address`)
    if (emitter !== account || entry.topics[0]?.toLowerCase() !== TRANSFER) return []
    const from = ADDRESS_TOPIC.exec(entry.topics[1] ?? '')?.[1]
    const to = ADDRESS_TOPIC.exec(entry.topics[2] ?? '')?.[1]
    if (!from || !to || entry.topics.length !== 3 || !WORD.test(entry.data)) {
      throw badReceipt(txid, `log ${index} is no proper transfer`)
    }
    return [{ index, contract, from: toAddress(from), to: toAddress(to), raw: BigInt(`0x${entry.data}`) }]
  })
}

function badReceipt(txid: string, problem: string): ChainUnavailable {
  return new ChainUnavailable('bad_answer', `the receipt of ${txid}: ${problem}`)
}
