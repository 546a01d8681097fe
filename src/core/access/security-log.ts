import type { Actor } from './actor.ts'
import { type Micros, toNumber } from '../money.ts'

/** A record for the investigation of incidents: who did what, to whom, from where. Never holds a secret. */
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
    | 'join_link_created'
    | 'join_link_revoked'
    | 'sub_user_joined'
    | 'password_changed'
    | 'password_refused'
    | 'log_out'
    | 'log_out_everywhere'
    | 'api_key_created'
    | 'api_key_revoked'
    | 'webhook_created'
    | 'webhook_changed'
    | 'webhook_deleted'
    | 'webhook_secret_rotated'
    | 'balance_adjusted'
    | 'payout_requested'
    | 'operator_action'
  /** The account that did it; null when nobody was authenticated. */
  readonly account: number | null
  /** Network address or chat. */
  readonly from: string | undefined
  /** The account that it was done to. */
  readonly target?: number
  /** Why it was refused. */
  readonly error?: string
  readonly status?: string
  /** The amount of money that moved, in units of the currency. */
  readonly amount?: number
  readonly transaction?: string
  /** Id of an API key. */
  readonly key?: number
  /** Id of a webhook. */
  readonly webhook?: number
  /** What the operator did, and to what; the trail has the rest. */
  readonly action?: string
  readonly subject?: string
  /** Names of the fields of the account that were changed, without their values. */
  readonly changed?: readonly string[]
}

/** Records a security event; `app.ts` passes the log in. */
export type SecurityLog = (event: SecurityEvent) => void

type Facts = Pick<
  SecurityEvent,
  'target' | 'key' | 'webhook' | 'status' | 'amount' | 'transaction' | 'changed'
>

/**
 * A use case whose successes are security events.
 *
 * @param facts what to record of a success: undefined when nothing was changed, a list when several accounts were
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
