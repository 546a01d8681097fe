import type { TransferState } from '../../generated/prisma/client.ts'

/** Whether the operator has decided that a transfer is no payment; one that was ignored automatically, such as dust, does not count. */
export function isIgnoredByOperator({
  state,
  resolvedAt,
}: {
  readonly state: TransferState
  readonly resolvedAt: string | null
}): boolean {
  return state === 'ignored' && resolvedAt !== null
}
