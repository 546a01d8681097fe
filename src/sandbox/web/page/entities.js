/**
 * Formatted text as DOM nodes. The text only ever becomes text nodes, so nothing in it can act as markup.
 *
 * @typedef {import('../../../emulators/telegram/types.ts').EmulatedEntity} EmulatedEntity
 */

import { element } from './dom.js'

/** Links that a chat may open; anything else (`javascript:`) stays text. */
const openable = new Set(['http:', 'https:', 'mailto:', 'tel:', 'tg:'])

/**
 * The address in the form in which it may be opened, or undefined.
 * @param {string} address
 */
export function safeAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url && openable.has(url.protocol) ? url.href : undefined
}

/** @param {string | undefined} address */
function link(address) {
  const href = safeAddress(address ?? '')
  return href ? element('a', { href, target: '_blank', rel: 'noopener noreferrer' }) : element('span')
}

/** Something to tap that flows with the text, which a real button does not. */
const tappable = { role: 'button', tabindex: 0 }

/**
 * The empty element of an entity; `content` is the text that it covers.
 * @param {EmulatedEntity} entity
 * @param {string} content
 * @returns {HTMLElement}
 */
function wrapper(entity, content) {
  switch (entity.type) {
    case 'bold':
      return element('b')
    case 'italic':
      return element('i')
    case 'underline':
      return element('u')
    case 'strikethrough':
      return element('s')
    case 'code':
      return element('code', { ...tappable, 'data-title': 'copy' })
    case 'pre':
      return element('pre', { ...tappable, 'data-title': 'copy' })
    case 'spoiler':
      return element('span', { ...tappable, class: 'spoiler', 'data-label': 'hidden' })
    case 'blockquote':
      return element('blockquote')
    case 'expandable_blockquote':
      return element('blockquote', { ...tappable, class: 'folded' })
    case 'text_link':
      return link(entity.url)
    case 'url':
      return link(/^[a-z][a-z\d+.-]*:/i.test(content) ? content : `https://${content}`)
    case 'email':
      return link(`mailto:${content}`)
    case 'bot_command':
      return element('span', { ...tappable, class: 'command', 'data-command': content })
    default:
      return element('span')
  }
}

/**
 * @param {string} text
 * @param {readonly EmulatedEntity[]} entities
 * @returns {DocumentFragment}
 */
export function formatted(text, entities) {
  // Outer entities first; those inside one are the ones that follow and begin before its end.
  const sorted = entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)
  let next = 0

  /**
   * @param {number} from
   * @param {number} to
   */
  function range(from, to) {
    const nodes = document.createDocumentFragment()
    for (let entity = sorted[next]; entity && entity.offset < to; entity = sorted[next]) {
      next++
      const start = Math.max(entity.offset, from)
      const end = Math.min(entity.offset + entity.length, to)
      if (end <= start) continue
      const node = wrapper(entity, text.slice(start, end))
      nodes.append(text.slice(from, start), node)
      node.append(range(start, end))
      // A block ends its line itself; the line break after it would show as an empty line.
      from = text[end] === '\n' && node.matches('pre, blockquote') ? end + 1 : end
    }
    nodes.append(text.slice(from, to))
    return nodes
  }
  return range(0, text.length)
}
