import type { Actor } from '../../src/core/access/actor.ts'
import type { Core } from '../../src/core/core.ts'

/** The numbers of an order's proxies. */
export async function numbersOf(
  { core }: { readonly core: Core },
  owner: Actor,
  orderNo: string,
): Promise<string[]> {
  const { instances } = await core.orders.getStatic(owner, { orderNo })
  return instances.map(({ instanceNo }) => instanceNo)
}
