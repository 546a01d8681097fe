import { badRequest } from './api-error.ts'
import { sortEntities, type Entity, type FormattedText } from './entities.ts'
import { linkOf } from './urls.ts'

/** The simple tags; `a`, `code`, `pre`, `span`, `blockquote`, `tg-emoji` and `tg-time` have rules of their own. */
const SIMPLE: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  u: 'underline',
  ins: 'underline',
  'tg-spoiler': 'spoiler',
  span: 'spoiler',
}
const TAGS = new Set([...Object.keys(SIMPLE), 'a', 'code', 'pre', 'blockquote', 'tg-emoji', 'tg-time'])
const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

interface OpenTag {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  /** Where the text of the tag begins in the output. */
  readonly offset: number
}

/**
 * Parses `parse_mode: HTML`.
 *
 * @throws ApiError `can't parse entities: …` with Telegram's text; positions are byte offsets in the UTF-8 source
 */
export function parseHtml(source: string): FormattedText {
  let text = ''
  let position = 0
  const entities: Entity[] = []
  const open: OpenTag[] = []

  const fail = (reason: string) => badRequest(`can't parse entities: ${reason}`)
  const at = (index: number) => `at byte offset ${Buffer.byteLength(source.slice(0, index))}`
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = position
    const found = pattern.exec(source)?.[0] ?? ''
    position += found.length
    return found
  }

  function startTag(begin: number): void {
    const name = take(/[^\s>]*/y).toLowerCase()
    if (position === source.length) throw fail(`Unclosed start tag ${at(begin)}`)
    if (!TAGS.has(name)) throw fail(`Unsupported start tag "${name}" ${at(begin)}`)
    const attributes = new Map<string, string>()
    for (take(/\s*/y); source[position] !== '>'; take(/\s*/y)) {
      const attribute = take(/[^\s=>/"']*/y)
      if (attribute === '') throw fail(`Empty attribute name in the tag "${name}" ${at(begin)}`)
      const hasValue = take(/\s*=?\s*/y).includes('=')
      if (position === source.length) throw fail(`Unclosed start tag "${name}" ${at(begin)}`)
      attributes.set(attribute, hasValue ? attributeValue(begin) : '')
    }
    position++
    if (name === 'span' && attributes.get('class') !== 'tg-spoiler') {
      throw fail(`Tag "span" must have class "tg-spoiler" ${at(begin)}`)
    }
    open.push({ name, attributes, offset: text.length })
  }

  function attributeValue(begin: number): string {
    const quote = source[position]
    if (quote !== '"' && quote !== "'") {
      const start = position
      const token = take(/[a-z\d.-]*/iy).toLowerCase()
      if (position === source.length) throw fail(`Unclosed start tag ${at(begin)}`)
      if (!/[\s>]/.test(source.charAt(position))) throw fail(`Unexpected end of name token ${at(start)}`)
      return token
    }
    const end = source.indexOf(quote, position + 1)
    if (end === -1 || end === source.length - 1) throw fail(`Unclosed start tag ${at(begin)}`)
    const value = source.slice(position + 1, end)
    position = end + 1
    return decodeCharacters(value)
  }

  function endTag(begin: number): void {
    const tag = open.at(-1)
    if (!tag) throw fail(`Unexpected end tag ${at(begin)}`)
    position++
    const name = take(/[^\s>]*/y).toLowerCase()
    take(/\s*/y)
    if (source[position] !== '>') throw fail(`Unclosed end tag ${at(begin)}`)
    position++
    if (name !== '' && name !== tag.name) {
      throw fail(`Unmatched end tag ${at(begin)}, expected "</${tag.name}>", found "</${name}>"`)
    }
    open.pop()
    if (text.length > tag.offset) close(tag)
  }

  function close({ name, attributes, offset }: OpenTag): void {
    const range = { offset, length: text.length - offset }
    const inner = entities.at(-1)
    const wraps = inner?.offset === offset && inner.length === range.length ? inner.type : undefined
    const language = /^language-(.+)/.exec(attributes.get('class') ?? '')?.[1]
    if (name === 'a') {
      const url = linkOf(attributes.get('href') || text.slice(offset))
      if (url !== undefined) entities.push({ type: 'text_link', ...range, url })
    } else if (name === 'pre') {
      // <pre><code class="language-x"> is one block of code in the language x.
      if (wraps === 'code' && inner?.language !== undefined) entities.splice(-1, 1, { ...inner, type: 'pre' })
      else entities.push({ type: 'pre', ...range })
    } else if (name === 'code') {
      if (wraps === 'pre' && inner && language !== undefined) entities.splice(-1, 1, { ...inner, language })
      else entities.push({ type: 'code', ...range, ...(language !== undefined && { language }) })
    } else if (name === 'blockquote') {
      entities.push({ type: attributes.has('expandable') ? 'expandable_blockquote' : 'blockquote', ...range })
    } else if (name === 'tg-emoji') {
      const id = attributes.get('emoji-id') ?? ''
      if (!/^[1-9]\d*$/.test(id)) throw fail('Invalid custom emoji identifier specified')
      entities.push({ type: 'custom_emoji', ...range, custom_emoji_id: id })
    } else if (name === 'tg-time') {
      const format = attributes.get('format')
      const date = { unix_time: Number(attributes.get('unix')), ...(format && { date_time_format: format }) }
      if (date.unix_time > 0) entities.push({ type: 'date_time', ...range, ...date })
    } else {
      entities.push({ type: SIMPLE[name] ?? name, ...range })
    }
  }

  while (position < source.length) {
    if (source[position] !== '<') {
      text += decodeCharacters(take(/[^<]+/y))
      continue
    }
    const begin = position++
    if (source[position] === '/') endTag(begin)
    else startTag(begin)
  }
  const unclosed = open.at(-1)
  if (unclosed) throw fail(`Can't find end tag corresponding to start tag "${unclosed.name}"`)
  return { text, entities: sortEntities(entities.map(withoutCodeLanguage)) }
}

/** The language of a `code` entity was only kept for a surrounding `pre`. */
function withoutCodeLanguage({ language, ...entity }: Entity): Entity {
  return language === undefined || entity.type === 'code' ? entity : { ...entity, language }
}

/** Decodes character references: only four names are known; the semicolon may be missing; anything else stays as it is. */
function decodeCharacters(source: string): string {
  return source.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));?/gi, (original, hex, decimal, name) => {
    if (name !== undefined) return CHARACTERS[String(name)] ?? original
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16)
    return code === 0 || code >= 0x10_ffff ? original : String.fromCodePoint(code)
  })
}
