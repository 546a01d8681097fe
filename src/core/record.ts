import { z } from 'zod'
import { type Bytes, toGigabytes } from './bytes.ts'
import { type Micros, toNumber } from './money.ts'
import { type Usdt, usdtText } from './usdt.ts'

/**
 * A value as it is shown outside: in REST answers, `--json`, webhooks. Used where that differs from how the service holds it; where it
 * does not, a schema of zod says it all.
 */
export class Shown<Inside, Schema extends z.ZodType> {
  /** Of what is shown. */
  readonly schema: Schema
  readonly show: (value: Inside) => z.output<Schema>

  constructor(schema: Schema, show: (value: Inside) => z.output<Schema>) {
    this.schema = schema
    this.show = show
  }

  /** The same, or null for null. */
  nullable(): Shown<Inside | null, z.ZodNullable<Schema>> {
    const show = (value: Inside | null) => (value === null ? null : this.show(value))
    return new Shown<Inside | null, z.ZodType>(this.schema.nullable(), show) as never
  }

  /** A list of such values. */
  array(): Shown<readonly Inside[], z.ZodArray<Schema>> {
    return new Shown<readonly Inside[], z.ZodType>(this.schema.array(), (values) =>
      values.map((value) => this.show(value)),
    ) as never
  }

  /** The same of what the service holds otherwise. */
  from<Other>(convert: (value: Other) => Inside): Shown<Other, Schema> {
    return new Shown(this.schema, (value) => this.show(convert(value)))
  }

  /** The same with a description, as zod has it. */
  meta(meta: z.core.GlobalMeta): Shown<Inside, Schema> {
    return new Shown(this.schema.meta(meta), this.show)
  }
}

type Field = z.ZodType | Shown<never, z.ZodType>
/** The fields of a thing, in the order in which they are shown. */
export type Fields = Readonly<Record<string, Field>>

type SchemaOf<Of extends Field> = Of extends Shown<never, infer Schema> ? Schema : Of
type ValueOf<Of extends Field> =
  Of extends Shown<infer Inside, z.ZodType> ? Inside : AsReadonly<z.output<SchemaOf<Of>>>
type AsReadonly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value

/** A thing with these fields as the service holds it. */
export type Held<Of extends Fields> = { readonly [Name in keyof Of]: ValueOf<Of[Name]> }

/** What the service holds of a thing that is shown like this. */
export type HeldOf<Of extends { readonly show: (held: never) => unknown }> = Parameters<Of['show']>[0]

type Names<Of extends Fields> = { readonly [Name in keyof Of]?: string }
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''
type ShapeOf<Of extends Fields, Other extends Names<Of>> = {
  [Name in keyof Of & string as Other[Name] extends string ? Other[Name] : SnakeCase<Name>]: SchemaOf<
    Of[Name]
  >
}

/**
 * A thing as it is shown outside, made of its fields: their names become snake_case. What the service holds beside them is not shown.
 *
 * @param options.id of its schema in the API document
 * @param options.names of fields that are called otherwise outside
 */
export function record<const Of extends Fields, const Other extends Names<Of>>(
  fields: Of,
  { id, names }: { readonly id?: string; readonly names?: Other } = {},
): Shown<Held<Of>, z.ZodObject<ShapeOf<Of, Other>, z.core.$strict>> {
  const shown = Object.entries(fields).map(([name, field]) => ({
    name,
    shownName: names?.[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    schema: field instanceof Shown ? field.schema : field,
    show: field instanceof Shown ? (field.show as (value: unknown) => unknown) : undefined,
  }))
  const schema = z.strictObject(Object.fromEntries(shown.map((each) => [each.shownName, each.schema])))
  const show = (held: Readonly<Record<string, unknown>>) => {
    const result: Record<string, unknown> = {}
    for (const each of shown)
      result[each.shownName] = each.show ? each.show(held[each.name]) : held[each.name]
    return result
  }
  return new Shown(id === undefined ? schema : schema.meta({ id }), show) as never
}

/** In units of the account currency, at most 6 decimals (rules 1.10). */
export const Money: Shown<Micros, z.ZodNumber> = new Shown(z.number(), toNumber)
/** In GB of 10^9 bytes (rules 1.11). */
export const Traffic: Shown<Bytes, z.ZodNumber> = new Shown(z.number(), toGigabytes)
/** USDT, a text: at least two decimals and at most 6 (rules 8.1). */
export const UsdtText: Shown<Usdt, z.ZodString> = new Shown(z.string(), usdtText)
/** The same, held as decimal digits: what strangers pay may exceed every integer type. */
export const UsdtDigits: Shown<string, z.ZodString> = new Shown(z.string(), (units) =>
  usdtText(BigInt(units)),
)
/** Percentage with at most two decimals, held in basis points. */
export const Percent: Shown<number, z.ZodNumber> = new Shown(z.number(), (bps) => bps / 100)
/** UTC, with milliseconds (rules 1.9). */
export const Time = z.iso.datetime({ precision: 3 })
