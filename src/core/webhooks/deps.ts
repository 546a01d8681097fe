import type { Essentials } from '../jobs/essentials.ts'
import type { Sealing } from '../sealed.ts'

/** Dependencies of what is done with webhooks. */
export interface WebhookDeps extends Essentials {
  /** Encrypts the secrets of webhooks; and whether they may lead to this machine, as tests and the sandbox need. */
  readonly webhooks: { readonly secrets: Sealing; readonly loopback: boolean }
}
