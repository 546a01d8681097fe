import type { Language } from '../../../core/languages.ts'
import { offsetAt, type TimeZone } from '../../../core/time-zone.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import { utcOffset } from '../../texts/dates.ts'
import { zoneCity } from './zones.ts'

/**
 * Shows the chat's time zone, and the zones that are offered.
 *
 * @param back buttons of the last row
 */
export function zoneScreen(
  { texts, language, now }: View,
  zones: readonly TimeZone[],
  back: readonly Button[],
): Screen {
  const choices = zones.map((zone) =>
    choiceButton(zoneLabel(zone, language, now), zone === texts.zone, SETTINGS.zone.data({ zone })),
  )
  return {
    text: texts.settings.zone.question(texts.zonedTime(now)),
    buttons: [...grid(choices, 2), back],
  }
}

/** `Berlin +1` */
function zoneLabel(zone: TimeZone, language: Language, now: Date): string {
  if (zone === 'UTC') return zone
  const offset = utcOffset(offsetAt(zone, now)).replace('UTC', '')
  return `${zoneCity(zone, language)} ${offset === '' ? '±0' : offset}`
}
