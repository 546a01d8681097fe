import type { Essentials } from '../jobs/essentials.ts'
import type { Sealing } from '../sealed.ts'
import type { ExitProber } from './exit-probe.ts'

/** Dependencies of the use cases of the gateway. */
export interface GatewayDeps extends Essentials {
  /** Encrypts the credentials of exits. */
  readonly exitSecrets: Sealing
  /** Tries exits; undefined where they cannot be tried. */
  readonly exitProber: ExitProber | undefined
}
