/**
 * The supplier beside the phones: what the shop has bought there, and what goes wrong with it.
 *
 * @typedef {import('./api.js').SupplierState} SupplierState
 * @typedef {import('./api.js').SupplierFault} SupplierFault
 * @typedef {SupplierState['orders'][number]} Order
 * @typedef {SupplierState['proxies'][number]} Proxy
 */

import { changeSupplierBalance, readSupplier, switchSupplierFault, switchSupplierProxy } from './api.js'
import { element, find, switchElement } from './dom.js'
import { translate } from './texts.js'

/** The panel looks again that often while it is shown. */
const lookMs = 2000

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/**
 * The words of each fault: its name, and what it does.
 * @type {Record<SupplierFault, import('./texts.js').TextKey>}
 */
const about = {
  slow: 'aboutSlow',
  losesAnswers: 'aboutLosesAnswers',
  outOfStock: 'aboutOutOfStock',
  deliversPart: 'aboutDeliversPart',
  dearer: 'aboutDearer',
  failsRenewals: 'aboutFailsRenewals',
  shortExpiry: 'aboutShortExpiry',
  hangs: 'aboutHangs',
  silent: 'aboutSilent',
}

const states = { open: 'orderOpen', done: 'orderDone', part: 'orderPart', failed: 'orderFailed' }

/** @param {SupplierFault} fault */
function faultElement(fault) {
  const words = [
    element('b', { 'data-text': fault }),
    element('span', { class: 'about', 'data-text': about[fault] }),
  ]
  return switchElement({ 'data-supplier-fault': fault }, false, words)
}

/** @param {Order} order */
function orderElement({ orderNo, kind, state, count, done, amount, time }) {
  const made = new Date(time)
  const isToday = made.toDateString() === new Date().toDateString()
  const clock = made.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  const day = made.toLocaleDateString([], { month: 'short', day: 'numeric' })
  const isBack = kind === 'release' && amount !== '0.00'
  return element(
    'li',
    { 'data-supplier-order': orderNo, 'data-state': state },
    element('b', {}, element('span', { 'data-text': kind }), ` × ${count}`),
    element('time', { datetime: time }, isToday ? clock : day),
    element(
      'span',
      { class: 'state' },
      element('span', { 'data-text': states[state] }),
      ...(state === 'part' ? [` ${done}/${count}`] : []),
      ...(kind === 'reset' ? [] : [` · ${isBack ? '+' : ''}${money.format(Number(amount))}`]),
    ),
  )
}

/** @param {Proxy} proxy */
function proxyElement({ instanceNo, ip, port, product, isDead }) {
  const words = [element('b', {}, `${ip}:${port}`), element('span', { class: 'about' }, product)]
  return switchElement({ 'data-supplier-proxy': instanceNo }, !isDead, words)
}

export class Supplier {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looking
  #faults
  #orders
  #proxies
  /** The lists as they are shown: a list that is the same keeps its elements, and with them the focus. */
  #shown = { orders: '', proxies: '' }

  /** @param {HTMLElement} root */
  constructor(root) {
    this.element = root
    this.#faults = find(root, '[data-supplier-faults]')
    this.#orders = find(root, '[data-supplier-orders]')
    this.#proxies = find(root, '[data-supplier-proxies]')
    const faults = /** @type {SupplierFault[]} */ (Object.keys(about))
    this.#faults.append(...faults.map(faultElement))
    translate(this.#faults)
    find(root, '[data-supplier-add]').addEventListener(
      'click',
      () => void this.#show(changeSupplierBalance('add')),
    )
    find(root, '[data-supplier-empty]').addEventListener(
      'click',
      () => void this.#show(changeSupplierBalance('empty')),
    )
    root.addEventListener('change', (event) => this.#switched(event))
  }

  /** Whether somebody can see it: only then it is kept up to date. */
  set visible(/** @type {boolean} */ visible) {
    if (visible === (this.#looking !== undefined)) return
    clearInterval(this.#looking)
    this.#looking = visible ? setInterval(() => void this.#lookAgain(), lookMs) : undefined
    if (visible) void this.#lookAgain()
  }

  /** @param {SupplierState} state */
  load({ balance, faults, orders, proxies }) {
    find(this.element, '[data-supplier-balance]').textContent = money.format(Number(balance))
    for (const [fault, isOn] of Object.entries(faults)) {
      /** @type {HTMLInputElement} */
      const input = find(this.#faults, `[data-supplier-fault="${fault}"]`)
      input.checked = isOn
    }
    this.#list('orders', this.#orders, orders.map(orderElement), 'noUpstreamOrders')
    this.#list('proxies', this.#proxies, proxies.map(proxyElement), 'noUpstreamProxies')
    for (const { instanceNo, isDead } of proxies) {
      /** @type {HTMLInputElement} */
      const input = find(this.#proxies, `[data-supplier-proxy="${instanceNo}"]`)
      input.checked = !isDead
    }
  }

  /**
   * @param {'orders' | 'proxies'} name
   * @param {HTMLElement} root
   * @param {HTMLElement[]} items
   * @param {import('./texts.js').TextKey} none
   */
  #list(name, root, items, none) {
    const html = items.map(({ outerHTML }) => outerHTML).join('')
    if (html === this.#shown[name] && root.childElementCount > 0) return
    this.#shown[name] = html
    const tag = name === 'orders' ? 'li' : 'p'
    root.replaceChildren(...(items.length > 0 ? items : [element(tag, { class: 'none', 'data-text': none })]))
    translate(root)
  }

  async #lookAgain() {
    const state = await readSupplier().catch(() => undefined)
    // Without the server there is nothing to see; its next event stream begins with the supplier.
    if (state) this.load(state)
  }

  /** @param {Event} event */
  #switched({ target }) {
    const { dataset, checked } = /** @type {HTMLInputElement} */ (target)
    const { supplierFault, supplierProxy } = dataset
    if (supplierFault !== undefined)
      void this.#show(switchSupplierFault(/** @type {SupplierFault} */ (supplierFault), checked))
    else if (supplierProxy !== undefined) void this.#show(switchSupplierProxy(supplierProxy, !checked))
  }

  /**
   * Shows what the server answers, or why it refuses.
   * @param {Promise<SupplierState>} answer
   */
  async #show(answer) {
    const problem = find(this.element, '[data-supplier-problem]')
    try {
      this.load(await answer)
      problem.textContent = ''
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
      await this.#lookAgain()
    }
  }
}
