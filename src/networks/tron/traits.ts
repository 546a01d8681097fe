import type { NetworkTraits } from '../../core/top-ups/payment-network.ts'
import { isAddress } from './address.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** 19 of the 27 super representatives have confirmed a block by then. */
const CONFIRMATIONS = 19
const BLOCK_MS = 3_000

export const TRON: NetworkTraits = {
  id: 'TRC20',
  name: { full: 'TRON (TRC20)', short: 'TRC20', chain: 'TRON', coin: 'TRX' },
  decimals: 6,
  blockMs: BLOCK_MS,
  confirmations: CONFIRMATIONS,
  finalMs: CONFIRMATIONS * BLOCK_MS,
  vanishedMs: 10 * MINUTE_MS,
  listedMs: 30 * MINUTE_MS,
  sweeps: {
    often: { everyMs: 10 * MINUTE_MS, backMs: 24 * HOUR_MS },
    seldom: { everyMs: 24 * HOUR_MS, backMs: 7 * 24 * HOUR_MS },
  },
  keySetting: 'TRON_API_KEY',
  isAddress,
  txidOf: (text) => /^(?:0x)?([0-9a-f]{64})$/.exec(text.toLowerCase())?.[1],
  transactionUrl: (txid) => `https://tronscan.org/#/transaction/${txid}`,
  // The bare address: wallets refuse, or misread, URIs with an amount.
  qrContent: (wallet) => wallet,
}
