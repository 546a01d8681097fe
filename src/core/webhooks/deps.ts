import type { Essentials } from '../jobs/essentials.ts'
import type { Sealing } from '../sealed.ts'

/** Dependencies of the use cases of webhooks. */
export interface WebhookDeps extends Essentials {
  /** `secrets` encrypts the secrets of webhooks; `loopback`: they may lead to this machine, as tests and the sandbox need. */
  readonly webhooks: { readonly secrets: Sealing; readonly loopback: boolean }
}
