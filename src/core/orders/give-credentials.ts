import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { ProxyLine } from '../catalog/stock-lines.ts'
import { ownerOf } from '../accounts/owner.ts'
import { compiled } from '../database/compiled.ts'
import type { Tx } from '../database/database.ts'
import { uniqueViolation } from '../database/sqlite-error.ts'
import { InvalidInput, parseInput } from '../errors.ts'
import { newNumber } from '../ids.ts'
import { expireDueOf } from './expire-instances.ts'
import { findInstance, stillProcessing, wrongState } from './find-static-order.ts'
import { resetCredentials } from './reset-credentials.ts'
import { happened } from '../facts/happened.ts'
import { InstanceNo } from '../identifiers.ts'
import type { OrderDeps } from './deps.ts'

export const CredentialsInput = z.object({
  instanceNo: InstanceNo,
  reason: z.string().trim().min(1).max(255),
  /** For a proxy of the own stock only: the credentials that it accepts now. A third party gives its own. */
  username: ProxyLine.shape.username.nullish(),
  password: ProxyLine.shape.password.nullish(),
})

interface Given {
  readonly instanceNo: string
  readonly orderNo: string
  readonly username: string
  /** False while the supplier is being asked. */
  readonly changed: boolean
}

/**
 * Gives, for the operator, other credentials to a proxy in use (rules 16.5): its supplier is asked for them (rules 5.19), or, for a
 * proxy of the own stock, the given ones are stored at once. The customer is told.
 *
 * @throws instance_not_found, invalid_state (not active, or its supplier gives no others), order_processing (it is being replaced or
 *   renewed), rate_limited, supplier_error, validation_error (credentials missing, or given for a proxy of a supplier, or in use)
 */
export async function giveCredentials(
  deps: OrderDeps,
  input: z.input<typeof CredentialsInput>,
): Promise<Given> {
  const { instanceNo, username, password } = parseInput(CredentialsInput, input)
  const owner = await ownerOf(deps.db.read, { instanceNo })
  const { order } = await findInstance(deps.db.read, owner, instanceNo)
  const { orderNo } = order
  const given = { instanceNo, orderNo, username: owner.username }
  if (order.connectionId !== null) {
    if (username || password) throw InvalidInput.of('password', 'comes_from_the_supplier')
    await resetCredentials(deps, owner, instanceNo)
    return { ...given, changed: false }
  }
  if (!password) throw InvalidInput.of('password', 'required')
  await deps.db.write((tx) => store(deps, tx, owner, { instanceNo, username: username ?? null, password }))
  return { ...given, changed: true }
}

interface Credentials {
  readonly instanceNo: string
  /** New username; null keeps the old one. */
  readonly username: string | null
  readonly password: string
}

async function store(deps: OrderDeps, tx: Tx, owner: Actor, given: Credentials): Promise<void> {
  const now = deps.clock.now()
  const { instanceNo } = given
  await expireDueOf(tx, now, (await findInstance(tx, owner, instanceNo)).order.id)
  const { order, instance } = await findInstance(tx, owner, instanceNo)
  if (instance.status !== 'active') throw wrongState(order, instance)
  if (instance.waiting) throw stillProcessing(order.orderNo)
  const stockId = Number(instance.providerInstanceNo)
  const [held] = await findHeld(tx, { stockId })
  const username = given.username ?? held?.username ?? ''
  if (held && held.seat !== '' && held.seat !== username)
    throw InvalidInput.of('username', 'identifies_the_proxy')
  const credentials = { username, password: given.password }
  try {
    await setOfStock(tx, { ...credentials, stockId, orderId: order.id })
    await setOfInstance(tx, { ...credentials, id: instance.id, now })
  } catch (error) {
    if (uniqueViolation(error)) throw InvalidInput.of('username', 'used_by_another_proxy')
    throw error
  }
  happened(tx, {
    kind: 'credentials.reset',
    userId: owner.id,
    orderNo: order.orderNo,
    number: newNumber('P', now),
    instanceNo,
    changed: true,
  })
}

const findHeld = compiled<{ stockId: number }>()((db, { stockId }) =>
  db.selectFrom('stockIps').select(['username', 'seat']).where('id', '=', stockId),
)

const setOfStock = compiled<{ username: string; password: string; stockId: number; orderId: number }>()(
  (db, { username, password, stockId, orderId }) =>
    db
      .updateTable('stockIps')
      .set({ username, password })
      .where('id', '=', stockId)
      .where('orderId', '=', orderId),
)

const setOfInstance = compiled<{ username: string; password: string; id: number; now: Date }>()(
  (db, { username, password, id, now }) =>
    db.updateTable('instances').set({ username, password, updatedAt: now }).where('id', '=', id),
)
