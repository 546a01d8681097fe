import type { HabitKind } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import type { Essentials } from '../jobs/essentials.ts'

export type { HabitKind }

/** What an account chose last for a product; the bot defines the choice. */
export interface Habit {
  readonly productNo: string
  readonly choice: unknown
}

/** Returns what the actor chose last for each product, the newest first (rules 5.26). */
export async function habitsOf({ db }: Essentials, actor: Actor, kind: HabitKind): Promise<Habit[]> {
  const rows = await db.read.$kysely
    .selectFrom('habits')
    .select(['productNo', 'choice'])
    .where('accountId', '=', actor.id)
    .where('kind', '=', kind)
    .orderBy('updatedAt', 'desc')
    .orderBy('productNo')
    .execute()
  return rows.map(({ productNo, choice }) => ({ productNo, choice: JSON.parse(choice) as unknown }))
}

/**
 * Remembers what the actor has chosen for a product (rules 5.26).
 *
 * @param choice JSON of at most 2,000 characters; longer ones are not remembered
 */
export async function keepHabit(
  { db, clock }: Essentials,
  actor: Actor,
  kind: HabitKind,
  { productNo, choice: chosen }: Habit,
): Promise<void> {
  const choice = JSON.stringify(chosen)
  if (choice.length > 2000) return
  const updatedAt = clock.now()
  await db.write(({ $kysely }) =>
    $kysely
      .insertInto('habits')
      .values({ accountId: actor.id, kind, productNo, choice, updatedAt })
      .onConflict((kept) =>
        kept.columns(['accountId', 'kind', 'productNo']).doUpdateSet({ choice, updatedAt }),
      )
      .execute(),
  )
}
