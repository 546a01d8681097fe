import { PREFIX, readAddress, readBase58, toBase58 } from './address.ts'
import { invalidHex, json, nodeError, type Answer } from './answers.ts'
import { headerJson, timeOf } from './blocks.ts'
import { constantCall } from './constant-call.ts'
import { receiptJson, transactionJson } from './transaction.ts'
import type { Placed } from './chain.ts'
import { textOf, type NodeCall, type Parameters } from './node-call.ts'
import type { NodeMethod } from './types.ts'
import type { View } from './view.ts'

/**
 * Answers as the HTTP API of a node (java-tron).
 *
 * @param solidity `/walletsolidity`: the same over irreversible blocks only
 */
export function nodeAnswer(
  view: View,
  solidity: boolean,
  method: NodeMethod,
  parameters: Parameters,
): Answer {
  const visible = textOf(parameters['visible']) === 'true'
  return METHODS[method](
    {
      view,
      newest: solidity ? view.solidHead : view.head,
      visible,
      address: (hex) => (visible ? toBase58(hex) : PREFIX + hex),
      readAddress: (parameter) => (visible ? readBase58 : readHex)(textOf(parameter)),
    },
    parameters,
  )
}

/** A node takes hexadecimal addresses with the prefix only. */
const readHex = (text: string) => (text.startsWith(PREFIX) ? readAddress(text) : undefined)

const METHODS: Readonly<Record<NodeMethod, (call: NodeCall, parameters: Parameters) => Answer>> = {
  gettransactioninfobyid: (call, { value }) =>
    withTransaction(call, value, (placed) => receipt(call, placed)),
  gettransactionbyid: (call, { value }) =>
    withTransaction(call, value, ({ transaction }) => transactionJson(transaction, call.address)),
  gettransactioninfobyblocknum(call, { num }) {
    const height = Number(textOf(num))
    if (!Number.isInteger(height))
      return nodeError(`class java.lang.NumberFormatException : For input string: "${textOf(num)}"`)
    return height <= 0
      ? json({})
      : json(inBlock(call, height).map((transaction) => receipt(call, { transaction, height })))
  },
  getnowblock: (call) => json(block(call, call.newest)),
  getblock(call, { id_or_num: wanted, detail }) {
    const height = heightOf(call, textOf(wanted))
    if (height === undefined) return json({})
    return json(
      textOf(detail) === 'true'
        ? block(call, height)
        : headerJson(call.view.chain.header(height), call.address),
    )
  },
  getcontract(call, { value }) {
    const hex = call.readAddress(value)
    const token = hex === undefined ? undefined : call.view.chain.tokens.get(hex)
    if (hex === undefined || !token) return json({})
    return json({ name: token.name, contract_address: call.address(hex), bytecode: '60806040' })
  },
  triggerconstantcontract: constantCall,
}

/** `{}` means that the transaction is unknown, or not there yet; it never means that it has failed. */
function withTransaction(call: NodeCall, txid: unknown, show: (placed: Placed) => object): Answer {
  const id = textOf(txid).toLowerCase()
  if (!/^(?:[0-9a-f]{2})*$/.test(id)) return invalidHex
  const placed = call.view.chain.find(id)
  return json(placed && placed.height <= call.newest ? show(placed) : {})
}

function receipt({ visible, address }: NodeCall, { transaction, height }: Placed): object {
  return receiptJson(transaction, { height, time: timeOf(height) }, visible, address)
}

function inBlock({ view, newest }: NodeCall, height: number) {
  return height <= newest ? view.chain.inBlock(height) : []
}

function block(call: NodeCall, height: number): object {
  const transactions = inBlock(call, height)
  return {
    ...headerJson(call.view.chain.header(height), call.address),
    ...(transactions.length > 0 && {
      transactions: transactions.map((transaction) => transactionJson(transaction, call.address)),
    }),
  }
}

/** Returns the height of the block with this number or id, of the newest one without; undefined when there is none. */
function heightOf({ view, newest }: NodeCall, wanted: string): number | undefined {
  if (wanted === '') return newest
  const height = /^\d{1,15}$/.test(wanted) ? Number(wanted) : Number.parseInt(wanted.slice(0, 16), 16)
  if (!(height >= 0 && height <= newest)) return undefined
  return wanted === String(height) || wanted === view.chain.header(height).id ? height : undefined
}
