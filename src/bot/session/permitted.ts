import type { Operator } from '../../core/people/operator.ts'
import { may } from '../../core/people/permissions.ts'
import { deedsOf } from '../kit/action.ts'

/** Whether somebody may press a button (rules 14.3). */
export function mayPress(operator: Operator | undefined, data: string): boolean {
  return deedsOf(data).every((deed) => operator !== undefined && may(operator, deed))
}

/** What is shown, without the buttons of what somebody may not do (rules 14.3). */
export function permitted<
  Shown extends { readonly buttons: readonly (readonly { readonly text: string }[])[] },
>(operator: Operator | undefined, shown: Shown): Shown {
  const buttons = shown.buttons.map((row) =>
    row.filter((button) => !('data' in button) || mayPress(operator, String(button.data))),
  )
  return { ...shown, buttons }
}
