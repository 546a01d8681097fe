import fc, { type Arbitrary } from 'fast-check'
import type { Document, Operation, Schema } from './openapi.ts'

/** Something that the shop has, or had: filled in when the request is sent. */
export interface Known {
  readonly known: string
  readonly index: number
}

/** A request as it was thought up. */
export interface Thought {
  readonly operation: Operation
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Fields whose values mean something: random ones would never find anything. */
const KINDS: Readonly<Record<string, string>> = {
  poolId: 'product',
  productNo: 'product',
  product_no: 'product',
  userId: 'user',
  user_id: 'user',
  target_user_id: 'user',
  order_id: 'number',
  id: 'number',
  order_no: 'order',
  orderNo: 'order',
  instanceNo: 'instance',
  instance_no: 'instance',
  instances: 'instance',
  assignedIp: 'ip',
  assignedIpList: 'ip',
  cidr: 'cidr',
  token: 'link',
  amount: 'amount',
  trafficAmount: 'gigabytes',
  unitPrice: 'ceiling',
  totalAmount: 'ceiling',
  ipCount: 'few',
  count: 'few',
  cycleTimes: 'few',
  duration: 'term',
  countryCode: 'country',
  cityCode: 'city',
  regionCode: 'city',
  projectId: 'project',
  username: 'name',
  appOrderNo: 'key',
  app_order_no: 'key',
  start_date: 'day',
  end_date: 'day',
  created_start: 'day',
  created_end: 'day',
  expire_start: 'day',
  expire_end: 'day',
}

const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '0',
    '-1',
    '1e309',
    '٣',
    '%',
    '_',
    '\\',
    "'; DROP TABLE accounts; --",
    '\u0000',
    '\u202e',
    '\ud83d\ude00',
    'constructor',
    '__proto__',
    0,
    -0,
    -1,
    0.1,
    1e-7,
    1e21,
    2 ** 31,
    2 ** 53,
    -(2 ** 53),
    Number.MAX_VALUE,
    [],
    {},
    [null],
    [[]],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant('x'.repeat(5_000)),
)

/** Requests as somebody makes them who has read the document, or has not. */
export function requestsOf(document: Document): Arbitrary<Thought> {
  return fc.oneof(
    { weight: 3, arbitrary: requests(document, 'careful') },
    { weight: 1, arbitrary: requests(document, 'careless') },
  )
}

function requests({ operations, definitions }: Document, who: 'careful' | 'careless'): Arbitrary<Thought> {
  const value = (schema: Schema, name: string, depth = 0): Arbitrary<unknown> =>
    who === 'careful'
      ? fitting(schema, name, depth)
      : fc.oneof({ weight: 12, arbitrary: fitting(schema, name, depth) }, { weight: 1, arbitrary: junk })

  const fitting = (schema: Schema, name: string, depth: number): Arbitrary<unknown> => {
    if (typeof schema['$ref'] === 'string')
      return fitting(definitions[schema['$ref'].replace('#/$defs/', '')] ?? {}, name, depth)
    if ('const' in schema) return fc.constant(schema['const'])
    if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]))
    const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined
    if (choices) return oneOf(choices, name, depth)
    if (Array.isArray(schema['type']))
      return oneOf(
        (schema['type'] as string[]).map((type) => ({ ...schema, type })),
        name,
        depth,
      )
    const kind = KINDS[name]
    if (kind !== undefined && ['string', 'integer', 'number'].includes(String(schema['type'])))
      return fc.oneof(
        { weight: 15, arbitrary: fc.nat(1_000).map((index): Known => ({ known: kind, index })) },
        { weight: 1, arbitrary: simple(schema) },
      )
    if (schema['type'] === 'array')
      return fc.array(value((schema['items'] ?? {}) as Schema, name, depth + 1), {
        minLength: Math.min(Number(schema['minItems'] ?? 0), 3),
        maxLength: 3,
      })
    if (schema['type'] === 'object') return depth > 4 ? fc.constant({}) : object(schema, depth)
    return simple(schema)
  }

  /** What may be null is mostly something. */
  const oneOf = (choices: readonly Schema[], name: string, depth: number) =>
    fc.oneof(
      ...choices.map((choice) => ({
        weight: choice['type'] === 'null' ? 1 : 8,
        arbitrary: fitting(choice, name, depth),
      })),
    )

  const object = (schema: Schema, depth: number): Arbitrary<unknown> => {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    const required = new Set(schema['required'] as string[] | undefined)
    const fields = properties.map(([name, field]) => {
      // Nobody sends everything that could be sent.
      const percent = required.has(name) ? 98 : 25
      return fc
        .tuple(fc.nat(99), value(field, name, depth + 1))
        .map(([chance, content]) => (chance < percent ? [[name, content] as const] : []))
    })
    return fc.tuple(...fields).map((all) => Object.fromEntries(all.flat()))
  }

  return fc.constantFrom(...operations).chain((operation) => {
    const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
    const query = of('query').map((parameter) =>
      fc
        .tuple(fc.nat(3), value(parameter.schema, parameter.name))
        .map(([chance, content]) =>
          chance === 0 || parameter.required ? [[parameter.name, content] as const] : [],
        ),
    )
    const params = of('path').map((parameter) =>
      value(parameter.schema, parameter.name).map((content) => [parameter.name, content] as const),
    )
    return fc.record({
      operation: fc.constant(operation),
      params: fc.tuple(...params).map((all) => Object.fromEntries(all)),
      query: fc.tuple(...query).map((all) => Object.fromEntries(all.flat())),
      headers: fc.constantFrom<Record<string, string>>(
        {},
        {},
        { 'accept-language': 'zh' },
        { 'idempotency-key': 'k-1' },
      ),
      body: operation.body
        ? fc.oneof(
            { weight: 20, arbitrary: fitting(operation.body.schema, '', 0) },
            { weight: who === 'careful' ? 0 : 2, arbitrary: junk },
            { weight: 1, arbitrary: fc.constant(operation.body.example) },
          )
        : fc.constant(undefined),
    })
  })
}

function simple(schema: Schema): Arbitrary<unknown> {
  switch (schema['type']) {
    case 'string':
      return texts(schema)
    case 'integer':
      return fc.integer({ min: bound(schema, 'minimum', -1), max: bound(schema, 'maximum', 50) })
    case 'number':
      return fc.oneof(
        fc.constant(0),
        fc.integer({ min: bound(schema, 'minimum', -1), max: 20 }),
        fc.integer({ min: -2_000, max: 50_000 }).map((thousandths) => thousandths / 1000),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return junk
  }
}

function bound(schema: Schema, side: 'minimum' | 'maximum', fallback: number): number {
  const limit = schema[side]
  // Around a limit, but not up to two thousand million.
  return typeof limit === 'number' && Math.abs(limit) <= 1_000
    ? limit + (side === 'maximum' ? 1 : 0)
    : fallback
}

function texts(schema: Schema): Arbitrary<string> {
  if (schema['format'] === 'date')
    return fc.constantFrom('2026-03-01', '2026-01-31', '2025-02-30', '2027-12-31')
  if (schema['format'] === 'email') return fc.constantFrom('someone@example.com', 'no address')
  const pattern = schema['pattern']
  if (pattern === '^\\d{11}$') return fc.constantFrom('13800138000', '1380013800')
  const minLength = Math.min(Number(schema['minLength'] ?? 0), 100)
  const maxLength = Math.min(Number(schema['maxLength'] ?? 20), 300) + 1
  return fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', 'x', 'Y', '0', '9', '_', '-'), minLength, maxLength }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
  )
}

/** Fills in what the shop knows. */
export function resolve(value: unknown, lookup: (known: Known) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolve(item, lookup))
  if (typeof value !== 'object' || value === null) return value
  if ('known' in value && 'index' in value) return lookup(value as Known)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, lookup)]))
}
