import { EXITS, type Exits } from './exits.ts'

/** The gateway as the page of the sandbox shows it. */
export interface GatewayState {
  /** Address at which it listens; null while it does not. */
  readonly address: { readonly host: string; readonly port: number } | null
  readonly exits: readonly {
    readonly username: string
    readonly pool: string
    readonly country: string
    readonly city: string
    readonly address: string
    readonly isDead: boolean
  }[]
}

export interface SandboxGateway {
  /** To be called when it listens, and with null when it does not any more. */
  listens(address: GatewayState['address']): void
  /** @returns false when there is no such exit */
  switchExit(username: string, isDead: boolean): boolean
  state(): GatewayState
}

/** Creates the state of the gateway, and of the exits behind it, that the page of the sandbox shows. */
export function createSandboxGateway(exits: Exits): SandboxGateway {
  let listening: GatewayState['address'] = null
  return {
    listens: (address) => void (listening = address),
    switchExit(username, isDead) {
      const known = EXITS.some((exit) => exit.username === username)
      if (known) exits.setDead(username, isDead)
      return known
    },
    state: () => ({
      address: listening,
      exits: EXITS.map(({ username, pool, country, city, address }) => ({
        username,
        pool,
        country,
        city,
        address,
        isDead: exits.isDead(username),
      })),
    }),
  }
}
