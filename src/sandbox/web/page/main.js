/** The page: the phones and the wallet side by side, or, on a narrow screen, one at a time behind tabs. */

import { listen, setPhoneLanguage } from './api.js'
import { element, find } from './dom.js'
import { botName, Phone } from './phone.js'
import { language, setLanguage, showLanguage, translate } from './texts.js'
import { Wallet } from './wallet.js'

/** The same width as in layout.css. */
const narrow = matchMedia('(max-width: 1000px)')

/**
 * What a tab shows.
 * @typedef {{ element: HTMLElement, tab: HTMLElement, unread: number }} Pane
 */

const wallet = new Wallet(find(document, '[data-wallet]'))
/** @type {Map<number, Phone>} */
const phones = new Map()
/** @type {Set<Pane>} */
const panes = new Set()
/** @type {Pane | undefined} */
let active

/** @param {Pane} pane */
function select(pane) {
  active = pane
  pane.unread = 0
  showTabs()
}

function showTabs() {
  for (const pane of panes) {
    pane.element.toggleAttribute('data-active', pane === active)
    pane.tab.setAttribute('aria-pressed', String(pane === active))
    find(pane.tab, '.unread').textContent = pane.unread ? String(pane.unread) : ''
  }
}

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} tab
 */
function addPane(element, tab) {
  const pane = { element, tab, unread: 0 }
  tab.addEventListener('click', () => select(pane))
  panes.add(pane)
  return pane
}

/** @param {Pane} pane */
function arrived(pane) {
  if (!narrow.matches || pane === active) return
  pane.unread++
  showTabs()
}

/**
 * @param {import('./api.js').PhoneState} state
 * @param {string} botUsername
 */
function addPhone(state, botUsername) {
  const phone = new Phone(state, botUsername, () => arrived(pane))
  const tab = element(
    'button',
    { type: 'button', 'data-tab': state.user.id },
    phone.title,
    element('span', { class: 'unread' }),
  )
  find(document, '[data-tab=wallet]').before(tab)
  wallet.element.before(phone.element)
  translate(phone.element)
  const pane = addPane(phone.element, tab)
  phones.set(state.user.id, phone)
  if (phones.size === 1) select(pane)
  return phone
}

/** Without an answer it is told again with the next connection. */
function tellLanguage() {
  setPhoneLanguage(language).catch(() => {})
}

for (const button of document.querySelectorAll('[data-language]'))
  button.addEventListener('click', () => {
    setLanguage(button.getAttribute('data-language') === 'zh' ? 'zh' : 'en')
    tellLanguage()
  })
addPane(wallet.element, find(document, '[data-tab=wallet]'))
showLanguage()

listen({
  state({ botUsername, phones: states, wallet: walletState }) {
    document.title = `${botName(botUsername)} · Sandbox`
    for (const state of states) (phones.get(state.user.id) ?? addPhone(state, botUsername)).load(state)
    wallet.load(walletState)
  },
  event(event) {
    phones.get(event.chatId)?.apply(event)
  },
  connected(connected) {
    if (connected) tellLanguage()
    for (const phone of phones.values()) phone.connected = connected
  },
})
