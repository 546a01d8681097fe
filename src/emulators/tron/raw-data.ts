import { createHash } from 'node:crypto'
import { PREFIX, type Hex20 } from './address.ts'

/** The signed part of a transaction that calls a contract. */
export interface RawData {
  readonly owner: Hex20
  readonly contract: Hex20
  readonly data: string
  /** Id of a recent block, which ties the transaction to this chain. */
  readonly refBlockId: string
  /** Milliseconds, as all times of the chain. */
  readonly timestamp: number
  readonly expiration: number
  /** In sun (10^-6 TRX); a constant call has none. */
  readonly feeLimit?: number
}

/** Encodes the message `protocol.Transaction.raw` of java-tron, in hexadecimal; the id of a transaction is the SHA-256 of it. */
export function rawDataHex(raw: RawData): string {
  const call = Buffer.concat([
    bytesField(1, Buffer.from(PREFIX + raw.owner, 'hex')),
    bytesField(2, Buffer.from(PREFIX + raw.contract, 'hex')),
    bytesField(4, Buffer.from(raw.data, 'hex')),
  ])
  const parameter = Buffer.concat([bytesField(1, Buffer.from(TYPE_URL)), bytesField(2, call)])
  const contract = Buffer.concat([numberField(1, TRIGGER_SMART_CONTRACT), bytesField(2, parameter)])
  return Buffer.concat([
    bytesField(1, Buffer.from(refBlockBytes(raw), 'hex')),
    bytesField(4, Buffer.from(refBlockHash(raw), 'hex')),
    numberField(8, raw.expiration),
    bytesField(11, contract),
    numberField(14, raw.timestamp),
    ...(raw.feeLimit === undefined ? [] : [numberField(18, raw.feeLimit)]),
  ]).toString('hex')
}

export function txidOf(rawHex: string): string {
  return createHash('sha256').update(Buffer.from(rawHex, 'hex')).digest('hex')
}

/** Returns the data as the node shows it; `address` writes addresses in the form that was asked for. */
export function rawDataJson(raw: RawData, address: (hex: Hex20) => string): object {
  const value = { data: raw.data, owner_address: address(raw.owner), contract_address: address(raw.contract) }
  return {
    contract: [{ parameter: { value, type_url: TYPE_URL }, type: 'TriggerSmartContract' }],
    ref_block_bytes: refBlockBytes(raw),
    ref_block_hash: refBlockHash(raw),
    expiration: raw.expiration,
    ...(raw.feeLimit === undefined ? {} : { fee_limit: raw.feeLimit }),
    timestamp: raw.timestamp,
  }
}

const TYPE_URL = 'type.googleapis.com/protocol.TriggerSmartContract'
/** The number of this kind of contract in java-tron's ContractType. */
const TRIGGER_SMART_CONTRACT = 31

const refBlockBytes = ({ refBlockId }: RawData) => refBlockId.slice(12, 16)
const refBlockHash = ({ refBlockId }: RawData) => refBlockId.slice(16, 32)

function varint(value: number): number[] {
  // Values may exceed 32 bits, so no bit shifts.
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

function numberField(field: number, value: number): Buffer {
  return Buffer.from([...varint(field * 8), ...varint(value)])
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(bytes.length)]), bytes])
}
