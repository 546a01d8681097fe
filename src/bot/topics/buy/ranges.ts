import type { Actor } from '../../../core/access/actor.ts'
import type { Screen } from '../../kit/screen.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import { freeRanges, progressIn, purchaseScreenFor } from './progress.ts'
import { blocksOf, changed, type Purchase, purchaseDraft } from './purchase.ts'
import { maxOf, pageWith, rangeScreen, rangesScreen } from './range-screens.ts'

/** Shows the ranges for a purchase, with the number chosen of each. */
export async function rangesScreenFor(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  page = 1,
): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  if (!progress || progress.step !== undefined || !progress.offers[0].cidrSupported)
    return purchaseScreenFor(ctx, actor, purchase)
  return rangesScreen(viewOf(ctx), purchase, progress, await freeRanges(ctx, progress), page)
}

/** Asks how many proxies of one range to take; shows all ranges when it has none free any more. */
export async function rangeScreenFor(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  range: string,
): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  const ranges = progress ? await freeRanges(ctx, progress) : []
  const found = ranges.find((each) => each.range === range)
  return progress && found
    ? rangeScreen(viewOf(ctx), purchase, progress, found, pageWith(ranges, range))
    : rangesScreenFor(ctx, actor, purchase)
}

/** Takes a number of proxies of a range, or none. */
export async function takeOfRange(
  ctx: BotContext,
  actor: Actor,
  purchase: Purchase,
  range: string,
  count: number,
): Promise<Screen> {
  const progress = await progressIn(ctx, actor, purchase)
  const ranges = progress ? await freeRanges(ctx, progress) : []
  const free = ranges.find((each) => each.range === range)?.free ?? 0
  const taken = Math.min(count, maxOf(purchase, { range, free }))
  const others = blocksOf(purchase).filter(({ cidr }) => cidr !== range)
  const blocks = taken > 0 ? [...others, { cidr: range, count: taken }] : others
  const next = changed(purchase, { wanted: { blocks } })
  await purchaseDraft.write(ctx, next)
  return rangesScreenFor(ctx, actor, next, pageWith(ranges, range))
}
