import { z } from 'zod'
import type { Deed } from '../../core/people/permissions.ts'
import { MAX_UNMARKED } from './mark.ts'

/**
 * A parameter of a button: how a press is read, and how the button is made.
 *
 * @typeParam Read what the handler gets
 * @typeParam Given what the button is made with; when it includes undefined, the parameter may be left out
 */
export interface Parameter<Read, Given = Read> {
  /** Reads what the button carries, undefined where its data ends before. It may be forged, and is never refused here. */
  readonly schema: z.ZodType<Read, string | undefined>
  readonly write: (given: Exclude<Given, undefined>) => string
  /** Takes all that follows as well, colons included: the last parameter only. */
  readonly rest?: true
}

/** The parameters of an action by their names, in the order in which they stand in the button. */
export type Shape = Readonly<Record<string, Parameter<unknown, never>>>

/** What the handler of a button gets. */
export type Read<Of extends Shape> = { readonly [Name in keyof Of]: z.output<Of[Name]['schema']> }

type GivenTo<One> = One extends Parameter<infer _Read, infer Given> ? Given : never
type Optional<Of extends Shape> = {
  [Name in keyof Of]: undefined extends GivenTo<Of[Name]> ? Name : never
}[keyof Of]
/** What a button is made with. */
export type Given<Of extends Shape> = {
  readonly [Name in Exclude<keyof Of, Optional<Of>>]: GivenTo<Of[Name]>
} & { readonly [Name in Optional<Of>]?: GivenTo<Of[Name]> }
type GivenArguments<Of extends Shape> =
  Exclude<keyof Of, Optional<Of>> extends never ? [given?: Given<Of>] : [given: Given<Of>]

/**
 * What buttons do, and what they carry for it: the name of the action and its parameters, `order:17:2`. Everything needed to draw
 * the next screen is in it, or in the chat's draft, so a button works after a restart and from an old message: names and the
 * order of parameters stay as they are. A press can be forged and is checked like any other request.
 */
export class Action<Of extends Shape = Shape> {
  readonly name: string
  readonly shape: Of
  /** Returns what a button does for the shop and needs permission for, given its callback data. */
  readonly deedsOf: (data: string) => readonly Deed[]
  readonly #maxBytes: number
  readonly #parameters: readonly (readonly [name: string, parameter: Shape[string]])[]
  readonly #schema: z.ZodType<Read<Of>, Record<string, string | undefined>>

  /** @param maxBytes limit of the callback data */
  constructor(name: string, shape: Of, deeds: Deeds<Of> = [], maxBytes = MAX_UNMARKED) {
    this.name = name
    this.#maxBytes = maxBytes
    this.shape = shape
    this.deedsOf = typeof deeds === 'function' ? (data) => deeds(this.read(data) as Read<Of>) : () => deeds
    this.#parameters = Object.entries(shape)
    const schemas = this.#parameters.map(([each, { schema }]) => [each, schema])
    this.#schema = z.object(Object.fromEntries(schemas)) as never
  }

  /**
   * Callback data of a button.
   *
   * @throws when it does not fit into a button: a bug, because all parameters are short numbers and codes
   */
  data(...[given = {} as never]: GivenArguments<Of>): string {
    let [data, left] = [this.name, '']
    for (const [name, { write }] of this.#parameters) {
      const value: unknown = given[name as never]
      // What is left out at the end is not written at all.
      if (value === undefined) left += ':'
      else [data, left] = [`${data}${left}:${write(value as never)}`, '']
    }
    if (Buffer.byteLength(data) > this.#maxBytes) throw new Error(`callback data is too long: ${data}`)
    return data
  }

  /** The parameters of a pressed button; undefined for a button of another action. */
  read(data: string): Read<Of> | undefined {
    const [name, ...parts] = data.split(':')
    if (name !== this.name) return undefined
    const parameters = this.#parameters.map(([each, { rest }], at) => [
      each,
      rest && at < parts.length ? parts.slice(at).join(':') : parts[at],
    ])
    return this.#schema.parse(Object.fromEntries(parameters))
  }
}

/** What a button does for the shop, a function where that depends on its parameters: who may not do all of it does not see the button. */
type Deeds<Of extends Shape> = readonly Deed[] | ((parameters: Read<Of>) => readonly Deed[])

const NOTHING = {} satisfies Shape

/**
 * Declares buttons.
 *
 * @param name short, and unique: `presses` refuses a second one
 * @param deeds what it does for the shop: who may not do all of it does not see the button; a function where that depends on the
 *   parameters
 */
export function action<Of extends Shape = typeof NOTHING>(
  name: string,
  shape?: Of,
  ...deeds: readonly Deed[] | [deeds: (parameters: Read<Of>) => readonly Deed[]]
): Action<Of> {
  const [first] = deeds
  return new Action(
    name,
    shape ?? (NOTHING as Of),
    typeof first === 'function' ? first : (deeds as readonly Deed[]),
  )
}

/** The name of the action of a button. */
export function actionOf(data: string): string {
  const end = data.indexOf(':')
  return end === -1 ? data : data.slice(0, end)
}
