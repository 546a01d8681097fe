import { json, nodeError, type Answer } from './answers.ts'
import { type Method, SELECTORS, textWords, word } from './contract-calls.ts'
import { type NodeCall, type Parameters, textOf } from './node-call.ts'
import { rawDataHex, rawDataJson, txidOf } from './raw-data.ts'

/** Energy that a call costs, as real calls did. */
const ENERGY = { answered: 935, reverted: 1_984 }

const hexText = (text: string) => Buffer.from(text).toString('hex')

/** Answers `triggerconstantcontract`: asks a contract without a transaction. */
export function constantCall(call: NodeCall, parameters: Parameters): Answer {
  const { view, newest, visible } = call
  const owner = call.readAddress(parameters['owner_address'])
  const contract = call.readAddress(parameters['contract_address'])
  if (owner === undefined || contract === undefined)
    return nodeError(
      "class java.lang.IllegalArgumentException : owner_address or contract_address isn't valid.",
    )
  const text = (words: string) => (visible ? words : hexText(words))
  const token = view.chain.tokens.get(contract)
  if (!token)
    return json({
      result: { code: 'CONTRACT_VALIDATE_ERROR', message: text('Smart contract is not exist.') },
    })

  const signature = textOf(parameters['function_selector'])
  const argument = textOf(parameters['parameter'])
  const results: Partial<Record<string, () => string>> = {
    'balanceOf(address)': () =>
      word(view.chain.balanceAfter(newest, argument.slice(-40).toLowerCase(), contract)),
    'decimals()': () => word(BigInt(token.decimals)),
    'symbol()': () => textWords(token.symbol),
    'deprecated()': () => word(0n),
  }
  const result = results[signature]
  const data = (signature in SELECTORS ? SELECTORS[signature as Method] : '') + argument
  const now = view.chain.now()
  const raw = {
    owner,
    contract,
    data,
    refBlockId: view.chain.header(newest).id,
    timestamp: now,
    expiration: now + 60_000,
  }
  const rawHex = rawDataHex(raw)
  return json({
    // True for a call that was reverted, too.
    result: { result: true, ...(!result && { message: text('REVERT opcode executed') }) },
    energy_used: result ? ENERGY.answered : ENERGY.reverted,
    constant_result: [result ? result() : ''],
    transaction: {
      ret: [result ? {} : { ret: 'FAILED' }],
      visible,
      txID: txidOf(rawHex),
      raw_data: rawDataJson(raw, call.address),
      raw_data_hex: rawHex,
    },
  })
}
