import { binding } from '../binding.ts'
import { attemptDelivery, type WebhookOutside } from './attempt-delivery.ts'
import { webhookBacklog } from './backlog.ts'
import { deliverySweep } from './clear-deliveries.ts'
import { listDeliveries, replayDelivery, replayFailed, testWebhook } from './deliveries.ts'
import type { WebhookDeps } from './deps.ts'
import { type DueDelivery, dueDeliveries, webhookLanes, type WebhookLane } from './due-deliveries.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  webhookAddress,
} from './manage-webhooks.ts'
import { settlement } from './settle-deliveries.ts'

/** What accounts do with their webhooks, and how deliveries get out. */
export function webhooksPart(deps: WebhookDeps) {
  const bind = binding(deps)
  return {
    create: bind(createWebhook),
    address: bind(webhookAddress),
    list: bind(listWebhooks),
    get: bind(getWebhook),
    change: bind(changeWebhook),
    delete: bind(deleteWebhook),
    rotateSecret: bind(rotateWebhookSecret),
    test: bind(testWebhook),
    deliveries: bind(listDeliveries),
    replay: bind(replayDelivery),
    replayFailed: bind(replayFailed),
    /** For the lane that delivers: what is due, attempts and their results. */
    lanes: bind(webhookLanes),
    due: bind(dueDeliveries),
    attempt: (outside: WebhookOutside, lane: WebhookLane, delivery: DueDelivery) =>
      attemptDelivery(deps, outside, lane, delivery),
    settle: settlement(deps),
    backlog: bind(webhookBacklog),
    sweep: deliverySweep(deps),
  }
}
