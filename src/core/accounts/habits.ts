import type { HabitKind } from '../../generated/prisma/client.ts'
import type { Actor } from '../access/actor.ts'
import type { Essentials } from '../jobs/essentials.ts'

export type { HabitKind }

/** What an account chose last for a product; the bot defines the choice. */
export interface Habit {
  readonly productNo: string
  readonly choice: unknown
}

/** What the actor chose last for each product, the newest first (rules 5.26). */
export async function habitsOf({ db }: Essentials, actor: Actor, kind: HabitKind): Promise<Habit[]> {
  const rows = await db.read.habit.findMany({
    where: { accountId: actor.id, kind },
    select: { productNo: true, choice: true },
    orderBy: [{ updatedAt: 'desc' }, { productNo: 'asc' }],
  })
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
  const key = { accountId: actor.id, kind, productNo }
  const updatedAt = clock.now()
  await db.write((tx) =>
    tx.habit.upsert({
      where: { accountId_kind_productNo: key },
      create: { ...key, choice, updatedAt },
      update: { choice, updatedAt },
    }),
  )
}
