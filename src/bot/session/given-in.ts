import { dayOf } from '../../core/calendar-day.ts'
import type { Given } from '../kit/form.ts'
import type { BotContext } from './context.ts'

/** What the values of a form are read with in this chat. */
export function givenIn({ core }: BotContext): Given {
  return { currency: core.currency, today: dayOf(core.now()) }
}
