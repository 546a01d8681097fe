import type { TransferState } from '../../generated/prisma/client.ts'

/** Whether the operator has decided that a transfer is no payment; what was ignored by itself, such as dust, was never decided. */
export function isIgnoredByOperator({
  state,
  resolvedAt,
}: {
  readonly state: TransferState
  readonly resolvedAt: string | null
}): boolean {
  return state === 'ignored' && resolvedAt !== null
}
