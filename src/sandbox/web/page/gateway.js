/**
 * The gateway beside the phones: commands that use it with what was bought in a chat, and the exits behind it.
 *
 * @typedef {import('./api.js').GatewayState} GatewayState
 * @typedef {GatewayState['exits'][number]} Exit
 * @typedef {{ username: string, password: string }} Credential
 */

import { readGateway, switchExit } from './api.js'
import { copy } from './clipboard.js'
import { element, find, pressWithKeys, switchElement, toast } from './dom.js'
import { text, translate } from './texts.js'

/** The panel looks again that often while it is shown. */
const lookMs = 2000

/** `host:port:username:password`, and `protocol://username:password@host:port`. */
const lines = /(?:^|\s)[\w.-]+:\d{2,5}:([\w-]+):([\w.~-]{6,})(?:\s|$)/
const addresses = /\b(?:http|socks5):\/\/([\w-]+):([\w.~-]{6,})@[\w.-]+:\d{2,5}/

/**
 * The credential of the newest message that has one.
 * @param {ParentNode} root
 * @returns {Credential | undefined}
 */
function lastCredential(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const messages = root.querySelectorAll('[data-message-id]')
  const newestFirst = [...messages].toSorted(
    (a, b) => Number(b.dataset.messageId) - Number(a.dataset.messageId),
  )
  for (const message of newestFirst) {
    const words = find(message, '.text')?.innerText ?? ''
    const [, username, password] = addresses.exec(words) ?? lines.exec(words) ?? []
    // Without its parameters: the commands bring their own.
    if (username && password) return { username: username.split('-')[0] ?? '', password }
  }
  return undefined
}

/**
 * @param {string} host
 * @param {Credential} credential
 */
function commands(host, { username, password }) {
  const through = (/** @type {string} */ parameters) =>
    `curl -x 'http://${username}${parameters}:${password}@${host}'`
  return /** @type {const} */ ([
    ['tryIt', `${through('')} http://example.com/`],
    ['tryCountry', `${through('-country-jp')} http://example.com/ip`],
    ['trySticky', `${through('-country-us-session-abcd1234-lifetime-10')} http://example.com/`],
    ['trySocks', `curl --socks5-hostname ${host} -U '${username}:${password}' http://example.com/`],
    ['tryDownload', `${through('')} -o /dev/null http://example.com/bytes/10000000`],
  ])
}

/** @param {Exit} exit */
function exitElement({ username, country, city, address, isDead, pool }) {
  const words = [
    element('b', {}, `${city}, ${country}`),
    element('span', { class: 'about' }, `${address} · ${pool}`),
  ]
  return switchElement({ 'data-exit': username }, !isDead, words)
}

export class Gateway {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #looking
  #username
  #password
  #host = ''
  #shownExits = ''

  /** @param {HTMLElement} root */
  constructor(root) {
    this.element = root
    /** @type {HTMLInputElement} */
    this.#username = find(root, '[data-gateway-username]')
    /** @type {HTMLInputElement} */
    this.#password = find(root, '[data-gateway-password]')
    find(root, '[data-gateway-fill]').addEventListener('click', () => this.#fillIn())
    root.addEventListener('input', () => this.#showCommands())
    root.addEventListener('change', (event) => void this.#switched(event))
    root.addEventListener('click', (event) => void this.#copied(event))
    pressWithKeys(root)
    this.#showCommands()
  }

  /** Whether somebody can see it: only then it is kept up to date. */
  set visible(/** @type {boolean} */ visible) {
    if (visible === (this.#looking !== undefined)) return
    clearInterval(this.#looking)
    this.#looking = visible ? setInterval(() => void this.#lookAgain(), lookMs) : undefined
    if (visible) void this.#lookAgain()
  }

  /** @param {GatewayState} state */
  load({ address, exits }) {
    const host = address ? `${address.host}:${address.port}` : ''
    const line = find(this.element, '[data-gateway-address]')
    line.replaceChildren(
      ...(address
        ? [element('strong', {}, host), ' ', element('span', { 'data-text': 'gatewayListens' })]
        : [element('span', { 'data-text': 'gatewayOff' })]),
    )
    translate(line)
    if (host !== this.#host) {
      this.#host = host
      this.#showCommands()
    }
    const items = exits.map(exitElement)
    const html = items.map(({ outerHTML }) => outerHTML).join('')
    const list = find(this.element, '[data-gateway-exits]')
    if (html !== this.#shownExits) list.replaceChildren(...items)
    this.#shownExits = html
    for (const { username, isDead } of exits) {
      /** @type {HTMLInputElement} */
      const input = find(list, `[data-exit="${username}"]`)
      input.checked = !isDead
    }
  }

  #fillIn() {
    const found = lastCredential(document)
    find(this.element, '[data-gateway-problem]').textContent = found ? '' : text('noCredential')
    if (!found) return
    this.#username.value = found.username
    this.#password.value = found.password
    this.#showCommands()
  }

  #showCommands() {
    const credential = {
      username: this.#username.value.trim() || 'USERNAME',
      password: this.#password.value.trim() || 'PASSWORD',
    }
    const list = find(this.element, '[data-gateway-commands]')
    list.replaceChildren(
      ...commands(this.#host || 'HOST:PORT', credential).map(([about, command]) =>
        element(
          'li',
          {},
          element('span', { 'data-text': about }),
          element('code', { role: 'button', tabindex: 0, 'data-title': 'copy' }, command),
        ),
      ),
    )
    translate(list)
  }

  async #lookAgain() {
    const state = await readGateway().catch(() => undefined)
    // Without the server there is nothing to see; its next event stream begins with the gateway.
    if (state) this.load(state)
  }

  /** @param {Event} event */
  async #switched({ target }) {
    const { dataset, checked } = /** @type {HTMLInputElement} */ (target)
    if (dataset.exit === undefined) return
    const problem = find(this.element, '[data-gateway-problem]')
    try {
      this.load(await switchExit(dataset.exit, !checked))
      problem.textContent = ''
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error)
      await this.#lookAgain()
    }
  }

  /** @param {MouseEvent} event */
  async #copied({ target }) {
    const code = /** @type {HTMLElement} */ (target).closest('code')
    if (!code) return
    toast(this.element, text((await copy(code.innerText)) ? 'copied' : 'notCopied'))
  }
}
