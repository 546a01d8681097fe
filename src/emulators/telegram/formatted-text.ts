import { badRequest, notImplemented } from './api-error.ts'
import { countCharacters } from './characters.ts'
import { parseHtml } from './entities-html.ts'
import { checkEntities, trimText, withFoundEntities, type Entity, type FormattedText } from './entities.ts'

/** Text of a message or caption, with the ways in which a bot can format it. */
interface TextInput {
  readonly text: string
  readonly parseMode: string | undefined
  readonly entities: readonly Entity[] | undefined
}

const MAX_SOURCE_BYTES = 32_768
const MAX_TEXT = 4096
const MAX_CAPTION = 1024

/**
 * Returns the text of a message as Telegram keeps it: without markup, trimmed, 1 to 4096 characters.
 *
 * @param tooLong Telegram's reason for too long a text; sending and editing word it differently
 * @throws ApiError with Telegram's text
 */
export function readText(input: TextInput, tooLong: string): FormattedText {
  const text = format(input)
  if (text.text === '') throw badRequest('text must be non-empty')
  if (countCharacters(text.text) > MAX_TEXT) throw badRequest(tooLong)
  return text
}

/**
 * Returns the caption of a photo or document: like a text, but it may be empty and has at most 1024 characters.
 *
 * @throws ApiError with Telegram's text
 */
export function readCaption(input: TextInput): FormattedText {
  const caption = format(input)
  if (countCharacters(caption.text) > MAX_CAPTION) throw badRequest('message caption is too long')
  return caption
}

function format({ text, parseMode = '', entities = [] }: TextInput): FormattedText {
  if (Buffer.byteLength(text) > MAX_SOURCE_BYTES) throw badRequest('text is too long')
  const mode = parseMode.toLowerCase()
  if (text === '' || mode === '' || mode === 'none') {
    return withFoundEntities(trimText({ text, entities: checkEntities(text, entities) }))
  }
  if (mode.startsWith('markdown')) throw notImplemented(`parse_mode ${parseMode}`)
  if (mode !== 'html') throw badRequest('unsupported parse_mode')
  return withFoundEntities(trimText(parseHtml(text)))
}
