import type { DiskSpace } from './disk-space.ts'

export type State = 'ok' | 'degraded' | 'down'
/** Checks something that the service needs; false: it is down; degraded: something is wrong with it, and the rest works. */
export type HealthCheck = () => boolean | 'degraded' | Promise<boolean | 'degraded'>

/** What a process knows of itself. */
export interface Machine {
  /** Version of the product. */
  readonly version: string
  /** Checks of what the service needs, by the names that `/readyz` shows. */
  readonly checks: Readonly<Record<string, HealthCheck>>
  readonly diskSpace: () => Promise<DiskSpace>
  /** The update feed: `read` lists the versions, undefined when that fails. Without a feed nothing is read. */
  readonly feed?:
    | { readonly url: string; readonly read: () => Promise<readonly string[] | undefined> }
    | undefined
}

/** A dependency that does not answer in this time is down. */
const CHECK_TIMEOUT_MS = 2_000

/** Returns the state of each dependency by its name (rules 10.13). */
export async function readiness(
  checks: Readonly<Record<string, HealthCheck>>,
): Promise<Readonly<Record<string, State>>> {
  return Object.fromEntries(
    await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
    ),
  )
}

async function stateOf(check: HealthCheck): Promise<State> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false)
  })
  try {
    const health = await Promise.race([check(), tooLate])
    if (health === 'degraded') return health
    return health ? 'ok' : 'down'
  } catch {
    return 'down'
  } finally {
    clearTimeout(timer)
  }
}
