import type { Operator } from '../../core/people/operator.ts'
import { may } from '../../core/people/permissions.ts'
import { actionOf } from '../kit/action.ts'
import type { Feature } from './feature.ts'

/** Whether somebody may press a button, given its callback data (rules 14.3). */
export type Permits = (operator: Operator | undefined, data: string) => boolean

/**
 * Returns the check of who may press a button, by what the buttons of the features do for the shop.
 *
 * @param handled those of the features whose buttons the bot handles
 */
export function permitsOf(features: readonly Feature[], handled = features): Permits {
  const actions = new Map(features.flatMap(({ buttons }) => buttons.map(([action]) => [action.name, action])))
  const works = new Set(handled.flatMap(({ buttons }) => buttons.map(([action]) => action.name)))
  return (operator, data) =>
    (works.has(actionOf(data)) || !actions.has(actionOf(data))) &&
    (actions.get(actionOf(data))?.deedsOf(data) ?? []).every(
      (deed) => operator !== undefined && may(operator, deed),
    )
}

/** Returns what is shown without the buttons that may not be pressed (rules 14.3). */
export function permitted<
  Shown extends { readonly buttons: readonly (readonly { readonly text: string }[])[] },
>({ mayPress }: { readonly mayPress: (data: string) => boolean }, shown: Shown): Shown {
  const buttons = shown.buttons.map((row) =>
    row.filter((button) => !('data' in button) || mayPress(String(button.data))),
  )
  return { ...shown, buttons }
}
