/**
 * The page: the phones, the gateway, the supplier and the wallet. On a wide screen the phones are side by side, and the others share a
 * column behind tabs; on a smaller one the operator's phone shares it, too; on a narrow one everything is behind tabs.
 */

import { listen, setPhoneLanguage } from './api.js'
import { element, find } from './dom.js'
import { Gateway } from './gateway.js'
import { botName, Phone } from './phone.js'
import { Supplier } from './supplier.js'
import { language, languages, ownName, setLanguage, showLanguage, translate } from './texts.js'
import { Wallet } from './wallet.js'

/** The same widths as in layout.css. */
const narrow = matchMedia('(max-width: 1000px)')
const wide = matchMedia('(min-width: 1500px)')

/**
 * What a tab shows. `shares`: whether it shares its place with others at a width; `chosen`: the later, the greater.
 * @typedef {{
 *   element: HTMLElement, tab: HTMLElement, unread: number, chosen: number, active: boolean, shares: () => boolean
 * }} Pane
 */

/** How many phones have a place of their own on a screen of middle width. */
const phonesBeside = 2

const wallet = new Wallet(find(document, '[data-wallet]'))
const gateway = new Gateway(find(document, '[data-gateway]'))
const supplier = new Supplier(find(document, '[data-supplier]'))
/** @type {Map<number, Phone>} */
const phones = new Map()
/** @type {Set<Pane>} */
const panes = new Set()
let choices = 0

/** @param {Pane} pane */
function select(pane) {
  pane.chosen = ++choices
  showTabs()
}

/** Of the panes that share a place, the one that was chosen last is shown. */
function showTabs() {
  const latest = Math.max(...[...panes].filter(({ shares }) => shares()).map(({ chosen }) => chosen))
  for (const pane of panes) {
    const shares = pane.shares()
    pane.active = !shares || pane.chosen === latest
    if (pane.active) pane.unread = 0
    pane.element.toggleAttribute('data-shared', shares)
    pane.element.toggleAttribute('data-active', pane.active)
    pane.tab.hidden = !shares
    pane.tab.setAttribute('aria-pressed', String(pane.active))
    find(pane.tab, '.unread').textContent = pane.unread ? String(pane.unread) : ''
  }
  for (const panel of [gateway, supplier]) panel.visible = panel.element.hasAttribute('data-active')
}

/**
 * @param {HTMLElement} element
 * @param {HTMLElement} tab
 * @param {() => boolean} shares
 */
function addPane(element, tab, shares) {
  const pane = { element, tab, shares, unread: 0, chosen: ++choices, active: true }
  tab.addEventListener('click', () => select(pane))
  panes.add(pane)
  return pane
}

/** @param {Pane} pane */
function arrived(pane) {
  if (pane.active) return
  pane.unread++
  showTabs()
}

/** @param {import('./api.js').PhoneState} state */
function addPhone(state) {
  const phone = new Phone(state, () => arrived(pane))
  const tab = element(
    'button',
    { type: 'button', 'data-tab': state.user.id },
    phone.title,
    element('span', { class: 'unread' }),
  )
  find(document, '[data-tab=gateway]').before(tab)
  gateway.element.before(phone.element)
  translate(phone.element)
  const isBeside = phones.size < phonesBeside
  const pane = addPane(phone.element, tab, () => narrow.matches || (!isBeside && !wide.matches))
  // The first one is what a narrow screen begins with; none of the others comes before what is there already.
  pane.chosen = phones.size === 0 ? ++choices : 0
  phones.set(state.user.id, phone)
  showTabs()
  return phone
}

/** Without an answer it is told again with the next connection. */
function tellLanguage() {
  setPhoneLanguage(language).catch(() => {})
}

for (const each of languages) {
  const button = element('button', { type: 'button', lang: each, 'data-language': each }, ownName(each))
  button.addEventListener('click', () => {
    setLanguage(each)
    tellLanguage()
  })
  find(document, '[data-languages]').append(button)
}
addPane(gateway.element, find(document, '[data-tab=gateway]'), () => true)
addPane(supplier.element, find(document, '[data-tab=supplier]'), () => true)
addPane(wallet.element, find(document, '[data-tab=wallet]'), () => true)
for (const width of [narrow, wide]) width.addEventListener('change', showTabs)
showTabs()
showLanguage()

listen({
  state({
    botUsername,
    bots,
    phones: states,
    wallet: walletState,
    supplier: supplierState,
    gateway: gatewayState,
  }) {
    document.title = `${botName(botUsername)} · Sandbox`
    for (const state of states) (phones.get(state.user.id) ?? addPhone(state)).load(state, bots)
    wallet.load(walletState)
    supplier.load(supplierState)
    gateway.load(gatewayState)
  },
  event(event) {
    if (event.type === 'bots') for (const phone of phones.values()) phone.bots = event.bots
    else phones.get(event.chatId)?.apply(event)
  },
  connected(connected) {
    if (connected) tellLanguage()
    for (const phone of phones.values()) phone.connected = connected
  },
})
