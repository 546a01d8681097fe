import bs58check from 'bs58check'

/** Every account of TRON's main network begins with this byte; the chain's own records often leave it out. */
const PREFIX = 0x41

/** Whether the text is a TRON address as wallets show it: base58, 34 characters, with a good checksum. */
export function isAddress(text: string): boolean {
  // Check the length first: decoding time grows with its square.
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false
  return bs58check.decodeUnsafe(text)?.[0] === PREFIX
}

/**
 * Returns the 20 bytes that name an account, as 40 hexadecimal digits in lower case, from any of the forms that nodes write: those
 * digits, the same after 41, base58.
 *
 * @returns undefined for anything else
 */
export function toAccount(text: string): string | undefined {
  if (/^(41)?[0-9a-f]{40}$/i.test(text)) return text.slice(-40).toLowerCase()
  return isAddress(text) ? Buffer.from(bs58check.decode(text)).toString('hex', 1) : undefined
}

/** Returns the base58 address of an account that is given by its 40 hexadecimal digits. */
export function toAddress(account: string): string {
  return bs58check.encode(Buffer.from(`${PREFIX.toString(16)}${account}`, 'hex'))
}
