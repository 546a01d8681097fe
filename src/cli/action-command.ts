import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { parseInput } from '../core/errors.ts'
import { type Acting, type Action, type Answer, innerOf, type Typing, typingOf } from '../operator/action.ts'
import { amount, codes, InvalidText, wholeNumber } from '../operator/arguments.ts'
import { confirm, YES_HELP } from './confirm.ts'
import { typedSecret } from './password.ts'
import { readText } from './read-text.ts'
import type { RemoteService } from './remote.ts'
import type { Run, Session } from './run.ts'

/** Makes the commands of actions, each called by the last word of its name. */
export function commandsOf(run: Run, actions: readonly Action[]): Command[] {
  return actions.map((action) => commandOf(run, action))
}

/** Makes the command of an action: its arguments and options are those of the input (rules 10.1). */
export function commandOf(run: Run, action: Action): Command {
  const { name, summary, input = {}, needs = [], question, refusals } = action
  const command = new Command(name.split(' ').at(-1)).description(summary)
  const inputs = Object.entries(input).map(([field, schema]) => inputOf(field, schema as z.ZodType))
  for (const { argument, options } of inputs) {
    if (argument) command.addArgument(argument)
    for (const option of options) command.addOption(option)
  }
  if (question) command.option('--yes', YES_HELP)
  const schema = z.object(input)
  return command.action(
    run(async (session, ...given: unknown[]) => {
      const typed = await valuesOf(session, inputs, given)
      const values = parseInput(schema, typed.values)
      const isAsked = question !== undefined && session.interactive && !typed.yes
      const answer = session.server
        ? await askServer(session.server, values, isAsked)
        : await carryOut(values, isAsked)
      return { ...answer, warnings: [...typed.warnings, ...(answer.warnings ?? [])] }

      async function carryOut(input: Values, asks: boolean): Promise<Answer<object>> {
        const core = await session.core(...needs)
        const acting: Acting = {
          core,
          by: session.by,
          currency: session.currency,
          get publicUrl() {
            return session.publicUrl()
          },
          requestKey: undefined,
          botLink: (start) => session.botLink(core, start),
        }
        const asked = asks ? await question?.(input, acting) : undefined
        if (asked !== undefined) await confirm(session, asked)
        return (await action.run(acting, input)) as Answer<object>
      }

      async function askServer(server: RemoteService, input: Values, asks: boolean): Promise<Answer<object>> {
        if (asks) await confirm(session, `At ${server.url}: ${summary}?`)
        return server.ask(action, input)
      }
    }, refusals),
  )
}

type Values = Readonly<Record<string, unknown>>

/** An input as commander takes it. */
interface CommandInput {
  readonly field: string
  readonly typing: Typing
  readonly argument?: Argument
  readonly options: readonly Option[]
}

const SECRET_HELP =
  '; "-" asks for it, or reads it from standard input; one written here stays in the log files of npm'

function inputOf(field: string, schema: z.ZodType): CommandInput {
  const typing = typingOf(schema)
  const { label, no, conflicts = [] } = typing
  const description = `${schema.meta()?.description ?? ''}${typing.reads && typing.reads !== 'file' ? SECRET_HELP : ''}`
  const { parser, choices, usual } = typedAs(schema, typing)
  if (!label.startsWith('--')) {
    const argument = new Argument(label, description)
    if (parser) argument.argParser(parser)
    return { field, typing, argument, options: [] }
  }
  const option = new Option(label, description).conflicts([conflicts].flat())
  if (parser) option.argParser(parser)
  if (choices) option.choices(choices.map(String))
  // What was chosen among numbers is one.
  const { parseArg } = option
  if (parseArg && typeof choices?.[0] === 'number')
    option.argParser((text, before) => Number(parseArg(text, before)))
  if (usual !== undefined) option.default(usual)
  // A flag that is missing is false.
  if (!schema.safeParse(undefined).success) option.makeOptionMandatory(!option.isBoolean())
  const opposite = no === undefined ? [] : [new Option(label.replace(/^--([\w-]+).*/, '--no-$1'), no)]
  return { field, typing, options: [option, ...opposite] }
}

interface Typed {
  readonly parser?: (text: string, before: unknown) => unknown
  readonly choices?: readonly unknown[]
  /** The default, where the help shows it. */
  readonly usual?: unknown
}

/** Returns how a value is read and shown: as its typing says, else by its schema. */
function typedAs(schema: z.ZodType, { label, parse }: Typing): Typed {
  const inner = innerOf(schema)
  const usual = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined
  const shown = typeof usual === 'number' || typeof usual === 'string' ? { usual } : {}
  if (parse) return { ...shown, parser: refusing(parse as Parser) }
  if (inner instanceof z.ZodEnum) return { ...shown, choices: inner.options }
  if (inner instanceof z.ZodLiteral) return { ...shown, choices: [...inner.values] }
  if (inner instanceof z.ZodNumberFormat) return { ...shown, parser: refusing(wholeNumber) }
  if (inner instanceof z.ZodNumber) return { ...shown, parser: refusing(amount) }
  if (inner instanceof z.ZodArray && !label.includes('...')) return { parser: refusing(codes) }
  return shown
}

type Parser = (text: string, before?: unknown) => unknown

/** Makes a wrong text the wrong use of the command. */
function refusing(parse: Parser): Parser {
  return (text, before) => {
    try {
      // Commander would make an empty text of null: false stands for it, as where `--no-` was typed.
      return parse(text, before) ?? false
    } catch (error) {
      throw error instanceof InvalidText ? new InvalidArgumentError(error.message) : error
    }
  }
}

/** Collects what was typed, files and secrets read. */
async function valuesOf(session: Session, inputs: readonly CommandInput[], given: readonly unknown[]) {
  const typedArguments = inputs.filter(({ argument }) => argument)
  const options = given[typedArguments.length] as Readonly<Record<string, unknown>>
  const values: Record<string, unknown> = {}
  const warnings: string[] = []
  for (const {
    field,
    typing,
    argument,
    options: [option],
  } of inputs) {
    const text = option
      ? options[option.attributeName()]
      : given[typedArguments.findIndex((each) => each.argument === argument)]
    if (text === undefined) continue
    if (typing.reads === 'file') values[field] = await readText(session, text as string)
    else if (typing.reads && text === '-') values[field] = await typedSecret(session, typing.reads)
    else values[field] = text === false && !option?.isBoolean() ? null : text
    if (typing.reads && typing.reads !== 'file') warnings.push(...warningsOf(typing, text as string))
  }
  return { values, warnings, yes: options['yes'] === true }
}

/** Warns of a secret on the command line: npm has logged it before this program began. */
function warningsOf({ label, reads }: Typing, text: string): string[] {
  const [option] = label.split(' ')
  const what = reads === 'Secret' ? 'secret' : 'password'
  if (text === '-' || (reads === 'Address' && !text.includes('@'))) return []
  return [
    `this ${what} stays in the log files of npm and in the history of the shell; ${option} - asks for it`,
  ]
}
