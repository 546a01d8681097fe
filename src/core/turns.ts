import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/**
 * Yields to the event loop before the next step of a long calculation. However many calculations are under way, only one step of
 * one of them runs per turn of the event loop, so that the steps of ten big lists do not add up to one long pause.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}

/**
 * Cuts a list into pieces of work, each short enough for one turn.
 *
 * @param most weight of a piece; an item that weighs more is a piece of its own
 */
export function inPieces<Item>(
  items: readonly Item[],
  most: number,
  weightOf: (item: Item) => number = () => 1,
): Item[][] {
  const pieces: Item[][] = []
  let free = 0
  for (const item of items) {
    const weight = weightOf(item)
    const piece = pieces.at(-1)
    if (piece && weight <= free) piece.push(item)
    else {
      pieces.push([item])
      free = most
    }
    free -= weight
  }
  return pieces
}
