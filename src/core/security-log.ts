import type { Actor } from './access.ts'
import { type Micros, toNumber } from './money.ts'

/** Something that whoever looks into an incident wants to know: who did what, to whom, from where. Never holds a secret. */
export interface SecurityEvent {
  readonly event:
    | 'login_ok'
    | 'login_failed'
    | 'sub_user_created'
    | 'sub_user_account_edited'
    | 'sub_user_status_set'
    | 'sub_user_deleted'
    | 'invite_created'
    | 'invite_opened'
    | 'password_changed'
    | 'password_refused'
    | 'balance_adjusted'
    | 'transfer_resolved'
  /** The account that did it; null when nobody has proved to be one. */
  readonly account: number | null
  /** Network address or chat. */
  readonly from: string | undefined
  /** The account that it was done to. */
  readonly target?: number
  /** Why it was refused. */
  readonly error?: string
  readonly status?: string
  /** What moved, in units of the currency. */
  readonly amount?: number
  readonly transaction?: string
  /** Which parts of an account were changed; never to what. */
  readonly changed?: readonly string[]
}

/** Writes a security event down; `app.ts` hands the log in. */
export type SecurityLog = (event: SecurityEvent) => void

type Facts = Pick<SecurityEvent, 'target' | 'status' | 'amount' | 'transaction' | 'changed'>

/**
 * A use case whose successes are security events.
 *
 * @param facts what to write down about one of them: undefined when it changed nothing, several when it changed several
 */
export function logged<Deps, Args extends unknown[], Result>(
  event: SecurityEvent['event'],
  useCase: (deps: Deps, actor: Actor, ...args: Args) => Promise<Result>,
  facts: (result: Result, ...args: Args) => Facts | readonly Facts[] | undefined,
): (deps: Deps & { readonly securityLog: SecurityLog }, actor: Actor, ...args: Args) => Promise<Result> {
  return async (deps, actor, ...args) => {
    const result = await useCase(deps, actor, ...args)
    for (const known of [facts(result, ...args) ?? []].flat())
      deps.securityLog({ event, account: actor.id, from: actor.origin, ...known })
    return result
  }
}

/** Money as the log shows it; nothing when none moved. */
export function moved(amount: Micros): { amount?: number } {
  return amount === 0 ? {} : { amount: toNumber(amount) }
}
