import type { Core } from '../../core/core.ts'
import type { Notice } from '../../core/notices/messenger.ts'
import { agentChangedMessage, newLogInMessage } from '../topics/accounts/notices.ts'
import {
  credentialsMessage,
  delayMessage,
  deliveryMessage,
  endedMessage,
  proxyMessage,
  timeMessage,
} from '../topics/orders/notices.ts'
import { ownBotMessage } from '../topics/own-bots/notices.ts'
import { webhookOffMessage } from '../topics/programs/notices.ts'
import { supportMessage } from '../topics/support/notices.ts'
import { topUpMessage } from '../topics/top-ups/notices.ts'
import { freedMessage, trafficMessage } from '../topics/traffic/notices.ts'
import { payoutMessage } from './payout-message.ts'
import {
  adjustedMessage,
  declinedMessage,
  moneyWantedMessage,
  returnedMessage,
} from '../topics/users/notices.ts'
import type { Message } from '../kit/message.ts'
import type { OfBrand } from '../session/view-of.ts'

/**
 * What somebody is told about its own matters.
 *
 * @throws order_not_found when the recipient may not see the order any more
 */
export async function ownMessage(
  core: Core,
  notice: OfBrand<Exclude<Notice, { kind: 'broadcast' }>>,
): Promise<Message> {
  switch (notice.kind) {
    case 'order_ready':
    case 'order_partial':
    case 'order_failed':
      return deliveryMessage(core, notice)
    case 'order_delayed':
      return delayMessage(core, notice)
    case 'renewal_done':
    case 'renewal_failed':
    case 'expiring_72h':
    case 'expiring_24h':
    case 'expired':
      return timeMessage(core, notice)
    case 'proxies_ended':
      return endedMessage(core, notice)
    case 'credentials_changed':
      return credentialsMessage(core, notice)
    case 'proxy_dead':
    case 'replacement_ended':
      return proxyMessage(core, notice)
    case 'traffic_80':
    case 'traffic_100':
      return trafficMessage(notice)
    case 'new_log_in':
      return newLogInMessage(notice)
    case 'own_bot':
      return ownBotMessage(notice)
    case 'agent_changed':
      return agentChangedMessage(notice)
    case 'address_freed':
      return freedMessage(notice)
    case 'low_balance':
    case 'top_up_paid':
    case 'top_up_late':
    case 'top_up_expired':
      return topUpMessage(core, notice)
    case 'balance_adjusted':
      return adjustedMessage(core, notice)
    case 'balance_returned':
      return returnedMessage(core.currency, notice)
    case 'money_declined':
      return declinedMessage(core, notice)
    case 'money_wanted':
      return moneyWantedMessage(core.currency, notice)
    case 'payout_paid':
    case 'payout_refused':
      return payoutMessage(core.currency, notice)
    case 'webhook_off':
      return webhookOffMessage(notice)
    case 'support_question':
    case 'support_answer':
    case 'support_closed':
      return supportMessage(core, notice)
  }
}
