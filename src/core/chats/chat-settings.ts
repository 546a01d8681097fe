import type { Updateable } from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'
import type { Essentials } from '../jobs/essentials.ts'
import type { ProxyFormat } from '../proxy-formats.ts'
import { InvalidInput } from '../errors.ts'
import { isTimeZone, type TimeZone } from '../time-zone.ts'

export function setProxyFormat(core: Essentials, chatId: number, proxyFormat: ProxyFormat): Promise<void> {
  return change(core, chatId, { proxyFormat })
}

/**
 * Sets the time zone in which times are shown in a chat (rules 18.6).
 *
 * @param timeZone null for that of the language
 * @throws validation_error for what is no time zone
 */
export async function setTimeZone(
  core: Essentials,
  chatId: number,
  timeZone: TimeZone | null,
): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone)) throw InvalidInput.of('timeZone', 'not_a_time_zone')
  await change(core, chatId, { timeZone })
}

async function change(
  { db, clock }: Essentials,
  chatId: number,
  values: Pick<Updateable<DB['chats']>, 'proxyFormat' | 'timeZone'>,
): Promise<void> {
  const changed = { ...values, updatedAt: clock.now() }
  await db.write((tx) => tx.$kysely.updateTable('chats').set(changed).where('id', '=', chatId).execute())
}
