import { z } from 'zod'
import type { Core } from '../core/core.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Operator } from '../core/people/operator.ts'

/** What an action works with. */
export interface Acting {
  readonly core: Core
  /** Who asks for it. */
  readonly by: Operator
  /** ISO 4217 code of the account currency. */
  readonly currency: string
  /** URL at which people reach the service, without a slash at the end; undefined where none is set. */
  readonly publicUrl: string | undefined
  /** Names this request: an {@link Action.idempotent} one that comes again gets the first answer. */
  readonly requestKey: string | undefined
  /** Returns the link that opens the bot with this parameter of `/start`. */
  readonly botLink: (start: string) => Promise<BotLink>
}

/** A link that opens the bot with a parameter of `/start`. */
export interface BotLink {
  /** Undefined where the name of the bot is not known and Telegram does not say it. */
  readonly link: string | undefined
  /** The link, or what to send to the bot instead; text for people, without a full stop. */
  readonly text: string
}

/** The result of an action. */
export interface Answer<Data = unknown> {
  /** The document of REST and of `--json`, with names as in the API and money in units of the currency. */
  readonly data: Data
  /** The same for people at a command line. */
  readonly text: string
  /** Possible mistakes of the operator. */
  readonly warnings?: readonly string[]
}

/** What the command line has to open for an action besides the database; a server has all of it. */
export type Need = 'create' | 'chain' | 'suppliers' | 'exits' | 'any currency'

/** Something that those who run the shop can ask, by the command line and by REST. Permission and trail are those of the core. */
export interface Action<Shape extends z.ZodRawShape = z.ZodRawShape, Data extends z.ZodType = z.ZodType> {
  /** The words of the command, such as `promo add`; the path of REST is made of them. */
  readonly name: string
  /** One sentence without a full stop. */
  readonly summary: string
  /** What it asks for, each value made by {@link typed}; those that are typed without a name stand in their order. */
  readonly input?: Shape
  /** Schema of the data of the answer. */
  readonly answer: Data
  /** Whether it only reads. */
  readonly reads?: true
  /** Whether it takes {@link Acting.requestKey}: what moves money whenever it is asked for must. */
  readonly idempotent?: true
  readonly needs?: readonly Need[]
  /** Returns what a person at a terminal is asked before; undefined: nothing. */
  readonly question?: (
    input: InputOf<Shape>,
    acting: Acting,
  ) => Promise<string | undefined> | string | undefined
  /** Messages of the command line that its arguments make clearer than the usual ones. */
  readonly refusals?: Partial<Record<ErrorCode, string>>
  /**
   * @throws ServiceError as the core refuses it
   * @throws Refusal for what the core does not refuse, such as values that do not go together
   */
  readonly run: (acting: Acting, input: InputOf<Shape>) => Promise<Answer<Data['_zod']['output']>>
}

type InputOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** Declares an action. With `const`, and `Data['_zod']['output']` above, literals in an answer keep their types. */
export function action<const Data extends z.ZodType, Shape extends z.ZodRawShape>(
  declared: Action<Shape, Data>,
): Action {
  return declared as unknown as Action
}

/** How the value of an input is typed in a command. */
export interface Typing {
  /** `<code>`, `[code]` or `<ip...>` where it has no name of its own, else as commander writes it: `--uses <number>`. */
  readonly label: string
  /** Reads what was typed; by default as the schema says it. Throws InvalidText (`arguments.ts`). */
  readonly parse?: (text: string, before?: never) => unknown
  /** Options that do not go together with this one. */
  readonly conflicts?: string | readonly string[]
  /** Help for the option that says the opposite, such as `--no-cidr`: false, or null for what is no flag. */
  readonly no?: string
  /** `file`: its name is typed, `-` for standard input. Else what is asked for where `-` is typed: it never stands in a log. */
  readonly reads?: 'file' | 'Password' | 'Secret' | 'Address'
}

const TYPINGS = z.registry<Typing>()

/**
 * Adds how a value is typed, and what it means.
 *
 * @param help without a full stop; the description in the document of REST
 */
export function typed<Schema extends z.ZodType>(
  schema: Schema,
  label: string,
  help: string,
  how: Omit<Typing, 'label'> = {},
): Schema {
  const described = schema.meta({ description: help })
  TYPINGS.add(described, { label, ...how })
  return described
}

/** Returns how a value is typed. */
export function typingOf(schema: z.ZodType): Typing {
  const typing = TYPINGS.get(schema)
  if (!typing) throw new Error('an input that is not made by typed()')
  return typing
}

/** Returns the schema of a value itself, where it may be missing. */
export function innerOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return innerOf(schema.unwrap() as z.ZodType)
  return schema
}

/** Returns a field that was given beside one with which it does not go together; undefined: there is none. */
export function conflictIn(
  input: z.ZodRawShape,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const named = Object.entries(input).flatMap(([field, schema]) => {
    const typing = typingOf(schema as z.ZodType)
    const value = given[field]
    return value === undefined || value === false ? [] : [{ field, option: optionOf(typing), typing }]
  })
  return named.find(({ typing: { conflicts = [] } }) =>
    [conflicts].flat().some((other) => named.some(({ option }) => option === other)),
  )?.field
}

/** Returns the name of an option as commander has it: `perUser` of `--per-user <number>`. */
function optionOf({ label }: Typing): string {
  const [flag = ''] = label.replace(/^--/, '').split(' ')
  return flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
