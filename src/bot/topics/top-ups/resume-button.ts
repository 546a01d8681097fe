import type { TopUp } from '../../../core/top-ups/top-up.ts'
import type { Button } from '../../kit/screen.ts'
import type { View } from '../../kit/view.ts'

/** Leads back to the purchase for which the money was missing. */
export function resumeButton(
  { texts }: Pick<View, 'texts'>,
  { reference }: Pick<TopUp, 'reference'>,
): Button[] {
  return reference === null ? [] : [{ text: texts.topUps.buttons.resume, data: reference, style: 'success' }]
}
