import { GLOSSARY } from './glossary.ts'

/** A JSON Schema (draft 2020-12), with the keywords that are used here. */
interface JsonSchema extends Record<string, unknown> {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
}

/**
 * Rewrites a schema for people and client generators: fields without a description get that of the {@link GLOSSARY}, and nullable
 * ones say so in their `type`. As an `anyOf` of a type and null, each spelling of a field would become a type of its own in
 * generated code, and two spellings make the same name. A default moves to the description: openapi-typescript makes a field with
 * a `default` one that must be sent.
 */
export function tidy(schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, oneOf, ...rest } = schema
  return withNullType({
    ...rest,
    ...(properties && { properties: describe(mapValues(properties, tidy)) }),
    ...(items && { items: tidy(items) }),
    ...(anyOf && { anyOf: anyOf.map(tidy) }),
    ...(oneOf && { oneOf: oneOf.map(tidy) }),
  })
}

function withNullType(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [known, nothing] = anyOf ?? []
  if (anyOf?.length !== 2 || nothing?.type !== 'null' || typeof known?.type !== 'string') return schema
  const { const: only, enum: values = only === undefined ? undefined : [only], ...type } = known
  return { ...type, ...rest, type: [known.type, 'null'], ...(values && { enum: [...values, null] }) }
}

function describe(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { default: usual, ...rest } = property
      const meaning = property.description ?? descriptionOf(name, Object.keys(properties))
      const description = [meaning, textOf(usual)].filter((text) => text !== undefined).join('; ')
      return [name, description === '' ? rest : { ...rest, description }]
    }),
  )
}

/** @param usual the default; that of an object is told by its own fields */
function textOf(usual: unknown): string | undefined {
  if (typeof usual === 'string') return `\`${usual}\` when missing`
  return typeof usual === 'number' || typeof usual === 'boolean' ? `${usual} when missing` : undefined
}

/** @param siblings names of the fields of the same object, among them perhaps the first spelling of this one */
function descriptionOf(name: string, siblings: readonly string[]): string | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return snake !== name && siblings.includes(snake)
    ? `Same as \`${snake}\``
    : (GLOSSARY[name] ?? GLOSSARY[snake])
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
