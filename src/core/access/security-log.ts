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
    | 'agent_bot_added'
    | 'agent_bot_commanded'
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
  /** Id of the bot of an agent. */
  readonly bot?: number
  /** Id of a webhook. */
  readonly webhook?: number
  /** What the operator did, and to what; the trail has the rest. */
  readonly action?: string
  readonly subject?: string
  /** Names of the fields of the account that were changed, without their values. */
  readonly changed?: readonly string[]
}

/** Records a security event; `src/app/` passes the log in. */
export type SecurityLog = (event: SecurityEvent) => void
