/**
 * One bubble with its file and keyboard.
 *
 * @typedef {import('./api.js').EmulatedMessage} EmulatedMessage
 * @typedef {import('../../../emulators/telegram/types.ts').EmulatedButton} EmulatedButton
 * @typedef {import('../../../emulators/telegram/types.ts').EmulatedFile} EmulatedFile
 */

import { fileAddress } from './api.js'
import { element, icon } from './dom.js'
import { formatted, safeAddress } from './entities.js'
import { translate } from './texts.js'

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** @param {number} bytes */
function sizeText(bytes) {
  const units = ['B', 'KB', 'MB', 'GB']
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1)
  return `${Number((bytes / 1024 ** unit).toFixed(1))} ${units[unit]}`
}

/**
 * A file name that breaks between its parts where it is too long for a line.
 * @param {string} fileName
 */
const breakable = (fileName) => fileName.split(/(?<=[-_.])/).flatMap((part) => [part, element('wbr')])

/** @param {EmulatedFile} file */
function attachment({ kind, fileId, fileName, size, width, height }) {
  const href = fileAddress(fileId)
  return kind === 'photo'
    ? element(
        'a',
        { class: 'photo', href, target: '_blank', 'data-label': 'photo' },
        element('img', { src: href, alt: fileName, width, height }),
      )
    : element(
        'a',
        { class: 'document', href, download: fileName, 'data-title': 'download' },
        element('span', { class: 'badge' }, icon('file')),
        element('span', { class: 'name' }, ...breakable(fileName)),
        element('small', {}, sizeText(size)),
      )
}

/** @param {EmulatedButton} button */
function keyboardButton({ kind, text, value, style }) {
  const look = { class: 'key', 'data-style': style }
  if (kind === 'url')
    return element(
      'a',
      { ...look, href: safeAddress(value), target: '_blank', rel: 'noopener noreferrer' },
      text,
      icon('link'),
    )
  return kind === 'copy'
    ? element('button', { ...look, type: 'button', 'data-copy': value }, text, icon('copy'))
    : element('button', { ...look, type: 'button', 'data-callback': value }, text)
}

/**
 * Fills the message's element, anew after an edit.
 * @param {HTMLElement} article
 * @param {EmulatedMessage} message
 */
export function showMessage(article, { from, date, edited, text, entities, file, keyboard }) {
  const sent = new Date(date * 1000)
  const meta = element('span', { class: 'meta' })
  if (edited) meta.append(element('span', { 'data-text': 'edited' }), ' ')
  meta.append(
    element('time', { datetime: sent.toISOString(), title: sent.toLocaleString() }, clock.format(sent)),
  )

  const bubble = element('div', { class: 'bubble' })
  if (file) bubble.append(attachment(file))
  bubble.append(element('div', { class: text ? 'text' : 'text bare' }, formatted(text, entities), meta))

  article.dataset.from = from
  article.replaceChildren(bubble)
  if (keyboard.length)
    article.append(
      element(
        'div',
        { class: 'keyboard' },
        ...keyboard.map((row) => element('div', { class: 'row' }, ...row.map(keyboardButton))),
      ),
    )
  translate(article)
}

/** @param {EmulatedMessage} message */
export function messageElement(message) {
  const article = element('article', { class: 'message', 'data-message-id': message.messageId })
  showMessage(article, message)
  return article
}
