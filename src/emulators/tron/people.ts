import { addressOf, toHex20, type Hex20 } from './address.ts'
import { heightAt, timeOf } from './blocks.ts'
import type { ChainState } from './chain.ts'
import { calldata, gasFreeLog, type Log, tokenLog, word } from './contract-calls.ts'
import type { Chain, TokenEvent } from './types.ts'

/** The address that pays when no other is named, and the play money that it begins with: a million USDT. */
export const PAYER = 'TSandboxPayerSpendsPLayMoneyrvmeJH'
export const PLAY_MONEY = 1_000_000_000_000n

/** The contract of the GasFree service, and the address that sends its transactions and takes the fee. */
const GASFREE = {
  contract: 'TFFAMQLZybALaLb4uxHA9RBE7pxhUAjF3U',
  collector: 'TSandboxGasFreeServiceEarnervEazuj',
  fee: 1_500_000n,
  selector: '6f21b898',
}
/** A contract that pays many at once. */
const MULTISEND = { contract: addressOf('multisend'), selector: 'ad8733ca' }

/** What people do on the chain: they send transactions. It also has the network drop a transaction, or include it again. */
export function peopleSide(
  chain: ChainState,
  { wallet, contract }: { wallet: string; contract: string },
): Chain {
  const usdt = toHex20(contract)

  /** @throws Error for a contract that nobody made */
  function tokenAt(base58: string): Hex20 {
    const address = toHex20(base58)
    if (!chain.tokens.has(address)) throw new Error(`there is no token ${base58}: call addToken first`)
    return address
  }

  function logOf(event: TokenEvent) {
    const { type = 'Transfer', from = PAYER, to = wallet, units } = event
    const movement = { from: toHex20(from), to: toHex20(to), units }
    return tokenLog(type, tokenAt(event.contract ?? contract), movement)
  }

  /** Drafts a call of the token contract itself. Tether's returns nothing where others return true. */
  function tokenCall(log: Log, data: string, owner: Hex20) {
    return {
      owner,
      contract: log.contract,
      data,
      logs: [log],
      returned: word(log.contract === usdt ? 0n : 1n),
    }
  }

  return {
    wallet,
    contract,
    payer: PAYER,

    transfer(payment) {
      const log = logOf({ ...payment, type: 'Transfer' })
      const { from, to, units } = log.movement
      return chain.send(tokenCall(log, calldata('transfer(address,uint256)', to, units), from), payment)
    },
    transferFrom(payment) {
      const log = logOf({ ...payment, type: 'Transfer' })
      const { from, to, units } = log.movement
      const data = calldata('transferFrom(address,address,uint256)', from, to, units)
      return chain.send(tokenCall(log, data, toHex20(payment.spender)), payment)
    },
    approve({ owner = PAYER, spender = wallet, ...approval }) {
      const log = logOf({ ...approval, type: 'Approval', from: owner, to: spender })
      const { from, to, units } = log.movement
      return chain.send(tokenCall(log, calldata('approve(address,uint256)', to, units), from), approval)
    },
    gasFree({ fee = GASFREE.fee, ...payment }) {
      const service = toHex20(GASFREE.contract)
      const owner = toHex20(GASFREE.collector)
      const logs = [
        logOf({ ...payment, to: GASFREE.collector, units: fee }),
        logOf(payment),
        gasFreeLog(service),
      ]
      return chain.send({ owner, contract: service, data: GASFREE.selector, logs, returned: '' }, payment)
    },
    batch(events, placement = {}) {
      const draft = { owner: toHex20(PAYER), contract: MULTISEND.contract, data: MULTISEND.selector }
      return chain.send({ ...draft, logs: events.map(logOf), returned: '' }, placement)
    },

    addToken: chain.addToken,
    drop: chain.drop,
    include: chain.include,
    head: chain.head,
    solidHead: chain.solidHead,
    blockAt(moment) {
      const number = heightAt(moment.getTime())
      return { number, id: chain.header(number).id, time: new Date(timeOf(number)) }
    },
    find(txid) {
      const placed = chain.find(txid)
      if (!placed || placed.height > chain.head()) return undefined
      return {
        block: placed.height,
        time: new Date(timeOf(placed.height)),
        outcome: placed.transaction.outcome,
        solid: placed.height <= chain.solidHead(),
      }
    },
    balance: (address, token = contract) =>
      chain.balanceAfter(chain.head(), toHex20(address), toHex20(token)),
  }
}
