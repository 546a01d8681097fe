import { compiledInsert } from '../database/compiled-insert.ts'
import type { FactOf } from '../facts/facts.ts'
import type { Hearer } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Writes a row of the trail for each action of those who run the shop (rules 14.4). */
export function trailOfFacts({ clock }: Pick<Essentials, 'clock'>): Hearer {
  return (tx) => ({
    write: async (facts) => {
      for (const fact of facts)
        if (fact.kind === 'operator.acted') await insertRow(tx, { at: clock.now(), ...rowOf(fact) })
    },
  })
}

function rowOf({ by, action, subject, username, details = {} }: FactOf<'operator.acted'>) {
  const { person, via, chat, telegram } = by
  return {
    personId: person?.id ?? null,
    person: person?.name ?? null,
    via,
    chatId: chat ?? null,
    telegramId: telegram ?? null,
    action,
    subject,
    username: username ?? null,
    details: JSON.stringify(details),
  }
}

const insertRow = compiledInsert('trail')
