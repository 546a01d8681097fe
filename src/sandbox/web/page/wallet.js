/**
 * The wallet beside the phones: somebody who pays the shop on the simulated chain.
 *
 * @typedef {import('./api.js').WalletState} WalletState
 * @typedef {import('../../payer-wallet.ts').Payment} Payment
 */

import { letMinutePass, pay, readWallet } from './api.js'
import { copy } from './clipboard.js'
import { element, find, pressWithKeys, toast } from './dom.js'
import { text, translate } from './texts.js'

/** A block is made that often. */
const blockMs = 3000

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** What the page says about each way to pay. */
const about = {
  normal: 'aboutNormal',
  late: 'aboutLate',
  twice: 'aboutTwice',
  fake: 'aboutFake',
  reverted: 'aboutReverted',
}

/**
 * The address and the amount of the newest message that has both, to copy or to read.
 * @param {ParentNode} root
 */
function lastPaymentScreen(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const messages = root.querySelectorAll('[data-message-id]')
  const newestFirst = [...messages].toSorted(
    (a, b) => Number(b.dataset.messageId) - Number(a.dataset.messageId),
  )
  for (const message of newestFirst) {
    /** @type {NodeListOf<HTMLElement>} */
    const copied = message.querySelectorAll('[data-copy], .text code')
    const values = [...copied].map((node) => node.dataset.copy ?? node.textContent ?? '')
    const to = values.find((value) => /^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(value))
    const amount = values.map((value) => /^(\d+(?:\.\d+)?)(?: USDT)?$/.exec(value)?.[1]).find(Boolean)
    if (to && amount) return { to, amount }
  }
  return undefined
}

/**
 * @param {Payment} payment
 * @param {number} required confirmations that make it irreversible
 */
function paymentElement({ txid, to, amount, kind, state, confirmations, time }, required) {
  const sent = new Date(time)
  const isToday = sent.toDateString() === new Date().toDateString()
  const clock = sent.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  const day = sent.toLocaleDateString([], { month: 'short', day: 'numeric' })
  return element(
    'li',
    { 'data-payment': txid, 'data-state': state },
    element('b', {}, `${amount} USDT`),
    element('time', { datetime: time }, isToday ? clock : day),
    ...(kind === 'normal' ? [] : [element('span', { class: 'kind', 'data-text': kind })]),
    element(
      'span',
      { class: 'state' },
      element('span', { 'data-text': state }),
      ...(state === 'confirming' ? [` ${confirmations}/${required}`] : []),
    ),
    element('code', { role: 'button', tabindex: 0, 'data-title': 'copy', 'data-whole': txid }, short(txid)),
    element('code', { role: 'button', tabindex: 0, 'data-title': 'copy', 'data-whole': to }, short(to)),
  )
}

/** @param {string} long */
const short = (long) => `${long.slice(0, 8)}…${long.slice(-6)}`

export class Wallet {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #next
  #to
  #amount
  #kind

  /** @param {HTMLElement} root */
  constructor(root) {
    this.element = root
    /** @type {HTMLInputElement} */
    this.#to = find(root, '[data-wallet-to]')
    /** @type {HTMLInputElement} */
    this.#amount = find(root, '[data-wallet-amount]')
    /** @type {HTMLSelectElement} */
    this.#kind = find(root, '[data-wallet-kind]')
    this.#kind.addEventListener('change', () => this.#showAbout())
    find(root, '[data-wallet-fill]').addEventListener('click', () => this.#fillIn())
    find(root, '[data-wallet-minute]').addEventListener('click', () => void this.#show(letMinutePass()))
    find(root, 'form').addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#pay()
    })
    root.addEventListener('click', (event) => void this.#copied(event))
    pressWithKeys(root)
    this.#showAbout()
  }

  /**
   * Shows the wallet as it is, and looks again with the next block while a payment is on its way.
   * @param {WalletState} state
   */
  load({ address, balance, confirmationsRequired, aheadMs, payments }) {
    find(this.element, '[data-wallet-balance]').textContent = money.format(Number(balance))
    find(this.element, '[data-wallet-address]').textContent = address
    const ahead = find(this.element, '[data-wallet-ahead]')
    ahead.hidden = aheadMs === 0
    find(ahead, 'b').textContent = `${Math.round(aheadMs / 60_000)} min`
    find(this.element, '[data-wallet-payments]').replaceChildren(
      ...(payments.length
        ? payments.map((payment) => paymentElement(payment, confirmationsRequired))
        : [element('li', { class: 'none', 'data-text': 'noPayments' })]),
    )
    translate(this.element)
    clearTimeout(this.#next)
    if (payments.some(({ state }) => state === 'confirming'))
      this.#next = setTimeout(() => void this.#lookAgain(), blockMs)
  }

  async #lookAgain() {
    const state = await readWallet().catch(() => undefined)
    // Without the server there is nothing to see; its next event stream begins with the wallet.
    if (state) this.load(state)
  }

  #showAbout() {
    const key = about[/** @type {keyof typeof about} */ (this.#kind.value)]
    find(this.element, '[data-wallet-about]').dataset.text = key
    translate(this.element)
  }

  #fillIn() {
    const found = lastPaymentScreen(document)
    this.#showProblem(found ? '' : text('noScreen'))
    if (!found) return
    this.#to.value = found.to
    this.#amount.value = found.amount
  }

  async #pay() {
    const button = find(this.element, '[data-wallet-pay]')
    button.toggleAttribute('disabled', true)
    const isPaid = await this.#show(
      pay({ to: this.#to.value, amount: this.#amount.value, kind: this.#kind.value }),
    )
    // A second click finds nothing to pay.
    if (isPaid) this.#to.value = this.#amount.value = ''
    button.toggleAttribute('disabled', false)
  }

  /**
   * Shows what the server answers, or why it refuses.
   * @param {Promise<WalletState>} answer
   * @returns {Promise<boolean>} whether it has not refused
   */
  async #show(answer) {
    try {
      this.load(await answer)
      this.#showProblem('')
      return true
    } catch (error) {
      this.#showProblem(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  /** @param {string} words */
  #showProblem(words) {
    find(this.element, '[data-wallet-problem]').textContent = words
  }

  /** @param {MouseEvent} event */
  async #copied({ target }) {
    const code = /** @type {HTMLElement} */ (target).closest('code')
    if (!code) return
    toast(this.element, text((await copy(code.dataset.whole ?? code.innerText)) ? 'copied' : 'notCopied'))
  }
}
