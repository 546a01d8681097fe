import { badRequest } from './api-error.ts'
import { sortEntities, type Entity, type FormattedText } from './entities.ts'
import { linkOf } from './urls.ts'

type Kind =
  | 'Bold'
  | 'Italic'
  | 'Underline'
  | 'Strikethrough'
  | 'Spoiler'
  | 'Code'
  | 'Pre'
  | 'PreCode'
  | 'TextUrl'
  | 'CustomEmoji'
  | 'BlockQuote'

/** Telegram's error texts name the kinds as its code does; the Bot API has names of its own. */
const TYPES: Readonly<Record<Exclude<Kind, 'TextUrl' | 'CustomEmoji'>, string>> = {
  Bold: 'bold',
  Italic: 'italic',
  Underline: 'underline',
  Strikethrough: 'strikethrough',
  Spoiler: 'spoiler',
  Code: 'code',
  Pre: 'pre',
  PreCode: 'pre',
  BlockQuote: 'blockquote',
}
/** What ends a piece of this kind; a block quotation ends with its last line. */
const CLOSING: Readonly<Record<Exclude<Kind, 'BlockQuote'>, string>> = {
  Bold: '*',
  Italic: '_',
  Underline: '__',
  Strikethrough: '~',
  Spoiler: '||',
  Code: '`',
  Pre: '```',
  PreCode: '```',
  TextUrl: ']',
  CustomEmoji: ']',
}
/** Longer signs first: "__" is never two times "_". */
const OPENING: readonly (readonly [string, Kind])[] = [
  ['__', 'Underline'],
  ['_', 'Italic'],
  ['*', 'Bold'],
  ['~', 'Strikethrough'],
  ['||', 'Spoiler'],
  ['![', 'CustomEmoji'],
  ['[', 'TextUrl'],
  ['```', 'Pre'],
  ['`', 'Code'],
]
const RESERVED = '_*[]()~`>#+-=|{}.!'

interface OpenPiece {
  readonly kind: Kind
  readonly language?: string
  /** Where the piece begins in the output. */
  readonly offset: number
  /** Where its sign stands in the source. */
  readonly begin: number
}

/**
 * Parses `parse_mode: MarkdownV2`.
 *
 * @throws ApiError `can't parse entities: …` with Telegram's text; positions are byte offsets in the UTF-8 source
 */
export function parseMarkdownV2(source: string): FormattedText {
  let text = ''
  let position = 0
  let lineStart = true
  const entities: Entity[] = []
  const open: OpenPiece[] = []

  const fail = (reason: string) => badRequest(`can't parse entities: ${reason}`)
  const at = (index: number) => `at byte offset ${Buffer.byteLength(source.slice(0, index))}`
  const noEnd = ({ kind, begin }: OpenPiece) => fail(`Can't find end of ${kind} entity ${at(begin)}`)
  const reserved = (c: string) =>
    fail(`Character '${c}' is reserved and must be escaped with the preceding '\\'`)
  const isQuoting = () => open.some(({ kind }) => kind === 'BlockQuote')

  function append(characters: string): void {
    text += characters
    lineStart = characters === '\n' || (lineStart && characters === '\r')
  }

  function add(piece: OpenPiece, entity: Omit<Entity, 'offset' | 'length'>): void {
    const length = text.length - piece.offset
    if (length > 0) entities.push({ ...entity, offset: piece.offset, length })
  }

  /** Ends the quotation, which is expandable when its last line ends with an empty spoiler sign. */
  function endQuotation(): void {
    const last = open.at(-1)
    const isMark = last?.kind === 'Spoiler' && last.offset === text.replace(/\r$/, '').length
    if (isMark) open.pop()
    const quotation = open.pop()
    if (!quotation) return
    if (quotation.kind !== 'BlockQuote') throw noEnd(quotation)
    if (source[position] === '\n') {
      position++
      append('\n')
    }
    add(quotation, { type: isMark ? 'expandable_blockquote' : 'blockquote' })
  }

  function end(piece: OpenPiece, sign: string): void {
    open.pop()
    position += sign.length
    if (piece.kind === 'TextUrl') {
      const url = linkOf(source[position] === '(' ? address() : text.slice(piece.offset))
      if (url !== undefined) add(piece, { type: 'text_link', url })
    } else if (piece.kind === 'CustomEmoji') {
      if (source[position] !== '(') throw fail('The entity must contain a tg://emoji or tg://time URL')
      const id = /^tg:\/\/emoji\?id=(\d+)$/.exec(address())?.[1]
      if (id === undefined) throw fail('Invalid tg://emoji or tg://time URL specified')
      add(piece, { type: 'custom_emoji', custom_emoji_id: id })
    } else {
      const language = piece.language === undefined ? {} : { language: piece.language }
      add(piece, { type: TYPES[piece.kind], ...language })
    }
  }

  /** Reads "(address)" with its escapes. */
  function address(): string {
    const begin = ++position
    const [content = ''] = /^(?:\\\p{ASCII}|[^)])*/u.exec(source.slice(position)) ?? []
    position += content.length + 1
    if (position > source.length) throw fail(`Can't find end of a URL ${at(begin)}`)
    return content.replace(/\\(\p{ASCII})/gu, '$1')
  }

  function start(c: string): void {
    const begin = position
    if (c === '>') {
      if (!lineStart) throw reserved(c)
      position++
      if (!isQuoting()) open.push({ kind: 'BlockQuote', offset: text.length, begin })
      return
    }
    const [sign, kind] = OPENING.find(([candidate]) => source.startsWith(candidate, position)) ?? []
    if (sign === undefined || kind === undefined) throw reserved(c)
    position += sign.length
    if (kind !== 'Pre') {
      open.push({ kind, offset: text.length, begin })
      return
    }
    const [head = '', language] =
      /^(?:([^\s`]+)(?=\s))?(?:\r\n|\n\r|[\r\n])?/.exec(source.slice(position)) ?? []
    position += head.length
    open.push({
      kind: language === undefined ? kind : 'PreCode',
      ...(language && { language }),
      offset: text.length,
      begin,
    })
  }

  while (position < source.length) {
    const c = source.charAt(position)
    const piece = open.at(-1)
    const isCode = piece?.kind === 'Code' || piece?.kind === 'Pre' || piece?.kind === 'PreCode'
    if (c === '\\' && /\p{ASCII}/u.test(source.charAt(position + 1))) {
      append(source.charAt(position + 1))
      position += 2
    } else if (isCode ? c !== '`' : c !== '\n' && !RESERVED.includes(c)) {
      append(c)
      position++
    } else if (c === '\n') {
      if (isQuoting() && source[position + 1] !== '>') {
        endQuotation()
      } else {
        append(c)
        position++
      }
    } else {
      const sign = piece && piece.kind !== 'BlockQuote' ? CLOSING[piece.kind] : undefined
      // A single "_" does not end an underlined piece, and "__" does not end an italic one.
      const ends =
        sign !== undefined &&
        source.startsWith(sign, position) &&
        !(sign === '_' && source[position + 1] === '_')
      if (piece && sign !== undefined && ends) end(piece, sign)
      else start(c)
    }
  }
  if (isQuoting()) endQuotation()
  const unclosed = open.at(-1)
  if (unclosed) throw noEnd(unclosed)
  return { text, entities: sortEntities(entities) }
}
