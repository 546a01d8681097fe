import type { Actor } from '../../../core/access/actor.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { Instance } from '../../../core/orders/static-order.ts'
import type { BotContext } from '../../session/context.ts'

/** The proxy that the explanations use as example. */
export interface Example extends Pick<Instance, 'ip' | 'port' | 'username' | 'password'> {
  /** Whether it is the person's own; otherwise it is made up. */
  readonly own: boolean
}

/** The order of a proxy and its position there; empty for the person's newest proxy. */
export interface Place {
  readonly id?: number | undefined
  readonly position?: number | undefined
}

/** For somebody without proxies; the address is reserved for documentation (RFC 5737). */
const MADE_UP: Example = {
  ip: '203.0.113.10',
  port: 8000,
  username: 'user',
  password: 'password',
  own: false,
}

/** Chooses the example: the named proxy, else the newest active one, else a made-up one (rules 18.5). */
export async function exampleFor(
  { core, session: { actor } }: Pick<BotContext, 'core' | 'session'>,
  { id, position }: Place,
): Promise<Example> {
  if (!actor) return MADE_UP
  const named = id === undefined ? undefined : await instanceOf(core, actor, id, position ?? 0)
  const instance = named ?? (await newestOf(core, actor))
  return instance ? { ...instance, own: true } : MADE_UP
}

async function instanceOf(core: BotContext['core'], actor: Actor, id: number, position: number) {
  try {
    return (await core.orders.getStatic(actor, { id })).instances[position]
  } catch (error) {
    // The id is forged, or of somebody else's order.
    if (error instanceof ServiceError && error.code === 'order_not_found') return undefined
    throw error
  }
}

async function newestOf(core: BotContext['core'], actor: Actor): Promise<Instance | undefined> {
  const { items } = await core.orders.listStatic(actor, { userId: actor.id, filter: 'active', pageSize: 1 })
  return items[0]?.instances.find(({ status }) => status === 'active')
}
