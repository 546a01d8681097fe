/** Object identifiers of PostgreSQL's types that rows and parameters have here. */
const INT8 = 20
const BOOL = 16
const INT2 = 21
const INT4 = 23
const FLOAT4 = 700
const FLOAT8 = 701
const NUMERIC = 1700

/**
 * Converts a parameter to the text that is sent. An empty list is `{}` for `any(…)` and for `jsonb` alike; see `rowsOf` in the dialect.
 * PostgreSQL stores no NUL character: it becomes U+FFFD (rules 9.9).
 */
export function bound(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return withoutNul(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      if (value === null || value === undefined) return null
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value) && value.every((element) => typeof element !== 'object'))
        return listLiteral(value)
      return JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'string' ? withoutNul(inner) : inner,
      )
  }
}

/**
 * Returns the type to declare for a parameter; 0 lets the server infer it. An integer is always 64 bits wide: for `$1 >= 0` the server
 * would infer 32.
 */
export function typeOf(value: unknown): number {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return INT8
  return typeof value === 'boolean' ? BOOL : 0
}

/** Returns the parser for columns of a type; JSON stays text. */
export function parserOf(type: number): (text: string) => unknown {
  switch (type) {
    case BOOL:
      return (text) => text === 't'
    case INT2:
    case INT4:
    case INT8:
    case FLOAT4:
    case FLOAT8:
    case NUMERIC:
      // Exact: the schema allows no integer beyond 2^53, and sums of integers are integers.
      return Number
    default:
      return (text) => text
  }
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text
}

function listLiteral(values: readonly unknown[]): string {
  const elements = values.map((value) =>
    typeof value === 'string'
      ? `"${withoutNul(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`
      : String(value),
  )
  return `{${elements.join(',')}}`
}
