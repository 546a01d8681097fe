/**
 * One phone: one person's chats with the bots, of which one is open.
 *
 * @typedef {import('./api.js').PhoneState} PhoneState
 * @typedef {import('./api.js').ChatState} ChatState
 * @typedef {import('./api.js').BotName} BotName
 * @typedef {import('./api.js').NewBot} NewBot
 * @typedef {import('./api.js').EmulatedMessage} EmulatedMessage
 * @typedef {import('./api.js').ChatEvent} ChatEvent
 */

import { createBot, openLink, press, sendFile, sendText, setBlocked } from './api.js'
import { chatRow, initials } from './chat-list.js'
import { copy } from './clipboard.js'
import { Composer } from './composer.js'
import { element, find, pressWithKeys, toast } from './dom.js'
import { messageElement, showMessage } from './message.js'
import { newBotForm } from './new-bot.js'
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

/**
 * What a person can press in the log, or a part of it.
 * @param {Element} root
 * @returns {HTMLElement[]}
 */
const pressableWithin = (root) => [...root.querySelectorAll('a[href], button, [role=button]')]

/**
 * @typedef {object} Chat
 * @property {Map<number, EmulatedMessage>} messages
 * @property {ChatState['commands']} commands
 * @property {boolean} blocked
 * @property {number} unread
 */

export class Phone {
  /** @type {Map<string, Chat>} by the username of the bot */
  #chats = new Map()
  /** @type {BotName[]} */
  #bots = []
  /** The bot of the open chat. */
  #bot
  /** @type {Map<number, HTMLElement>} */
  #messages = new Map()
  #atBottom = true
  #missed = 0
  #connected = true
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing
  #userId
  #arrived
  #log
  #list
  #composer

  /**
   * @param {PhoneState} state
   * @param {() => void} arrived called for every new message of a bot
   */
  constructor({ user, hint, bot }, arrived) {
    this.#userId = user.id
    this.#bot = bot
    this.#arrived = arrived
    this.title = hint?.title ?? user.firstName

    /** @type {HTMLTemplateElement} */
    const template = find(document, 'template#phone')
    const fragment = /** @type {DocumentFragment} */ (template.content.cloneNode(true))
    this.element = find(fragment, '.phone')
    this.element.dataset.phone = String(user.id)
    this.element.setAttribute('aria-label', this.title)
    this.#log = find(fragment, '.log')
    this.#list = find(fragment, '[data-chat-list]')

    find(fragment, 'h2').textContent = this.title
    if (hint?.login !== undefined) {
      const [login, password] = fragment.querySelectorAll('.hint code')
      login?.append(hint.login)
      password?.append(hint.password ?? '')
      find(fragment, '.hint').hidden = false
    } else if (hint) find(fragment, '[data-operator]').hidden = false

    this.#composer = new Composer(find(fragment, '.foot'), {
      // A pasted link counts as opened: here there is no other place to open it.
      send: (text) => (this.#isBotLink(text.trim()) ? this.#openLink(text.trim()) : this.#send(text)),
      attach: (file, caption) => this.#attempt(sendFile(this.#address, file, caption)),
    })
    this.element.addEventListener('click', (event) => this.#clicked(event))
    pressWithKeys(this.element)
    this.#log.addEventListener('keydown', (event) => this.#walked(event))
    this.#log.addEventListener('scroll', () => this.#scrolled())
    new ResizeObserver(() => this.#atBottom && this.#toBottom()).observe(this.#log)
  }

  get #address() {
    return { userId: this.#userId, bot: this.#bot }
  }

  /**
   * The chat with a bot; a bot that was just made has an empty one.
   * @param {string} bot
   */
  #chatWith(bot) {
    /** @type {Chat} */
    const chat = this.#chats.get(bot) ?? { messages: new Map(), commands: [], blocked: false, unread: 0 }
    this.#chats.set(bot, chat)
    return chat
  }

  get #chat() {
    return this.#chatWith(this.#bot)
  }

  /**
   * Shows the chats as they are in a state of the server.
   * @param {PhoneState} state
   * @param {BotName[]} bots
   */
  load({ others, ...chat }, bots) {
    for (const { bot, messages, commands, blocked } of [chat, ...others]) {
      const byId = new Map(messages.map((message) => [message.messageId, message]))
      Object.assign(this.#chatWith(bot), { messages: byId, commands, blocked })
    }
    this.bots = bots
    this.#showChat()
  }

  /** @param {BotName[]} bots all that there are, the shop's first */
  set bots(bots) {
    this.#bots = bots
    for (const bot of this.#chats.keys())
      if (!bots.some(({ username }) => username === bot)) this.#chats.delete(bot)
    const [first] = bots
    // The open chat may be that of a bot that was just deleted.
    if (first && !this.#chats.has(this.#bot)) this.#open(first.username)
    this.#showNames()
  }

  /**
   * Opens the chat with a bot.
   * @param {string} bot
   */
  #open(bot) {
    this.#bot = bot
    this.#chat.unread = 0
    this.#atBottom = true
    this.#showTyping(false)
    this.#showNames()
    this.#showChat()
  }

  #showChat() {
    const { messages, commands } = this.#chat
    this.#changing(() => {
      this.#messages.clear()
      this.#log.replaceChildren()
      for (const message of messages.values()) this.#put(message)
    })
    this.#composer.commands = commands
    this.#showBlocked()
  }

  /** @param {string} bot */
  #nameOf(bot) {
    return this.#bots.find(({ username }) => username === bot)?.name ?? botName(bot)
  }

  /** Shows whose chat is open, and the list of all chats. */
  #showNames() {
    const name = this.#nameOf(this.#bot)
    find(this.element, 'h3').textContent = name
    for (const avatar of this.element.querySelectorAll('.screen .avatar')) avatar.textContent = initials(name)
    const unread = [...this.#chats.values()].reduce((sum, chat) => sum + chat.unread, 0)
    const button = find(this.element, '[data-chats]')
    button.hidden = this.#bots.length < 2
    find(button, '.unread').textContent = unread ? String(unread) : ''
    find(this.#list, '[data-rows]').replaceChildren(
      ...this.#bots.map(({ username }) => {
        const { messages, unread: unreadHere } = this.#chatWith(username)
        const newest = [...messages.values()].at(-1)
        return chatRow({ username, name: this.#nameOf(username), newest, unread: unreadHere })
      }),
    )
    translate(this.#list)
    this.#showStatus()
  }

  /** @param {boolean} isOpen */
  #showList(isOpen) {
    this.#list.hidden = !isOpen
    find(this.element, '.screen').inert = isOpen
    if (isOpen) find(this.#list, `[data-chat="${this.#bot}"]`).focus()
  }

  /** @param {ChatEvent} event */
  apply(event) {
    const chat = this.#chatWith(event.bot)
    if (event.type === 'message' || event.type === 'edit')
      chat.messages.set(event.message.messageId, event.message)
    if (event.type === 'delete') chat.messages.delete(event.messageId)
    if (event.type === 'commands') chat.commands = [...event.commands]
    if (event.bot === this.#bot) this.#applyHere(event)
    else if (event.type === 'message' && event.message.from === 'bot') {
      chat.unread++
      this.#arrived()
    }
    if (event.type === 'message') this.#showNames()
  }

  /** @param {ChatEvent} event in the open chat */
  #applyHere(event) {
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

  #showBlocked() {
    const { blocked } = this.#chat
    find(this.element, '[data-block]').dataset.label = blocked ? 'unblock' : 'block'
    find(this.element, '[data-block]').setAttribute('aria-pressed', String(blocked))
    find(this.element, '.composer').hidden = blocked
    find(this.element, '[data-unblock]').hidden = !blocked
    translate(find(this.element, '.bar'))
    this.#showStatus()
  }

  #showStatus() {
    const typing = this.#typing !== undefined
    const key = !this.#connected ? 'connecting' : this.#chat.blocked ? 'blocked' : typing ? 'typing' : 'bot'
    const status = find(this.element, '.status')
    status.dataset.status = key
    status.replaceChildren(
      ...(key === 'bot' ? [`@${this.#bot} · `] : []),
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
    const chat = within('[data-chat]')
    if (spoiler) spoiler.classList.add('shown')
    else if (key) void this.#press(key)
    else if (command) void this.#send(command.dataset.command ?? '')
    else if (copied) void this.#copy(copied.dataset.copy ?? copied.innerText)
    else if (link && this.#isBotLink(link.href)) {
      event.preventDefault()
      void this.#openLink(link.href)
    } else if (chat) {
      this.#showList(false)
      this.#open(chat.dataset.chat ?? '')
    } else if (within('[data-chats]')) this.#showList(true)
    else if (within('.folded') && !link) within('.folded')?.classList.toggle('shown')
    else if (within('[data-start]')) void this.#send('/start')
    else if (within('.jump')) this.#toBottom()
    else if (within('[data-block], [data-unblock]')) void this.#block(!this.#chat.blocked)
  }

  /**
   * Whether an address is one of a bot of the sandbox: of its chat, or of the dialog for a bot that it will manage. Any other is one
   * for the browser.
   * @param {string} address
   */
  #isBotLink(address) {
    if (!URL.canParse(address)) return false
    const { hostname, pathname } = new URL(address)
    const [first, manager] = pathname.slice(1).toLowerCase().split('/')
    const bot = first === 'newbot' ? manager : first
    return hostname === 't.me' && this.#bots.some(({ username }) => username.toLowerCase() === bot)
  }

  /** @param {string} address */
  async #openLink(address) {
    const opened = await this.#attempt(openLink(this.#userId, address))
    if (!opened) return undefined
    if ('newBot' in opened) this.#offerBot(opened.newBot)
    else this.#openStarted(opened.bot)
    return opened
  }

  /** @param {string} bot whose chat the link has started */
  #openStarted(bot) {
    this.#chatWith(bot).blocked = false
    if (bot === this.#bot) this.#showBlocked()
    else this.#open(bot)
  }

  /**
   * The dialog of a link to `t.me/newbot`.
   * @param {NewBot} suggested
   */
  #offerBot(suggested) {
    const { form, problem, wanted } = newBotForm(suggested, this.#nameOf(suggested.manager))
    const close = this.#veil(form)
    form.addEventListener('reset', close)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      createBot(this.#userId, wanted())
        .then(({ bot }) => {
          close()
          return this.#open(bot)
        })
        .catch((error) => (problem.textContent = error.message))
    })
  }

  /** @param {string} message */
  #send(message) {
    return this.#attempt(sendText(this.#address, message))
  }

  /** @param {HTMLElement} key */
  async #press(key) {
    if (key.hasAttribute('aria-busy')) return
    key.setAttribute('aria-busy', 'true')
    const messageId = Number(key.closest('article')?.dataset.messageId)
    const answer = await this.#attempt(press(this.#address, messageId, key.dataset.callback ?? ''))
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
    const chat = this.#chat
    if (!(await this.#attempt(setBlocked(this.#address, blocked)))) return
    chat.blocked = blocked
    this.#showBlocked()
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

  /** @param {string} words */
  #alert(words) {
    const ok = element('button', { type: 'button', class: 'filled', 'data-text': 'ok' })
    const dialog = element(
      'div',
      { class: 'alert', role: 'alertdialog', 'aria-label': words, 'data-alert': true },
      element('p', {}, words),
      ok,
    )
    ok.addEventListener('click', this.#veil(dialog))
  }

  /**
   * Shows a dialog that holds this phone until it is answered; the other phones stay usable.
   * @param {HTMLElement} dialog
   * @returns {() => void} closes it
   */
  #veil(dialog) {
    const screen = find(this.element, '.screen')
    const focused = document.activeElement
    const veil = element('div', { class: 'veil' }, dialog)
    const close = () => {
      veil.remove()
      screen.inert = this.element.querySelector('.veil') !== null
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true })
    }
    veil.addEventListener('keydown', ({ key }) => key === 'Escape' && close())
    find(this.element, '.device').append(translate(veil))
    screen.inert = true
    find(dialog, 'input, button').focus()
    return close
  }
}
