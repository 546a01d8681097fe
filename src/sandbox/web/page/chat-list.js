/**
 * The list of a person's chats, as a phone has it.
 *
 * @typedef {import('./api.js').EmulatedMessage} EmulatedMessage
 */

import { element } from './dom.js'

/**
 * What stands for a picture.
 * @param {string} name
 */
export function initials(name) {
  const words = name.split(' ').filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => /./u.exec(word)?.[0] ?? '')
    .join('')
}

/**
 * One chat of the list.
 * @param {{ username: string, name: string, newest: EmulatedMessage | undefined, unread: number }} chat
 */
export function chatRow({ username, name, newest, unread }) {
  const last = newest && (newest.text || newest.file?.fileName || '')
  return element(
    'button',
    { type: 'button', 'data-chat': username },
    element('span', { class: 'avatar', 'aria-hidden': 'true' }, initials(name)),
    element(
      'span',
      { class: 'last' },
      element('b', {}, name),
      element('small', last === undefined ? { 'data-text': 'noMessages' } : {}, last ?? ''),
    ),
    element('span', { class: 'unread' }, unread ? String(unread) : ''),
  )
}
