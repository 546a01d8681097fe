import { badRequest, notImplemented } from './api-error.ts'
import table from './bot-api.json' with { type: 'json' }

/** Field name (with "?" when optional) to type, e.g. `"entities?": "MessageEntity[]"`, `"chat_id": "Integer|String"`. */
type Fields = Readonly<Record<string, string>>

const METHODS: Readonly<Record<string, Fields>> = table.methods
const TYPES: Readonly<Record<string, Fields>> = table.types
/** Types that are told apart by the value of their field "type". */
const UNIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = table.unions
const NAMES = new Map(
  [...Object.keys(METHODS), ...table.notImplemented].map((name) => [name.toLowerCase(), name] as const),
)

/** How Telegram reports a missing or empty required parameter; others get `Parameter "x" is required`. */
const MISSING: Readonly<Record<string, string>> = {
  chat_id: 'chat_id is empty',
  text: 'message text is empty',
  photo: 'there is no photo in the request',
  document: 'there is no document in the request',
  message_id: 'message identifier is not specified',
  message_ids: 'message identifiers are not specified',
  file_id: 'file_id not specified',
  action: 'wrong parameter action in request',
  callback_query_id: 'query is too old and response timeout expired or query ID is invalid',
}

/** What Telegram puts in front of an error inside an object of this type. */
const PREFIXES: Readonly<Record<string, string>> = {
  InlineKeyboardButton: "can't parse inline keyboard button: ",
  KeyboardButton: "can't parse keyboard button: ",
  MessageEntity: "can't parse MessageEntity: ",
  BotCommand: "can't parse BotCommand: ",
  BotCommandScope: "can't parse BotCommandScope: ",
  InputMedia: "can't parse InputMedia: ",
  MenuButton: "can't parse menu button: ",
  LinkPreviewOptions: "can't parse link preview options: ",
  ReplyParameters: "can't parse reply parameters: ",
}

interface FieldSpec {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

const JSON_TYPES: Readonly<Record<string, { name: string; matches: (value: unknown) => boolean }>> = {
  Integer: { name: 'Number', matches: Number.isSafeInteger },
  Float: { name: 'Number', matches: Number.isFinite },
  String: { name: 'String', matches: (value) => typeof value === 'string' },
  Boolean: { name: 'Boolean', matches: (value) => typeof value === 'boolean' },
  InputFile: { name: 'InputFile', matches: (value) => typeof value === 'string' },
}

/** The problem of a value whose type is left out of the table. */
const NOT_IMPLEMENTED = 'not implemented'

/** Returns the method's name as the documentation writes it, or undefined; Telegram compares method names case-insensitively. */
export function findMethod(name: string): string | undefined {
  return NAMES.get(name.toLowerCase())
}

/** Whether the emulator carries this method out, as opposed to knowing its name only. */
export function isImplemented(method: string): boolean {
  return method in METHODS
}

/**
 * Checks the parameters of a call against the table of the Bot API and converts those that came as strings (query,
 * form and multipart bodies carry nothing else).
 *
 * @param uploads names of the uploaded files: a file may be sent in a part named like its parameter
 * @throws ApiError with Telegram's text when a required parameter is missing or a value has the wrong type. A
 *   parameter that the table does not know is refused too: Telegram ignores it, but here it is a mistake to be found.
 */
export function checkParameters(
  method: string,
  raw: Readonly<Record<string, unknown>>,
  uploads: ReadonlySet<string>,
): Record<string, unknown> {
  const fields = Object.entries(METHODS[method] ?? {}).map(parseField)
  const unknown = Object.keys(raw).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined)
    throw badRequest(`unknown parameter "${unknown}" of ${method} (Telegram ignores it)`)
  const checked: Record<string, unknown> = {}
  for (const { name, type, required } of fields) {
    const attached = type.startsWith('InputFile') && uploads.has(name) ? `attach://${name}` : undefined
    const value = raw[name] ?? attached
    if (value === undefined || (value === '' && (required || !accepts(type, 'String')))) {
      if (required) throw badRequest(MISSING[name] ?? `Parameter "${name}" is required`)
      continue
    }
    checked[name] = typeof value === 'string' ? fromString(name, type, value) : value
    const problem = problemOf(type, checked[name], name)
    if (problem !== undefined) throw problem === NOT_IMPLEMENTED ? notImplemented(name) : badRequest(problem)
  }
  return checked
}

function parseField([key, type]: readonly [string, string]): FieldSpec {
  return { name: key.replace('?', ''), type, required: !key.endsWith('?') }
}

function accepts(type: string, alternative: string): boolean {
  return type.split('|').includes(alternative)
}

function fromString(name: string, type: string, value: string): unknown {
  if (accepts(type, 'Integer') && /^-?\d+$/.test(value)) return Number(value)
  if (accepts(type, 'String') || accepts(type, 'InputFile')) return value
  if (type === 'Integer' || type === 'Float') return Number(value)
  if (type === 'Boolean')
    return /^(true|1|yes)$/i.test(value) || (/^(false|0|no)$/i.test(value) ? false : value)
  try {
    return JSON.parse(value)
  } catch {
    throw badRequest(`can't parse ${name} JSON object`)
  }
}

/** Returns why the value is not of the type, in Telegram's words; undefined when it is. */
function problemOf(type: string, value: unknown, field: string): string | undefined {
  const alternatives = type.split('|')
  if (alternatives.length > 1) return problemOfAlternatives(alternatives, value, field)
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return `Field "${field}" must be of type Array`
    return firstProblem(value, (item) => problemOf(type.slice(0, -2), item, field))
  }
  const primitive = JSON_TYPES[type]
  if (primitive && !primitive.matches(value)) return `Field "${field}" must be of type ${primitive.name}`
  if (primitive) return isUtf8(value) ? undefined : 'strings must be encoded in UTF-8'
  if (!(type in TYPES) && !(type in UNIONS)) return NOT_IMPLEMENTED
  const problem = isObject(value) ? problemOfObject(type, value) : `Field "${field}" must be of type Object`
  return problem === undefined ? undefined : `${PREFIXES[type] ?? ''}${problem}`
}

/** Whether a value can be encoded in UTF-8, which a text with half of a surrogate pair cannot. */
function isUtf8(value: unknown): boolean {
  return typeof value !== 'string' || !/\p{Surrogate}/u.test(value)
}

function problemOfObject(type: string, value: Readonly<Record<string, unknown>>): string | undefined {
  const union = UNIONS[type]
  if (union) {
    const tag = value.type
    if (tag === undefined) return `Can't find field "type"`
    if (typeof tag !== 'string') return 'Field "type" must be of type String'
    const member = union[tag]
    if (member !== undefined) return problemOfObject(member, value)
    if (type === 'MenuButton') return 'MenuButton has unsupported type'
    return type === 'InputMedia' ? `type "${tag}" is unsupported` : 'Unsupported type specified'
  }
  const fields = Object.entries(TYPES[type] ?? {}).map(parseField)
  const unknown = Object.keys(value).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return `unknown field "${unknown}" of ${type} (Telegram ignores it)`
  return firstProblem(fields, ({ name, type: fieldType, required }) => {
    const content = value[name] ?? undefined
    if (content !== undefined) return problemOf(fieldType, content, name)
    return required ? `Can't find field "${name}"` : undefined
  })
}

/** Objects are told apart by their first required field (`inline_keyboard`, `keyboard`, …), other values by type. */
function problemOfAlternatives(
  alternatives: readonly string[],
  value: unknown,
  field: string,
): string | undefined {
  if (!isObject(value)) {
    const problems = alternatives.map((alternative) => problemOf(alternative, value, field))
    return problems.includes(undefined) ? undefined : problems[0]
  }
  const match = alternatives.find((alternative) => (Object.keys(TYPES[alternative] ?? {})[0] ?? '') in value)
  return match === undefined
    ? `Field "${field}" must be one of ${alternatives.join(', ')}`
    : problemOf(match, value, field)
}

function firstProblem<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
