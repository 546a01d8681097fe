import { z } from 'zod'
import type { Actor } from '../access/actor.ts'
import { findProxy } from '../checks/proxy-of.ts'
import { compiled, compiledByShape } from '../database/compiled.ts'
import { parseInput } from '../errors.ts'
import { type Replacement, selectReplacements } from './replacement.ts'
import { InstanceNo } from '../identifiers.ts'
import type { Essentials } from '../jobs/essentials.ts'
import { NAMES } from '../catalog/product-texts.ts'

const HistoryInput = z.object({ instanceNo: InstanceNo })

/**
 * Lists the replacements of a proxy, also those that are open or were declined; newest first.
 *
 * @throws instance_not_found
 */
export async function listReplacements(
  { db }: Essentials,
  actor: Actor,
  input: z.input<typeof HistoryInput>,
): Promise<Replacement[]> {
  const { instanceNo } = parseInput(HistoryInput, input)
  const { id } = await findProxy(db.read, actor, instanceNo)
  return ofInstance(db.read, { id })
}

const ofInstance = compiled<{ id: number }>()((db, { id }) =>
  selectReplacements(db).where('r.instanceId', '=', id).orderBy('r.id', 'desc'),
)

/** A replacement as the operator sees it. */
export type ListedReplacement = Awaited<ReturnType<typeof ofAll>>[number]

/** Most rows that the operator is shown. */
const MOST = 500

/**
 * Lists replacements for the operator: those that have not ended, oldest first, or all, newest first.
 *
 * @param open whether to list only those that have not ended
 */
export function listAllReplacements(
  { db }: Essentials,
  { open = false }: { readonly open?: boolean } = {},
): Promise<ListedReplacement[]> {
  return ofAll(db.read, { open }, {})
}

const ofAll = compiledByShape<{ open: boolean }, object>()((db, { open }) => {
  const all = selectReplacements(db)
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .select(['p.productNo', NAMES, 'u.username', 'r.refundAccepted'])
    .limit(MOST)
  return open
    ? all.where('r.status', 'in', ['requested', 'processing']).orderBy('r.id')
    : all.orderBy('r.id', 'desc')
})

/** Finds a replacement for the operator; undefined when there is none with this number. */
export async function findReplacement(
  { db }: Essentials,
  replacementNo: string,
): Promise<ListedReplacement | undefined> {
  const [found] = await ofNumber(db.read, { replacementNo })
  return found
}

const ofNumber = compiled<{ replacementNo: string }>()((db, { replacementNo }) =>
  selectReplacements(db)
    .innerJoin('products as p', 'p.id', 'o.productId')
    .innerJoin('accounts as u', 'u.id', 'i.userId')
    .select(['p.productNo', NAMES, 'u.username', 'r.refundAccepted'])
    .where('r.replacementNo', '=', replacementNo),
)
