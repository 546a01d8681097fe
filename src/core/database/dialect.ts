import {
  type AliasedRawBuilder,
  type Expression,
  expressionBuilder,
  ExpressionWrapper,
  IdentifierNode,
  type OperationNode,
  type RawBuilder,
  type RawNode,
  ReferenceNode,
  ColumnNode,
  AliasNode,
  SelectQueryNode,
  // oxlint-disable-next-line no-restricted-imports -- this is the place
  sql,
  type SqlBool,
} from 'kysely'
import type { DB } from '../../generated/kysely/tables.ts'

/*
 * Expressions that differ between database engines, and the only file with SQL text of queries: everything else is written with
 * Kysely's typed builders. The tests prepare every statement on PostgreSQL, too.
 */

/** A part of a statement with both spellings; the compiler for SQLite uses only the first. */
export interface Spelled extends RawNode {
  readonly postgres: OperationNode
}

function spelled<T>(sqlite: RawBuilder<T>, postgres: RawBuilder<T>): RawBuilder<T> {
  const both: Spelled = { ...sqlite.toOperationNode(), postgres: postgres.toOperationNode() }
  const expression: Expression<T> = { expressionType: undefined, toOperationNode: () => both }
  return sql<T>`${expression}`
}

/** A value, or an expression of it. */
export type ValueOf<T> = T | Expression<T>
type Text = Expression<string>

/** Combine conditions; `allOf` of none is true. */
export const { and: allOf, or: anyOf, not: notSo } = expressionBuilder<DB>()

/** The condition that always holds. */
export const ALWAYS: Expression<SqlBool> = sql<SqlBool>`1 = 1`
/** The condition that never holds. */
export const NEVER: Expression<SqlBool> = sql<SqlBool>`1 = 0`

/**
 * A constant as part of the text of a statement that is not compiled: with a bound parameter SQLite cannot use a partial index whose
 * condition names the value. `compiled` does so by itself.
 */
export function literal<T extends string | number>(value: T): RawBuilder<T> {
  return sql.lit(value)
}

/** Condition: a boolean is true; spelled as in the conditions of partial indexes. */
export function isTrue(column: Expression<boolean>): Expression<SqlBool> {
  return spelled<SqlBool>(sql`${column} = 1`, sql`${column} = true`)
}

/** Condition: a boolean is false; spelled as in the conditions of partial indexes. */
export function isFalse(column: Expression<boolean>): Expression<SqlBool> {
  return spelled<SqlBool>(sql`${column} = 0`, sql`${column} = false`)
}

/** The values of a list, for `in`; one parameter, so that the statement is the same for any number of values. */
export function listOf<T extends string | number>(values: ValueOf<readonly T[]>): RawBuilder<T> {
  return spelled<T>(sql`(select value from json_each(${values}))`, sql`any(${values})`)
}

/**
 * The results of a query of one column, for `in`: PostgreSQL gets them as a list, so that it looks each value up by an index, instead of
 * estimating how many there are.
 */
export function listFrom<T>(query: Expression<unknown>): RawBuilder<T> {
  return spelled<T>(sql`${query}`, sql`any(array${query})`)
}

type ColumnKind = 'text' | 'integer'
/** A row of {@link rowsOf}. */
type RowOf<Columns extends Record<string, ColumnKind>> = {
  [Name in keyof Columns]: Columns[Name] extends 'text' ? string : number
}
type GivenRow<Row> = { readonly [Name in keyof Row]?: Row[Name] | null | undefined }

/**
 * A table of given rows, for `from` and joins; one parameter, so that the statement is the same for any number of rows.
 *
 * @param columns of each row; a missing value is NULL
 * @param alias of the table
 */
export function rowsOf<Columns extends Record<string, ColumnKind>, Alias extends string>(
  rows: ValueOf<readonly GivenRow<RowOf<Columns>>[]>,
  columns: Columns,
  alias: Alias,
): AliasedRawBuilder<RowOf<Columns>, Alias> {
  const names = Object.keys(columns)
  const fields = names.map((name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`)
  const typed = names.map(
    (name) =>
      sql`(value ->> ${sql.lit(name)})::${sql.raw(columns[name] === 'text' ? 'text' : 'bigint')} as ${sql.id(name)}`,
  )
  // An empty list is bound as `{}`, which `jsonb` takes for an empty object; see `bound`.
  return spelled<RowOf<Columns>>(
    sql`(select ${sql.join(fields)} from json_each(${rows}))`,
    sql`(select given_nth, ${sql.join(typed)} from jsonb_array_elements(coalesce(nullif(${rows}::jsonb, '{}'), '[]')) with ordinality as given (value, given_nth))`,
  ).as(alias)
}

/**
 * The order in which the rows of {@link rowsOf} were given, for `order by`: SQLite keeps it, where the table comes first; PostgreSQL
 * may not.
 *
 * @param alias of the table
 */
export function asGiven(alias: string): RawBuilder<number> {
  return spelled<number>(sql`null`, sql`${sql.id(alias, 'given_nth')}`)
}

/** A column, then the id where it is the same, for `order by`: the index of SQLite yields rows in this order without being told. */
export function withIds(column: Expression<number>, id: Expression<number>): RawBuilder<number> {
  return spelled<number>(sql`${column}`, sql`${column}, ${id}`)
}

/** A text of a column that is compared without regard to the case of ASCII letters; use it on both sides. */
export function caseless(text: ValueOf<string> | Expression<string | null>): RawBuilder<string> {
  return spelled<string>(sql`${text}`, sql`lower(${text})`)
}

/** The smallest of the values. */
export function least(...values: ValueOf<number>[]): RawBuilder<number> {
  return spelled<number>(sql`min(${sql.join(values)})`, sql`least(${sql.join(values)})`)
}

/** The greatest of the values. */
export function greatest<T extends number | string>(...values: ValueOf<T>[]): RawBuilder<T> {
  return spelled<T>(sql`max(${sql.join(values)})`, sql`greatest(${sql.join(values)})`)
}

/**
 * Condition: a text contains another, taken literally (`%` and `_` are characters like any other), without regard to the case of
 * ASCII letters.
 */
export function contains(text: Expression<string | null>, part: string): Expression<SqlBool> {
  return matches(text, patternOf(part))
}

/** Condition: a text begins with another, taken literally; an index of the column is used. */
export function beginsWith(text: Text, part: string): Expression<SqlBool> {
  const pattern = `${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return spelled<SqlBool>(
    sql`(${text} >= ${part} and ${text} < ${`${part}\u{10FFFF}`})`,
    sql`${text} like ${pattern}`,
  )
}

/** The pattern for {@link matches} that finds texts that contain `part`; null when none can. */
export function patternOf(part: string): string | null {
  // SQLite reads a pattern up to the first NUL only.
  return part.includes('\0') ? null : `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** Condition: as {@link contains}, with the pattern of {@link patternOf}. */
export function matches(
  text: Expression<string | null>,
  pattern: ValueOf<string | null>,
): Expression<SqlBool> {
  return spelled<SqlBool>(sql`${text} like ${pattern} escape '\\'`, sql`${text} ilike ${pattern}`)
}

/** The characters of a text from a position on (the first is 1), all or `length` of them. */
export function textPart(text: Text, from: number, length?: number): RawBuilder<string> {
  return length === undefined
    ? sql<string>`substr(${text}, ${sql.lit(from)})`
    : sql<string>`substr(${text}, ${sql.lit(from)}, ${sql.lit(length)})`
}

/** A time, ISO 8601 in UTC, `ms` milliseconds later. */
export function shifted(time: Expression<string | null>, ms: number): RawBuilder<string> {
  return spelled<string>(
    sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, ${`${ms / 1000} seconds`})`,
    sql`to_char((${time}::timestamptz + ${`${ms} milliseconds`}::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  )
}

/** The value of a field of a text that holds a JSON object. */
export function jsonText(json: Expression<string | null>, field: string): RawBuilder<string | null> {
  return spelled<string | null>(
    sql`${json} ->> ${sql.lit(`$.${field}`)}`,
    sql`(${json})::jsonb ->> ${sql.lit(field)}`,
  )
}

/** Condition: a text that holds a JSON list contains this value. */
export function listHas(json: Text, value: ValueOf<string>): Expression<SqlBool> {
  return spelled<SqlBool>(
    sql`${value} in (select value from json_each(${json}))`,
    sql`jsonb_exists((${json})::jsonb, ${value})`,
  )
}

/** A text that holds a JSON object, with one more field: an object of these values. */
export function withObject(
  json: Text,
  field: string,
  values: Readonly<Record<string, Expression<string | number>>>,
): RawBuilder<string> {
  const pairs = sql.join(Object.entries(values).map(([name, value]) => sql`${sql.lit(name)}, ${value}`))
  return spelled<string>(
    sql`json_set(${json}, ${sql.lit(`$.${field}`)}, json_object(${pairs}))`,
    sql`jsonb_set((${json})::jsonb, ${sql.lit(`{${field}}`)}, jsonb_build_object(${pairs}))::text`,
  )
}

/** Suffix of the alias of a column that the row reader parses as JSON. */
export const JSON_MARK = '#json'

/** A column with JSON, which rows have as the parsed value. */
interface JsonExpression<T> {
  as<Alias extends string>(alias: Alias): AliasedRawBuilder<T, Alias>
}

function json<T>(expression: Expression<unknown>): JsonExpression<T> {
  return {
    as: (alias) =>
      new ExpressionWrapper(
        AliasNode.create(expression.toOperationNode(), IdentifierNode.create(alias + JSON_MARK)),
      ) as never,
  }
}

/** The parsed value of a column of JSON text; null where it is NULL. */
export function parsed<T>(column: Text): JsonExpression<T>
export function parsed<T>(column: Expression<string | null>): JsonExpression<T | null>
export function parsed<T>(column: Expression<string | null>): JsonExpression<T> {
  return json(column)
}

type TruthsOf<Row> = {
  [Name in keyof Row as boolean extends Row[Name] ? Name : never]: true
}
type Rows<Row> = Expression<Row[]> | Expression<Row>

/** A column, `desc` after it for the greatest first. */
type Order<Column extends string = string> = Column | `${Column} desc`

/**
 * The rows of a query as one list, in an order.
 *
 * @param query selects named columns; those of {@link parsed} are values in the list, too
 * @param order one of them, or several, each of which decides where those before it are the same
 * @param truths its boolean columns, which SQLite would write into JSON as numbers
 */
export function rowsAsJson<Row>(
  query: Rows<Row>,
  order: Order<keyof Row & string> | readonly Order<keyof Row & string>[],
  ...[truths]: keyof TruthsOf<Row> extends never ? [] : [truths: TruthsOf<Row>]
): JsonExpression<Row[]> {
  const column = (name: string) => sql.ref(`list.${name}`)
  const pairs = columnsOf(query).map((name) => {
    const isTruth = truths !== undefined && name in truths
    const truth = spelled(sql`json(iif(${column(name)}, 'true', 'false'))`, column(name))
    const value = spelled(sql`json(${column(name)})`, sql`${column(name)}::jsonb`)
    if (name.endsWith(JSON_MARK)) return sql`${sql.lit(name.slice(0, -JSON_MARK.length))}, ${value}`
    return sql`${sql.lit(name)}, ${isTruth ? truth : column(name)}`
  })
  return listAsJson(
    sql`json_object(${sql.join(pairs)})`,
    sql`jsonb_build_object(${sql.join(pairs)})`,
    order,
    query,
  )
}

/** The one column of a query as a list, in the order of its values. */
export function valuesAsJson<Row>(query: Rows<Row>): JsonExpression<Row[keyof Row][]> {
  const [name = ''] = columnsOf(query)
  const column = sql.ref(`list.${name}`)
  return listAsJson(column, column, name, query)
}

function listAsJson<T>(
  sqlite: RawBuilder<unknown>,
  postgres: RawBuilder<unknown>,
  order: Order | readonly Order[],
  query: Expression<unknown>,
) {
  const by = sql.join([order].flat().map(orderBy))
  return json<T>(
    spelled(
      sql`(select json_group_array(${sqlite} order by ${by}) from ${query} as list)`,
      sql`(select coalesce(jsonb_agg(${postgres} order by ${by}), '[]') from ${query} as list)`,
    ),
  )
}

function orderBy(order: Order): RawBuilder<unknown> {
  const column = sql.ref(`list.${order.replace(/ desc$/, '')}`)
  return order.endsWith(' desc') ? sql`${column} desc` : column
}

/** Names of the columns that a query selects. */
function columnsOf(query: Expression<unknown>): string[] {
  const node = query.toOperationNode()
  if (!SelectQueryNode.is(node)) throw new Error('not a query that selects')
  return (node.selections ?? []).map(({ selection }) => {
    if (AliasNode.is(selection) && IdentifierNode.is(selection.alias)) return selection.alias.name
    if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name
    if (ColumnNode.is(selection)) return selection.column.name
    throw new Error('every column of a list must have a name')
  })
}
