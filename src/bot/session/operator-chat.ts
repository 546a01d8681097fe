import { ServiceError } from '../../core/errors.ts'
import type { Operator } from '../../core/people/operator.ts'
import { type Deed, may } from '../../core/people/permissions.ts'
import type { Screen } from '../kit/screen.ts'
import { lines } from '../texts/html.ts'
import type { BotContext } from './context.ts'

/** Whether whoever has pressed or written here runs the shop. */
export function isOperatorChat({ operator }: Pick<BotContext, 'operator'>): boolean {
  return operator !== undefined
}

/**
 * Who acts for the shop.
 *
 * @throws not_permitted
 */
export function by({ operator }: Pick<BotContext, 'operator'>): Operator {
  if (!operator) throw new ServiceError('not_permitted')
  return operator
}

/** Whether who acts here may do something: screens leave out what they may not. */
export function allows({ operator }: Pick<BotContext, 'operator'>, deed: Deed): boolean {
  return operator !== undefined && may(operator, deed)
}

/** A screen that asks for something typed: where others talk, too, only a reply is an answer. */
export function askedIn<Asked extends Pick<Screen, 'text'>>(
  { chat, texts }: BotContext,
  screen: Asked,
): Asked {
  return chat?.type === 'private'
    ? screen
    : { ...screen, text: lines(screen.text, '', texts.operator.inGroups) }
}
