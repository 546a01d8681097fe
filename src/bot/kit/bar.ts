/** `▰▰▰▱▱▱`: a share, from 0 to 1, of so many cells; full only where it is all of it, empty only where it is nothing. */
export function drawnBar(share: number, cells: number): string {
  const full = stepsOf(share, cells)
  return '▰'.repeat(full) + '▱'.repeat(cells - full)
}

/** The whole steps that a share, from 0 to 1, takes of so many: all of them only where it is all, none only where it is nothing. */
export function stepsOf(share: number, steps: number): number {
  if (share <= 0 || share >= 1) return share > 0 ? steps : 0
  return Math.min(Math.max(Math.round(share * steps), 1), steps - 1)
}
