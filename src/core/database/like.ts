import { Prisma } from '../../generated/prisma/client.ts'

/**
 * SQL condition: a column contains a text, taken literally (`%` and `_` are characters like any other), without regard to the
 * case of ASCII letters.
 *
 * @param column a constant of the code
 */
export function contains(column: string, text: string): Prisma.Sql {
  // SQLite reads a pattern up to the first NUL only.
  if (text.includes('\0')) return Prisma.sql`0`
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return Prisma.sql`${Prisma.raw(column)} LIKE ${pattern} ESCAPE '\\'`
}
