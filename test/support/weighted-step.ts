import fc from 'fast-check'

/** A weighted kind of step; the weight is how often it comes. */
export function kind<Name extends string, Rest extends object>(
  weight: number,
  name: Name,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) {
  const arbitrary = fc.record({ do: fc.constant(name), ...rest }) as fc.Arbitrary<{ do: Name } & Rest>
  return { weight, arbitrary }
}
