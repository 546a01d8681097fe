/** The page: the phones side by side, or, on a narrow screen, one at a time behind tabs. */

import { listen } from './api.js'
import { element, find } from './dom.js'
import { botName, Phone } from './phone.js'
import { setLanguage, showLanguage, translate } from './texts.js'

/** The same width as in layout.css. */
const narrow = matchMedia('(max-width: 760px)')

/** @type {Map<number, { phone: Phone, tab: HTMLButtonElement, unread: number }>} */
const phones = new Map()
let active = 0

/** @param {number} userId */
function select(userId) {
  active = userId
  const selected = phones.get(userId)
  if (selected) selected.unread = 0
  showTabs()
}

function showTabs() {
  for (const [userId, { phone, tab, unread }] of phones) {
    phone.element.toggleAttribute('data-active', userId === active)
    tab.setAttribute('aria-pressed', String(userId === active))
    find(tab, '.unread').textContent = unread ? String(unread) : ''
  }
}

/** @param {number} userId */
function arrived(userId) {
  const entry = phones.get(userId)
  if (!entry || !narrow.matches || userId === active) return
  entry.unread++
  showTabs()
}

/**
 * @param {import('./api.js').PhoneState} state
 * @param {string} botUsername
 */
function addPhone(state, botUsername) {
  const userId = state.user.id
  const phone = new Phone(state, botUsername, () => arrived(userId))
  const tab = element(
    'button',
    { type: 'button', 'data-tab': userId },
    phone.title,
    element('span', { class: 'unread' }),
  )
  tab.addEventListener('click', () => select(userId))
  find(document, '.tabs').append(tab)
  find(document, '.phones').append(phone.element)
  translate(phone.element)
  const entry = { phone, tab, unread: 0 }
  phones.set(userId, entry)
  if (phones.size === 1) select(userId)
  return entry
}

for (const button of document.querySelectorAll('[data-language]'))
  button.addEventListener('click', () =>
    setLanguage(button.getAttribute('data-language') === 'zh' ? 'zh' : 'en'),
  )
showLanguage()

listen({
  state({ botUsername, phones: states }) {
    document.title = `${botName(botUsername)} · Sandbox`
    for (const state of states) (phones.get(state.user.id) ?? addPhone(state, botUsername)).phone.load(state)
  },
  event(event) {
    phones.get(event.chatId)?.phone.apply(event)
  },
  connected(connected) {
    for (const { phone } of phones.values()) phone.connected = connected
  },
})
