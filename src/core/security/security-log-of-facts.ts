import type { SecurityEvent, SecurityLog } from '../access/security-log.ts'
import { type FactOf, madeOf, type Makes } from '../facts/facts.ts'
import type { Hearer } from '../facts/happened.ts'
import { type Micros, toNumber } from '../money.ts'
import { originOf } from '../people/operator.ts'

/** Lines of the security log, by kind of fact; refusals are no facts, and are logged where they occur. */
const LINES: Makes<SecurityEvent | readonly SecurityEvent[]> = {
  'sub_user.created': ({ actor, userId, balance }) =>
    line('sub_user_created', actor, { target: userId, ...moved(balance) }),
  'sub_user.edited': ({ actor, userId, changed }) =>
    line('sub_user_account_edited', actor, { target: userId, changed }),
  'sub_users.status_set': ({ actor, userIds, status }) =>
    userIds.flatMap((target) => line('sub_user_status_set', actor, { target, status })),
  'sub_user.deleted': ({ actor, userId, returned }) =>
    line('sub_user_deleted', actor, { target: userId, ...moved(-returned) }),
  'account.registered': ({ actor, trial }) => line('sub_user_joined', actor, moved(trial)),
  'invite.created': ({ actor, userId }) => line('invite_created', actor, { target: userId }),
  'invite.opened': ({ actor }) => line('invite_opened', actor),
  'join_link.created': ({ actor }) => line('join_link_created', actor),
  'join_link.revoked': ({ actor }) => line('join_link_revoked', actor),
  'agent_bot.added': ({ actor, botId }) => line('agent_bot_added', actor, { bot: botId }),
  'agent_bot.commanded': ({ actor, botId }) => line('agent_bot_commanded', actor, { bot: botId }),
  'password.changed': ({ actor }) => line('password_changed', actor),
  'account.logged_out': ({ actor }) => line('log_out', actor),
  'account.logged_out_everywhere': ({ actor }) => line('log_out_everywhere', actor),
  'api_key.created': ({ actor, keyId }) => line('api_key_created', actor, { key: keyId }),
  'api_key.revoked': ({ actor, keyId }) => line('api_key_revoked', actor, { key: keyId }),
  'webhook.created': ({ actor, webhookId }) => line('webhook_created', actor, { webhook: webhookId }),
  'webhook.changed': ({ actor, webhookId }) => line('webhook_changed', actor, { webhook: webhookId }),
  'webhook.deleted': ({ actor, webhookId }) => line('webhook_deleted', actor, { webhook: webhookId }),
  'webhook.secret_rotated': ({ actor, webhookId }) =>
    line('webhook_secret_rotated', actor, { webhook: webhookId }),
  'balance.adjusted': ({ actor, userId, number, amount, alone }) =>
    line('balance_adjusted', actor, {
      target: userId,
      ...(alone && { transaction: number }),
      ...moved(amount),
    }),
  'payout.requested': ({ actor, amount }) => line('payout_requested', actor, moved(-amount)),
  'operator.acted': ({ by, action, subject }) => ({
    event: 'operator_action',
    account: null,
    from: originOf(by),
    action,
    subject,
  }),
}

/** @param actor undefined when the account did not do it itself: then there is no line */
function line(
  event: SecurityEvent['event'],
  actor: FactOf<'sub_user.created'>['actor'],
  data?: Omit<SecurityEvent, 'event' | 'account' | 'from'>,
): SecurityEvent | [] {
  return actor ? { event, account: actor.id, from: actor.origin, ...data } : []
}

/** Money as the log shows it; nothing when none moved. */
function moved(amount: Micros): { amount?: number } {
  return amount === 0 ? {} : { amount: toNumber(amount) }
}

/** Writes the lines of what has happened, once it is committed. */
export function securityLogOfFacts(securityLog: SecurityLog): Hearer {
  return () => {
    const lines: SecurityEvent[] = []
    return {
      begin: (facts) => void lines.push(...facts.flatMap((fact) => madeOf(LINES, fact) ?? [])),
      committed: () => {
        for (const event of lines) securityLog(event)
      },
    }
  }
}
