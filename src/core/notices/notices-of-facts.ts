import { type Fact, type FactOf, madeOf, type Makes, nameOfTransfer } from '../facts/facts.ts'
import type { Hearer } from '../facts/happened.ts'
import type { OperatorFact } from '../facts/operator-facts.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { announce, announceToOperators, type News } from './announce.ts'
import { isOperatorFact } from './concerns.ts'

/** The notices by kind of fact: the accounts that are told, and the data. Facts told to the shop as they are: see `concerns.ts`. */
const NOTICES: Makes<News | OperatorFact | readonly (News | OperatorFact)[]> = {
  'sub_user.joined': ({ userId, trial, missing }) => ({
    accountIds: [userId],
    kind: 'sub_user_joined',
    subject: String(userId),
    data: { trial, missing },
  }),
  'agent.changed': ({ userId, at, agent, ended }) => ({
    accountIds: [userId],
    kind: 'agent_changed',
    subject: `${userId} ${at}`,
    data: { agent, ended },
    tellAgents: false,
    always: true,
  }),
  'agent_bot.changed': ({ agentId, agent, botId, username, state, reason, byOperator, at }) => {
    const subject = `${botId} ${at}`
    const data = { username, state, reason, byOperator }
    const own = { accountIds: [agentId], kind: 'own_bot', subject, data } as const
    if (byOperator || state === 'active' || state === 'pending') return own
    return [own, { kind: 'agent_bot_stopped', subject, data: { agent, username, state, reason } }]
  },
  'chat.logged_in': ({ userId, chatId, at, personName, telegramName }) => ({
    accountIds: [userId],
    kind: 'new_log_in',
    subject: `${chatId} ${at}`,
    data: { personName, telegramName, at },
    tellAgents: false,
  }),
  'balance.adjusted': ({ userId, number, amount, balance, remark, by, agent, cause }) => ({
    accountIds: [userId],
    kind: 'balance_adjusted',
    subject: number,
    data: { amount, balance, remark, by, ...(agent !== undefined && { agent }), ...(cause && { cause }) },
    tellAgents: by === 'operator',
  }),
  'balance.returned': ({ agentId, subject, username, amount, balance }) => ({
    accountIds: [agentId],
    kind: 'balance_returned',
    subject,
    data: { username, amount, balance },
  }),
  'balance.low': ({ userId, balance, needed, until }) => ({
    accountIds: [userId],
    kind: 'low_balance',
    subject: `${userId} ${until.slice(0, 10)}`,
    data: { balance, needed, until },
  }),
  'money.wanted': ({ userId, agentId, username, requestId, missing }) =>
    agentId === null
      ? { kind: 'money_wanted', subject: String(requestId), data: { username, missing } }
      : {
          accountIds: [agentId],
          kind: 'money_wanted',
          subject: String(requestId),
          data: { userId, username, missing, requestId },
        },
  'money.declined': ({ userId, requestId, agent, missing }) => ({
    accountIds: [userId],
    kind: 'money_declined',
    subject: String(requestId),
    data: { agent, missing },
    tellAgents: false,
  }),
  'payout.paid': (payout) => ofPayout('payout_paid', payout),
  'payout.refused': (payout) => ofPayout('payout_refused', payout),
  'support.asked': ({ agentId, messageId, news: data }) => {
    const question = { kind: 'support_question', subject: String(messageId), data } as const
    return agentId === null ? question : { accountIds: [agentId], ...question }
  },
  'support.answered': ({ userId, messageId, news: data }) => ({
    accountIds: [userId],
    kind: 'support_answer',
    subject: String(messageId),
    data,
    tellAgents: false,
  }),
  'support.closed': ({ userId, ticketNo, topic, at }) => ({
    accountIds: [userId],
    kind: 'support_closed',
    subject: `${ticketNo} ${at}`,
    data: { ticketNo, topic },
    tellAgents: false,
  }),
  'order.completed': ({ userId, callerId, status, orderNo, ordered, delivered, refund, dead }) => ({
    accountIds: [userId, callerId],
    kind: status === 'active' ? 'order_ready' : `order_${status}`,
    subject: orderNo,
    data: { ordered, delivered, refund, ...(dead > 0 && { dead }) },
  }),
  'order.delayed': ({ userId, callerId, orderNo, ordered }) => ({
    accountIds: [...new Set([userId, callerId])],
    kind: 'order_delayed',
    subject: orderNo,
    data: { ordered },
    tellAgents: false,
  }),
  'traffic.used': ({ userId, id, productNo, names, used, total }) => ({
    accountIds: [userId],
    kind: used < total ? 'traffic_80' : 'traffic_100',
    subject: `${id} ${total}`,
    data: { productNo, names, used, total },
  }),
  'renewal.automatic': ({ userId, renewOrderNo, orderNo, count, amount, balance, expireTime }) => ({
    accountIds: [userId],
    kind: 'renewal_done',
    subject: renewOrderNo,
    data: { orderNo, count, amount, balance, expireTime },
  }),
  'renewal.refused': ({ userId, orderNo, count, reason, shortfall, expireTime }) => ({
    accountIds: [userId],
    kind: 'renewal_failed',
    subject: `${orderNo} ${expireTime}`,
    data: { orderNo, count, reason, expireTime, ...(shortfall !== undefined && { shortfall }) },
  }),
  'renewal.ended': (ended) => {
    const { userId, callerId, orderNo, renewOrderNo, automatic, renewed, failed } = ended
    const accountIds = [userId, callerId]
    const news: News[] = []
    if (renewed) {
      const data = { orderNo, ...renewed, automatic }
      news.push({ accountIds, kind: 'renewal_done', subject: renewOrderNo, data })
    }
    if (failed) {
      const data = { orderNo, ...failed, reason: 'supplier_error' as const, automatic }
      // An automatic renewal is tried again; that is said once for each expiry.
      const subject = automatic ? `${orderNo} ${failed.expireTime} refused` : renewOrderNo
      news.push({ accountIds, kind: 'renewal_failed', subject, data })
    }
    return news
  },
  'proxies.expiring': ({ userId, warning, orderNo, count, expireTime, shortfall }) => ({
    accountIds: [userId],
    kind: warning,
    subject: `${orderNo} ${expireTime}`,
    data: { orderNo, count, expireTime, ...(shortfall !== undefined && { shortfall }) },
  }),
  'proxies.expired': ({ userId, orderNo, count, expireTime, renewableUntil }) => ({
    accountIds: [userId],
    kind: 'expired',
    subject: `${orderNo} ${expireTime}`,
    data: { orderNo, count, renewableUntil },
  }),
  'proxies.ended': ({ userId, cancelNo, orderNo, count, reason }) => ({
    accountIds: [userId],
    kind: 'proxies_ended',
    subject: cancelNo,
    data: { orderNo, count, reason },
  }),
  'proxy.dead': ({ userId, orderNo, instanceNo, instanceId, ip, port, since }) => ({
    accountIds: [userId],
    kind: 'proxy_dead',
    subject: `${instanceNo} ${since}`,
    data: { orderNo, instanceNo, instanceId, ip, port, since },
  }),
  'replacement.ended': ({ userId, replacementNo, refund, ...ended }) => ({
    accountIds: [userId],
    kind: 'replacement_ended',
    subject: replacementNo,
    data: {
      orderNo: ended.orderNo,
      instanceNo: ended.instanceNo,
      instanceId: ended.instanceId,
      status: ended.status,
      oldIp: ended.oldIp,
      oldPort: ended.oldPort,
      newIp: ended.newIp,
      newPort: ended.newPort,
      refund,
      note: ended.note,
    },
    always: refund > 0,
  }),
  'credentials.reset': ({ userId, number, orderNo, instanceNo, changed }) => ({
    accountIds: [userId],
    kind: 'credentials_changed',
    subject: number,
    data: { orderNo, instanceNo, changed },
  }),
  'address.freed': ({ userId, at, cidr, productNo, names }) => ({
    accountIds: [userId],
    kind: 'address_freed',
    subject: `${cidr} ${at}`,
    data: { cidr, productNo, names },
    tellAgents: false,
  }),
  'webhook.off': ({ userId, webhookId, at, host, reason }) => ({
    accountIds: [userId],
    kind: 'webhook_off',
    subject: `${webhookId} ${at}`,
    data: { webhookId, host, reason },
    tellAgents: false,
  }),
  'top_up.paid': (paid) => {
    const { userId, orderNo, payUnits, credited, balance, late, manual, username, disabled } = paid
    const subject = nameOfTransfer(paid)
    const credit: News = {
      accountIds: [userId],
      kind: late ? 'top_up_late' : 'top_up_paid',
      subject,
      data: { orderNo, payUnits, credited, balance, manual },
    }
    const data = { orderNo, username, credited }
    return disabled ? [credit, { kind: 'account_credited_anyway', subject, data }] : credit
  },
  'top_up.expired': ({ userId, orderNo }) => ({
    accountIds: [userId],
    kind: 'top_up_expired',
    subject: orderNo,
  }),
  'transfer.unmatched': ({ network, txid, index, from, units, reason, blockTime }) => ({
    kind: 'transfer_unmatched',
    subject: nameOfTransfer({ network, txid, index }),
    data: { network, txid, from, units, reason, blockTime },
  }),
  'transfer.claimed': ({ orderNo, ...transfer }) => ({
    kind: 'transfer_claimed',
    subject: `${nameOfTransfer(transfer)}:${orderNo}`,
  }),
}

function ofPayout(
  kind: 'payout_paid' | 'payout_refused',
  { agentId, payoutNo, amount, usdtUnits, address, txid, reason }: FactOf<'payout.paid' | 'payout.refused'>,
): News {
  const data = { amount, usdtUnits, address, txid, reason }
  return { accountIds: [agentId], kind, subject: payoutNo, data }
}

function noticesOf(fact: Fact): readonly (News | OperatorFact)[] {
  return isOperatorFact(fact) ? [fact] : [madeOf(NOTICES, fact) ?? []].flat()
}

/** Makes the hearer that writes notices of facts into the outbox. */
export function noticesOfFacts(deps: Pick<Essentials, 'clock' | 'operatorChats'>): Hearer {
  return (tx) => ({
    write: async (facts) => {
      const notices = facts.flatMap(noticesOf)
      await announce(
        deps,
        tx,
        notices.filter((one) => 'accountIds' in one),
      )
      for (const one of notices) if (!('accountIds' in one)) await announceToOperators(deps, tx, one)
    },
  })
}
