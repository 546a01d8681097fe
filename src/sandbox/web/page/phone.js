/**
 * One phone: one person's chat with the bot.
 *
 * @typedef {import('./api.js').PhoneState} PhoneState
 * @typedef {import('./api.js').EmulatedMessage} EmulatedMessage
 * @typedef {import('./api.js').ChatEvent} ChatEvent
 */

import { press, sendFile, sendText, setBlocked } from './api.js'
import { copy } from './clipboard.js'
import { Composer } from './composer.js'
import { element, find, pressWithKeys, toast } from './dom.js'
import { messageElement, showMessage } from './message.js'
import { text, translate } from './texts.js'

/** How long Telegram shows "typing" after a bot announced it. */
const typingMs = 5000
/** A log this close to its end counts as read to the end. */
const bottomTolerance = 48

/**
 * `proxy_reseller_bot` -> `Proxy Reseller`.
 * @param {string} username
 */
export function botName(username) {
  const words = username
    .replace(/_?bot$/i, '')
    .split('_')
    .filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || username
}

/** @param {string} name */
function initials(name) {
  const words = name.split(' ')
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('')
}

/**
 * What a person can press in the log, or a part of it.
 * @param {Element} root
 * @returns {HTMLElement[]}
 */
const pressableWithin = (root) => [...root.querySelectorAll('a[href], button, [role=button]')]

export class Phone {
  /** @type {Map<number, HTMLElement>} */
  #messages = new Map()
  #atBottom = true
  #missed = 0
  #connected = true
  #blocked = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing
  #userId
  #botUsername
  #arrived
  #log
  #composer

  /**
   * @param {PhoneState} state
   * @param {string} botUsername
   * @param {() => void} arrived called for every new message of the bot
   */
  constructor({ user, hint }, botUsername, arrived) {
    this.#userId = user.id
    this.#botUsername = botUsername
    this.#arrived = arrived
    this.title = hint?.title ?? user.firstName

    /** @type {HTMLTemplateElement} */
    const template = find(document, 'template#phone')
    const fragment = /** @type {DocumentFragment} */ (template.content.cloneNode(true))
    this.element = find(fragment, '.phone')
    this.element.dataset.phone = String(user.id)
    this.element.setAttribute('aria-label', this.title)
    this.#log = find(fragment, '.log')

    const name = botName(botUsername)
    find(fragment, 'h2').textContent = this.title
    find(fragment, 'h3').textContent = name
    for (const avatar of fragment.querySelectorAll('.avatar')) avatar.textContent = initials(name)
    if (hint?.login !== undefined) {
      const [login, password] = fragment.querySelectorAll('.hint code')
      login?.append(hint.login)
      password?.append(hint.password ?? '')
      find(fragment, '.hint').hidden = false
    } else if (hint) find(fragment, '[data-operator]').hidden = false

    this.#composer = new Composer(find(fragment, '.foot'), {
      send: (text) => this.#send(this.#startCommand(text.trim()) ?? text),
      attach: (file, caption) => this.#attempt(sendFile(this.#userId, file, caption)),
    })
    this.element.addEventListener('click', (event) => this.#clicked(event))
    pressWithKeys(this.element)
    this.#log.addEventListener('keydown', (event) => this.#walked(event))
    this.#log.addEventListener('scroll', () => this.#scrolled())
    new ResizeObserver(() => this.#atBottom && this.#toBottom()).observe(this.#log)
  }

  /**
   * Shows the chat as it is in a state of the server.
   * @param {PhoneState} state
   */
  load({ messages, commands, blocked }) {
    this.#changing(() => {
      this.#messages.clear()
      this.#log.replaceChildren()
      for (const message of messages) this.#put(message)
    })
    this.#composer.commands = commands
    this.#showBlocked(blocked)
  }

  /** @param {ChatEvent} event */
  apply(event) {
    switch (event.type) {
      case 'message':
        return this.#received(event.message)
      case 'edit':
        return this.#changing(() => this.#put(event.message))
      case 'delete':
        return this.#changing(() => {
          this.#messages.get(event.messageId)?.remove()
          this.#messages.delete(event.messageId)
        })
      case 'typing':
        return this.#showTyping(true)
      case 'commands':
        this.#composer.commands = [...event.commands]
        return
      // The press that it answers has brought it already.
      case 'answer':
    }
  }

  /** @param {boolean} connected */
  set connected(connected) {
    this.#connected = connected
    this.#showStatus()
  }

  /** @param {EmulatedMessage} message */
  #received(message) {
    if (message.from === 'user') this.#atBottom = true
    this.#changing(() => this.#put(message).classList.add('new'))
    if (message.from === 'user') return
    this.#showTyping(false)
    if (!this.#atBottom) this.#missed++
    this.#showJump()
    this.#arrived()
  }

  /**
   * Adds a message, or shows its new form in its place.
   * @param {EmulatedMessage} message
   */
  #put(message) {
    const shown = this.#messages.get(message.messageId)
    if (shown) {
      // A person who works with the keyboard stays on the button in the same place.
      const focused = [...shown.querySelectorAll('.key')].indexOf(
        /** @type {Element} */ (document.activeElement),
      )
      showMessage(shown, message)
      /** @type {NodeListOf<HTMLElement>} */
      const keys = shown.querySelectorAll('.key')
      if (focused >= 0) (keys[focused] ?? keys[0] ?? this.#log).focus({ preventScroll: true })
      return shown
    }
    const article = messageElement(message)
    this.#messages.set(message.messageId, article)
    this.#log.append(article)
    return article
  }

  // Scrolling: the log stays at its end, or, when the person scrolled up, what is in view stays where it is.

  /**
   * Changes the log.
   * @param {() => void} change
   */
  #changing(change) {
    const log = this.#log
    const anchor = [...this.#messages.values()].find(
      (node) => node.offsetTop + node.offsetHeight > log.scrollTop,
    )
    const top = anchor?.offsetTop ?? 0
    change()
    this.#setTabStops()
    if (this.#atBottom) this.#toBottom()
    else if (anchor?.isConnected) log.scrollTop += anchor.offsetTop - top
  }

  #toBottom() {
    this.#log.scrollTop = this.#log.scrollHeight
    this.#atBottom = true
    this.#missed = 0
    this.#showJump()
  }

  #scrolled() {
    const { scrollHeight, scrollTop, clientHeight } = this.#log
    this.#atBottom = scrollHeight - scrollTop - clientHeight < bottomTolerance
    if (this.#atBottom) this.#missed = 0
    this.#showJump()
  }

  #showJump() {
    const jump = find(this.element, '.jump')
    jump.hidden = this.#atBottom
    jump.dataset.label = this.#missed ? 'newMessages' : 'toBottom'
    find(jump, 'span').replaceChildren(
      ...(this.#missed ? [element('span', { 'data-text': 'newMessages' }), ` ${this.#missed}`] : []),
    )
    translate(/** @type {ParentNode} */ (jump.parentNode))
  }

  /** @param {boolean} typing */
  #showTyping(typing) {
    clearTimeout(this.#typing)
    this.#typing = typing ? setTimeout(() => this.#showTyping(false), typingMs) : undefined
    this.#showStatus()
  }

  /** @param {boolean} blocked */
  #showBlocked(blocked) {
    this.#blocked = blocked
    find(this.element, '[data-block]').dataset.label = blocked ? 'unblock' : 'block'
    find(this.element, '[data-block]').setAttribute('aria-pressed', String(blocked))
    find(this.element, '.composer').hidden = blocked
    find(this.element, '[data-unblock]').hidden = !blocked
    translate(find(this.element, '.bar'))
    this.#showStatus()
  }

  #showStatus() {
    const typing = this.#typing !== undefined
    const key = !this.#connected ? 'connecting' : this.#blocked ? 'blocked' : typing ? 'typing' : 'bot'
    const status = find(this.element, '.status')
    status.dataset.status = key
    status.replaceChildren(
      ...(key === 'bot' ? [`@${this.#botUsername} · `] : []),
      element('span', { 'data-text': key }),
      ...(key === 'typing'
        ? [element('span', { class: 'dots' }, element('i'), element('i'), element('i'))]
        : []),
    )
    translate(status)
  }

  // Keyboard: Tab stops at what the newest buttons and the messages below them offer, and arrow keys walk from there to what is older.

  #setTabStops() {
    const articles = [...this.#log.children]
    const newest = articles.findLastIndex((article) => article.querySelector('.keyboard'))
    for (const [index, article] of articles.entries())
      for (const item of pressableWithin(article)) item.tabIndex = index < newest ? -1 : 0
  }

  /** @param {KeyboardEvent} event */
  #walked(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const items = pressableWithin(this.#log)
    const current = items.findIndex((item) => item === document.activeElement)
    if (!step || current < 0) return
    event.preventDefault()
    items[current + step]?.focus()
  }

  // What the person does.

  /** @param {MouseEvent} event */
  #clicked(event) {
    const target = /** @type {HTMLElement} */ (event.target)
    /** @type {(selector: string) => HTMLElement | null} */
    const within = (selector) => target.closest(selector)
    if (!within('[data-input], [data-menu]')) this.#composer.closeMenu()

    const key = within('[data-callback]')
    const command = within('[data-command]')
    const copied = within('[data-copy]') ?? (getSelection()?.toString() ? null : within('code, pre'))
    const spoiler = within('.spoiler:not(.shown)')
    /** @type {HTMLAnchorElement | null} */
    const link = target.closest('a[href]')
    const start = link && this.#startCommand(link.href)
    if (spoiler) spoiler.classList.add('shown')
    else if (key) void this.#press(key)
    else if (command) void this.#send(command.dataset.command ?? '')
    else if (copied) void this.#copy(copied.dataset.copy ?? copied.innerText)
    else if (start) {
      event.preventDefault()
      void this.#send(start)
    } else if (within('.folded') && !link) within('.folded')?.classList.toggle('shown')
    else if (within('[data-start]')) void this.#send('/start')
    else if (within('.jump')) this.#toBottom()
    else if (within('[data-block], [data-unblock]')) void this.#block(!this.#blocked)
  }

  /**
   * What opening a link to this very bot (https://t.me/name?start=value) sends, as in Telegram. A pasted link counts as opened:
   * here there is no other place to open it.
   * @param {string} address
   */
  #startCommand(address) {
    if (!URL.canParse(address)) return undefined
    const { hostname, pathname, searchParams } = new URL(address)
    const here = hostname === 't.me' && pathname.slice(1).toLowerCase() === this.#botUsername.toLowerCase()
    return here ? `/start ${searchParams.get('start') ?? ''}`.trim() : undefined
  }

  /** @param {string} message */
  #send(message) {
    return this.#attempt(sendText(this.#userId, message))
  }

  /** @param {HTMLElement} key */
  async #press(key) {
    if (key.hasAttribute('aria-busy')) return
    key.setAttribute('aria-busy', 'true')
    const messageId = Number(key.closest('article')?.dataset.messageId)
    const answer = await this.#attempt(press(this.#userId, messageId, key.dataset.callback ?? ''))
    key.removeAttribute('aria-busy')
    if (!answer?.text) return
    if (answer.showAlert) this.#alert(answer.text)
    else toast(this.element, answer.text)
  }

  /** @param {string} value */
  async #copy(value) {
    toast(this.element, text((await copy(value)) ? 'copied' : 'notCopied'))
  }

  /** @param {boolean} blocked */
  async #block(blocked) {
    if (await this.#attempt(setBlocked(this.#userId, blocked))) this.#showBlocked(blocked)
  }

  /**
   * The result of a request; undefined, after telling the person, when it failed.
   * @template T
   * @param {Promise<T>} request
   */
  async #attempt(request) {
    try {
      return await request
    } catch (error) {
      toast(this.element, error instanceof Error ? error.message : String(error))
      return undefined
    }
  }

  /**
   * A dialog that holds this phone until it is answered; the other phone stays usable.
   * @param {string} words
   */
  #alert(words) {
    const screen = find(this.element, '.screen')
    const focused = document.activeElement
    const ok = element('button', { type: 'button', class: 'filled', 'data-text': 'ok' })
    const dialog = element(
      'div',
      { class: 'alert', role: 'alertdialog', 'aria-label': words, 'data-alert': true },
      element('p', {}, words),
      ok,
    )
    const veil = element('div', { class: 'veil' }, dialog)
    const close = () => {
      veil.remove()
      screen.inert = this.element.querySelector('.veil') !== null
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true })
    }
    ok.addEventListener('click', close)
    veil.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
    find(this.element, '.device').append(translate(veil))
    screen.inert = true
    ok.focus()
  }
}
