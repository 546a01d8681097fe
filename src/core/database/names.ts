/** Converts a name of `schema.prisma` to that in the database: `orderNo` to `order_no`. */
export const snakeCase = remembered((name) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

/** Converts a name in the database to that of `schema.prisma`. */
export const camelCase = remembered((name) =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
)

/** Caches conversions; not bounded, as only names in the code are converted. */
function remembered(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const converted = convert(name)
    known.set(name, converted)
    return converted
  }
}
