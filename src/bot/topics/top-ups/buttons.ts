import type { Micros } from '../../../core/money.ts'
import type { TopUp } from '../../../core/top-ups/top-up.ts'
import { TOP_UP } from '../../actions/top-ups.ts'
import type { Button } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'
import type { Texts } from '../../texts/index.ts'

/** Leads back to the purchase for which the money was missing. */
export function resumeButton(
  { texts }: Pick<View, 'texts'>,
  { reference }: Pick<TopUp, 'reference'>,
): Button[] {
  return reference === null ? [] : [{ text: texts.topUps.buttons.resume, data: reference, style: 'success' }]
}

/** @param missing what the balance lacks for renewals: the way to top up begins with it */
export function topUpButton(texts: Texts, missing?: Micros): Button {
  const data = missing === undefined ? TOP_UP.home.data() : TOP_UP.shortOfRenewal.data({ missing })
  return { text: texts.notices.buttons.topUp, data, style: 'primary' }
}
