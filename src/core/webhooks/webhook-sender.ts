/** What is sent to a webhook. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The status that was answered, or why there was none (`stopped`: this service ends). */
export type WebhookAnswer =
  | { readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly error: WebhookFault }

/** Why there was no answer; `secret_unreadable`: nothing was sent, because SECRETS_KEY has changed. */
export const WEBHOOK_FAULTS = [
  'timeout',
  'name_not_found',
  'address_not_allowed',
  'connection_refused',
  'connection_failed',
  'certificate_refused',
  'secret_unreadable',
  'stopped',
] as const
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number]
/** A fault that is kept with the delivery: an attempt that was `stopped` counts as not made. */
export type StoredFault = Exclude<WebhookFault, 'stopped'>

/** Sends a delivery once, only to addresses of the public internet, following no redirection; never throws. */
export type WebhookSender = (request: WebhookRequest) => Promise<WebhookAnswer>
