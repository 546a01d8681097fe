import { describe, expect, it } from 'vitest'
import { batched } from '../../src/core/batched.ts'
import { withTurns } from '../support/turns.ts'

/** Doubles numbers, and fails for whoever asks for 13. */
function doubler() {
  const batches: (readonly number[])[] = []
  const double = batched(async (numbers: readonly number[]) => {
    batches.push(numbers)
    await Promise.resolve()
    if (numbers.includes(13)) throw new Error('13')
    return (number) => number * 2
  })
  return { double, batches }
}

describe('batched', () => {
  it('carries out together what is asked for in one turn, and answers each caller', async () => {
    const { double, batches } = doubler()
    expect(await Promise.all([double(1), double(2), double(2)])).toEqual([2, 4, 4])
    expect(await double(3)).toBe(6)
    expect(batches).toEqual([[1, 2, 2], [3]])
  })

  it('cuts what is too much for one turn into pieces, between which others get theirs', async () => {
    const batches: (readonly number[])[] = []
    const double = batched(
      async (numbers: readonly number[]) => {
        batches.push(numbers)
        await Promise.resolve()
        return (number: number) => number * 2
      },
      { most: 10, weightOf: (number) => number },
    )
    const { result, turns } = await withTurns(() => Promise.all([4, 6, 1, 50, 9, 1, 1].map(double)))
    expect(result).toEqual([8, 12, 2, 100, 18, 2, 2])
    expect(batches).toEqual([[4, 6], [1], [50], [9, 1], [1]])
    expect(turns).toBeGreaterThanOrEqual(batches.length - 1)
  })

  it('fails for the one that cannot be carried out, and for nobody else', async () => {
    const { double, batches } = doubler()
    const results = await Promise.allSettled([double(1), double(13), double(2)])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
      2,
      'failed',
      4,
    ])
    expect(batches).toEqual([[1, 13, 2], [1], [13], [2]])
  })
})
