import type { SystemRemark } from '../../generated/prisma/client.ts'

export type { SystemRemark }

const WORDS: Readonly<Record<SystemRemark, string>> = {
  initial_balance: 'Initial balance',
  adjusted_by_agent: 'Adjusted by the agent',
  account_deleted: 'Account deleted',
  renewal: 'Renewal',
  earnings: 'Earnings',
}

/** The remark of a ledger entry. */
export interface EntryRemark {
  readonly remark: string
  /** Kind of a remark of the service, which is shown in the reader's language. */
  readonly remarkKind?: SystemRemark
}

/**
 * Returns the remark of an entry that the service itself makes: its kind, and its text in English.
 *
 * @param number number of the record that it is about
 */
export function systemRemark(kind: SystemRemark, number?: string): Required<EntryRemark> {
  return { remark: number === undefined ? WORDS[kind] : `${WORDS[kind]} ${number}`, remarkKind: kind }
}
