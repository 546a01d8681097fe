import { pino } from 'pino'
import { webhookBody } from '../../src/api/wire/webhook-event.ts'
import { WebhookDeliveries } from '../../src/jobs/webhook-lane.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { openApi } from './api.ts'
import { atTheEnd } from './clean-up.ts'

export const WEBHOOKS = '/open/app/user/webhooks'

interface Made {
  readonly id: number
  readonly secret: string
  readonly url: string
  readonly status: string
  readonly events: readonly string[]
}

/** The service with its deliveries to webhooks, on this machine, and an agent with a customer. */
export async function openWebhookShop(options: { readonly answerMs?: number } = {}) {
  // The signature carries the time, which a receiver holds against its own.
  const api = await openApi()
  api.clock.set(new Date().toISOString())
  const agent = await api.agent({ balance: 1000 })
  const user = await api.customer(agent, { balance: 100 })
  await api.product('static')
  await api.stock('static', 50)
  await api.product('traffic', { proxyType: 104, pool: 'dynamic_1', price: 1 })
  const { core } = api
  const closing = new AbortController()
  const deliveries = new WebhookDeliveries({
    webhooks: core.webhooks,
    outside: {
      send: createWebhookSender({ loopback: true, closing: closing.signal, ...options }),
      bodyOf: webhookBody,
      userAgent: 'proxy-reseller/test',
    },
    onWake: (listener) => core.jobs.queue.onWake('webhook_deliveries', listener),
    closing,
    logger: pino({ level: 'silent' }),
  })
  deliveries.start()
  atTheEnd(() => deliveries.stop())
  const client = await api.as(user)
  const agentClient = await api.as(agent)
  const test = async (id: number) => core.webhooks.test(user, id)
  return {
    ...api,
    user,
    client,
    agentClient,
    /** Makes a webhook of the customer, or of whoever calls. */
    make: async (url: string, more: object = {}, by = client) =>
      (await by.post(WEBHOOKS, { url, ...more })).body.data as unknown as Made,
    log: async (id: number, filter: Parameters<typeof core.webhooks.deliveries>[2] = {}) =>
      (await core.webhooks.deliveries(user, id, filter)).items,
    webhook: (id: number) => core.webhooks.get(user, id),
    /** Sends a test event. */
    test,
    /** Lets time pass, and everything happen that is due then. */
    later: (ms: number) => {
      api.clock.advance(ms)
      core.jobs.queue.wake()
    },
  }
}
