import type { Hex20 } from './address.ts'
import { signatureOf } from './blocks.ts'
import type { Log } from './contract-calls.ts'
import { rawDataHex, rawDataJson, txidOf, type RawData } from './raw-data.ts'
import type { Outcome } from './types.ts'

export interface Transaction {
  readonly txid: string
  readonly raw: RawData
  readonly rawHex: string
  readonly outcome: Outcome
  /** The logs; none when it failed. */
  readonly logs: readonly Log[]
  /** What the called method returned, in hexadecimal. */
  readonly returned: string
}

export function createTransaction(fields: Omit<Transaction, 'txid' | 'rawHex'>): Transaction {
  const rawHex = rawDataHex(fields.raw)
  const logs = fields.outcome === 'SUCCESS' ? fields.logs : []
  return { ...fields, logs, rawHex, txid: txidOf(rawHex) }
}

/** Returns the answer of `gettransactionbyid`. */
export function transactionJson(transaction: Transaction, address: (hex: Hex20) => string): object {
  return {
    ret: [{ contractRet: transaction.outcome }],
    signature: [signatureOf(transaction.txid)],
    txID: transaction.txid,
    raw_data: rawDataJson(transaction.raw, address),
    raw_data_hex: transaction.rawHex,
  }
}

/** What the network charges and uses, by outcome, as for real transactions; in sun and units of energy. */
const COSTS = {
  SUCCESS: {
    fee: 345_000,
    receipt: {
      energy_usage: 64_285,
      energy_usage_total: 64_285,
      net_fee: 345_000,
      energy_penalty_total: 49_635,
    },
  },
  REVERT: { fee: 3_966_220, receipt: { energy_fee: 3_621_220, energy_usage_total: 8_624, net_fee: 345_000 } },
  OUT_OF_ENERGY: {
    fee: 16_500_120,
    receipt: {
      energy_fee: 16_500_120,
      energy_usage_total: 78_572,
      net_usage: 345,
      energy_penalty_total: 25_905,
    },
  },
} as const

const REASONS = {
  REVERT: 'REVERT opcode executed',
  OUT_OF_ENERGY:
    "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[78572], curOpEnergy[20000], penaltyEnergy[68000], usedEnergy[33567]",
} as const

/**
 * Returns the answer of `gettransactioninfobyid`: the receipt. Fields with a default value are left out, as protobuf does: a success
 * has no `result` of its own.
 */
export function receiptJson(
  transaction: Transaction,
  block: { height: number; time: number },
  visible: boolean,
  address: (hex: Hex20) => string,
): object {
  const { txid, raw, outcome, logs, returned } = transaction
  const { fee, receipt } = COSTS[outcome]
  return {
    id: txid,
    fee,
    blockNumber: block.height,
    blockTimeStamp: block.time,
    contractResult: [outcome === 'SUCCESS' ? returned : ''],
    contract_address: address(raw.contract),
    receipt: { ...receipt, result: outcome },
    ...(logs.length > 0 && {
      log: logs.map(({ contract, topics, data }) => ({
        // Twenty bytes only, unless the address is to be readable.
        address: visible ? address(contract) : contract,
        topics,
        data,
      })),
    }),
    ...(outcome !== 'SUCCESS' && {
      result: 'FAILED',
      resMessage: visible ? REASONS[outcome] : Buffer.from(REASONS[outcome]).toString('hex'),
    }),
  }
}
