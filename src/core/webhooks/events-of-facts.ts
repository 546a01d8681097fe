import { madeOf, type Makes } from '../facts/facts.ts'
import type { Hearer } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { orderEvent } from './order-events.ts'
import { type Listener, listenersOf, type NewEvent, recordEvents } from './record-events.ts'
import { refusedRenewalEvent, renewalEvent } from './renewal-events.ts'
import { topUpEvent } from './top-up-events.ts'

/** The events that webhooks are told, by the kind of the fact (rules 19.2). */
const EVENTS: Makes<NewEvent | readonly NewEvent[]> = {
  'sub_user.created': ({ userId }) => subUserEvent('sub_user.created', userId),
  'sub_user.enabled': ({ userId }) => subUserEvent('sub_user.enabled', userId),
  'sub_user.disabled': ({ userId }) => subUserEvent('sub_user.disabled', userId),
  'sub_user.deleted': ({ userId }) => subUserEvent('sub_user.deleted', userId),
  'balance.low': ({ userId, balance, needed, until }) => ({
    type: 'balance.low',
    accountId: userId,
    subject: `balance ${userId}`,
    key: `balance.low ${userId} ${until.slice(0, 10)}`,
    facts: () => ({ balance, needed, until }),
  }),
  'order.created': (order) => orderEvent('order.created', order),
  'order.completed': (order) =>
    orderEvent(order.status === 'active' ? 'order.ready' : `order.${order.status}`, order),
  'order.changed': (order) => orderEvent('order.changed', order),
  'order.released': (order) => orderEvent('order.released', order),
  'order.refunded': (order) => orderEvent('order.refunded', order),
  'order.expired': (order) => orderEvent('order.expired', order),
  'traffic.bought': (order) => [orderEvent('order.created', order), orderEvent('order.ready', order)],
  'traffic.used': ({ userId, id, productNo, used, total }) => {
    const type = used < total ? 'traffic.low' : 'traffic.exhausted'
    const facts = () => ({ productNo, used, total })
    return { type, accountId: userId, subject: `traffic ${id}`, key: `${type} ${id} ${total}`, facts }
  },
  'renewal.begun': renewalEvent,
  'renewal.refused': refusedRenewalEvent,
  'renewal.ended': renewalEvent,
  'credentials.reset': (order) => (order.changed ? orderEvent('order.changed', order) : []),
  'top_up.created': (topUp) => topUpEvent('top_up.created', topUp),
  'top_up.confirming': (topUp) => topUpEvent('top_up.confirming', topUp),
  'top_up.paid': (topUp) => topUpEvent('top_up.paid', topUp),
  'top_up.cancelled': (topUp) => topUpEvent('top_up.cancelled', topUp),
  'top_up.expired': (topUp) => topUpEvent('top_up.expired', topUp),
}

const STATUS = {
  'sub_user.created': 'active',
  'sub_user.enabled': 'active',
  'sub_user.disabled': 'disabled',
  'sub_user.deleted': 'deleted',
} as const

function subUserEvent(type: keyof typeof STATUS, userId: number): NewEvent {
  return { type, accountId: userId, subject: `user ${userId}`, facts: () => ({ status: STATUS[type] }) }
}

/** Makes the hearer that writes events of facts for the webhooks of the accounts that they concern. */
export function eventsOfFacts({ clock }: Pick<Essentials, 'clock'>): Hearer {
  return (tx) => {
    const events: NewEvent[] = []
    const accounts = new Set<number>()
    const reading: Promise<Listener[]>[] = []
    return {
      begin: (facts) => {
        const made = facts.flatMap((fact) => madeOf(EVENTS, fact) ?? [])
        events.push(...made)
        const concerned = new Set(made.map(({ accountId }) => accountId))
        const unread = [...concerned].filter((accountId) => !accounts.has(accountId))
        if (unread.length === 0) return
        for (const accountId of unread) accounts.add(accountId)
        // Read early: jobs that run side by side share what they read before their first change. A failure is thrown by `write`.
        const found = listenersOf(tx, unread)
        found.catch(() => {})
        reading.push(found)
      },
      write: async () => {
        const listeners = (await Promise.all(reading)).flat()
        await recordEvents(tx, clock.now(), events.splice(0), listeners)
      },
    }
  }
}
