import type { TronWeb } from 'tronweb'
import { z } from 'zod'
import { ChainUnavailable } from '../../core/top-ups/payment-network.ts'
import { toAccount } from './address.ts'

/** Methods that are called on a token contract. */
type ContractCall = 'balanceOf(address)' | 'decimals()' | 'symbol()'

const ConstantResult = z.object({
  result: z.object({ code: z.string().optional(), message: z.string().optional() }),
  constant_result: z.array(z.string().regex(/^[0-9a-f]*$/i)).default([]),
})
/** The record of a contract; other addresses have `{}`. */
const Contract = z.object({ contract_address: z.string() })

const WORD = 64

/** Words of 64 hexadecimal digits; `missing`: there is no contract at this address; `refused`: it has no such method. */
type ContractAnswer = { readonly words: string } | 'missing' | 'refused'

/**
 * Calls a method of a contract at the irreversible head.
 *
 * @param account parameter of the call, base58
 * @throws ChainUnavailable
 */
export async function askContract(
  tron: TronWeb,
  contract: string,
  call: ContractCall,
  account?: string,
): Promise<ContractAnswer> {
  const answer: unknown = await tron.solidityNode.request(
    'walletsolidity/triggerconstantcontract',
    {
      owner_address: hex(account ?? contract),
      contract_address: hex(contract),
      function_selector: call,
      parameter: account === undefined ? '' : hex(account).slice(2).padStart(WORD, '0'),
    },
    'post',
  )
  const parsed = ConstantResult.safeParse(answer)
  if (!parsed.success) throw badAnswer(`${call} has no answer`)
  const { result, constant_result: words } = parsed.data
  if (result.code === 'CONTRACT_VALIDATE_ERROR') return 'missing'
  if (result.code !== undefined && result.code !== 'SUCCESS') {
    throw badAnswer(`${call} was answered with ${result.code.slice(0, 40)}`)
  }
  // A reverted call has the code SUCCESS, too, but a message.
  if (result.message !== undefined) return 'refused'
  const all = words.join('')
  return all === '' ? 'refused' : { words: all }
}

/**
 * Calls a method of a contract that returns a number.
 *
 * @throws ChainUnavailable, also when there is no such contract, or the answer is no number
 */
export async function readNumber(...asked: Parameters<typeof askContract>): Promise<bigint> {
  const [, contract, call] = asked
  const answer = await askContract(...asked)
  if (answer === 'missing') throw badAnswer(`${contract} is no contract`)
  if (answer === 'refused' || answer.words.length !== WORD)
    throw badAnswer(`${call} has no number for an answer`)
  return BigInt(`0x${answer.words}`)
}

/** Returns the text in an answer (contract ABI: offset, length, bytes), with unprintable characters replaced; empty for none. */
export function textOf(answer: ContractAnswer | undefined): string {
  if (typeof answer !== 'object') return ''
  const { words } = answer
  const bytes = Number.parseInt(words.slice(WORD, 2 * WORD), 16)
  const text = Buffer.from(words.slice(2 * WORD), 'hex').toString('utf8', 0, Math.min(bytes, 20))
  return text.replaceAll(/[^\p{L}\p{N} .$₮-]/gu, '?')
}

/**
 * Whether there is a contract at this address.
 *
 * @throws ChainUnavailable
 */
export async function isContract(tron: TronWeb, address: string): Promise<boolean> {
  const answer: unknown = await tron.fullNode.request('wallet/getcontract', { value: hex(address) }, 'post')
  return Contract.safeParse(answer).success
}

function hex(address: string): string {
  return `41${toAccount(address)}`
}

function badAnswer(problem: string): ChainUnavailable {
  return new ChainUnavailable('bad_answer', problem)
}
