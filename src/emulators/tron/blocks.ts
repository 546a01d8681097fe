import { createHash } from 'node:crypto'

/** Blocks are not kept: a block is there because its time has come, and everything about it follows from its number. */

const BLOCK_MS = 3_000
/** A block is irreversible when 19 of the 27 producers have built upon it. */
export const SOLID_AFTER = 19
/** Time of block 0, chosen so that the numbers are like those of the main network. */
const GENESIS_MS = 1_530_672_594_000

export const heightAt = (time: number) => Math.floor((time - GENESIS_MS) / BLOCK_MS)
export const timeOf = (height: number) => GENESIS_MS + height * BLOCK_MS

/**
 * @param fork how many reorganisations have replaced this block
 */
export function blockId(height: number, fork: number): string {
  return height.toString(16).padStart(16, '0') + digest(`block ${height}, fork ${fork}`).slice(16)
}

export interface Header {
  readonly height: number
  readonly id: string
  readonly parentId: string
  readonly txids: readonly string[]
}

/** Returns the header as the node shows it; `address` writes addresses in the form that was asked for. */
export function headerJson(
  { height, id, parentId, txids }: Header,
  address: (hex: string) => string,
): object {
  return {
    blockID: id,
    block_header: {
      raw_data: {
        number: height,
        txTrieRoot: txids.length === 0 ? '0'.repeat(64) : digest(txids.join()),
        witness_address: address(digest(`witness ${height % 27}`).slice(0, 40)),
        parentHash: parentId,
        version: 38,
        timestamp: timeOf(height),
      },
      witness_signature: signatureOf(id),
    },
  }
}

/** Returns 65 bytes in place of a signature, which nobody checks. */
export function signatureOf(what: string): string {
  return `${digest(what)}${digest(`${what} again`)}01`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
