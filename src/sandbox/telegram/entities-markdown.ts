import { badRequest } from './api-error.ts'
import type { Entity, FormattedText } from './entities.ts'
import { linkOf } from './urls.ts'

const CLOSING: Readonly<Record<string, string>> = { '*': '*', _: '_', '`': '`', '[': ']' }

/**
 * Parses the old `parse_mode: Markdown`: no nesting, only `*bold*`, `_italic_`, code and links.
 *
 * @throws ApiError `can't parse entities: …` with Telegram's text; the position is a byte offset in the UTF-8 source
 */
export function parseMarkdown(source: string): FormattedText {
  let text = ''
  const entities: Entity[] = []
  for (let i = 0; i < source.length; i++) {
    const c = source.charAt(i)
    if (c === '\\' && /[_*`[]/.test(source.charAt(i + 1))) {
      text += source.charAt(++i)
      continue
    }
    if (!(c in CLOSING)) {
      text += c
      continue
    }
    const begin = i
    const block = /```(?:([^\s`]+)(?=\s))?(?:\r\n|\n\r|[\r\n])?/y
    block.lastIndex = i
    const opening = block.exec(source)
    const closing = opening ? '```' : (CLOSING[c] ?? c)
    i += opening?.[0].length ?? 1
    const end = source.indexOf(closing, i)
    if (end === -1) {
      const at = Buffer.byteLength(source.slice(0, begin))
      throw badRequest(`can't parse entities: Can't find end of the entity starting at byte offset ${at}`)
    }
    const range = { offset: text.length, length: end - i }
    const content = source.slice(i, end)
    text += content
    i = end + closing.length - 1
    if (c === '[') {
      let url = content
      if (source[end + 1] === '(') {
        const close = source.indexOf(')', end)
        url = source.slice(end + 2, close === -1 ? source.length : close)
        i = close === -1 ? source.length : close
      }
      const link = linkOf(url)
      if (content !== '' && link !== undefined) entities.push({ type: 'text_link', ...range, url: link })
    } else if (content !== '') {
      const type = opening ? 'pre' : c === '`' ? 'code' : c === '*' ? 'bold' : 'italic'
      entities.push({ type, ...range, ...(opening?.[1] !== undefined && { language: opening[1] }) })
    }
  }
  return { text, entities }
}
