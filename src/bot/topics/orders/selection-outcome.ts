import type { Actor } from '../../../core/access/actor.ts'
import type { Core } from '../../../core/core.ts'
import type { BrandedScreen } from '../../session/screen-refresher.ts'
import type { Screen } from '../../kit/screen.ts'
import { followedView } from '../../session/view-of.ts'
import { type Selection, selectionDraft } from './selection.ts'
import { type Answers, selectionDoneScreen } from './selection-screens.ts'

/** Counts what the suppliers have answered so far to the renewals that had to wait for them. */
export async function answersOf(
  core: Core,
  actor: Actor,
  { renewals: numbers }: NonNullable<Selection['done']>,
): Promise<Answers> {
  const renewals = await Promise.all(numbers.map((number) => core.orders.getRenewal(actor, number)))
  const proxies = renewals.flatMap(({ instances }) => instances)
  const count = (of: 'processing' | 'failed') => proxies.filter(({ status }) => status === of).length
  return {
    waiting: count('processing'),
    failed: count('failed'),
    refunded: renewals.reduce((sum, { refundedAmount }) => sum + refundedAmount, 0),
  }
}

/** Returns the screen of renewals for a chat that follows them; undefined once it has begun with others. */
export async function followedSelectionScreen(
  core: Core,
  { viewer, draft, ...chat }: BrandedScreen,
): Promise<Screen | undefined> {
  const selection = selectionDraft.within(draft)
  if (!selection?.done) return undefined
  const view = await followedView(core, chat)
  return selectionDoneScreen(view, selection, selection.done, await answersOf(core, viewer, selection.done))
}
