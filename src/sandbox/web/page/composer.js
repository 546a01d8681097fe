/**
 * The foot of a phone: the input, and the list of commands that opens above it.
 *
 * @typedef {import('./api.js').BotCommandEntry} BotCommandEntry
 */

import { element, find } from './dom.js'

export class Composer {
  /** @type {BotCommandEntry[]} */
  #commands = []
  #menuOpen = false
  #foot
  #input
  #list
  #actions

  /**
   * @param {HTMLElement} foot
   * @param {object} actions
   * @param {(text: string) => Promise<unknown>} actions.send resolves to undefined when it failed
   * @param {(file: File, caption: string) => Promise<unknown>} actions.attach the same, with what stands below the file
   */
  constructor(foot, actions) {
    this.#foot = foot
    this.#actions = actions
    this.#list = find(foot, '[data-commands]')
    /** @type {HTMLTextAreaElement} */
    this.#input = find(foot, '[data-input]')
    this.#input.addEventListener('input', () => this.#changed())
    this.#input.addEventListener('keydown', (event) => this.#typed(event))
    foot.addEventListener('keydown', (event) => this.#moved(event))
    find(foot, 'form').addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#submit(this.#input.value)
    })
    // A tap on "Send" leaves the focus, and with it a phone's on-screen keyboard, where it is.
    find(foot, '[data-send]').addEventListener('pointerdown', (event) => event.preventDefault())
    find(foot, '[data-menu]').addEventListener('click', () => this.#openMenu(!this.#menuOpen))

    /** @type {HTMLInputElement} */
    const files = find(foot, 'input[type=file]')
    find(foot, '[data-attach]').addEventListener('click', () => files.click())
    files.addEventListener('change', () => {
      void this.#attach([...(files.files ?? [])])
      files.value = ''
    })
  }

  /** @param {BotCommandEntry[]} commands */
  set commands(commands) {
    this.#commands = commands
    find(this.#foot, '[data-menu]').hidden = commands.length === 0
    this.#showList()
  }

  /** Closes the list of commands. */
  closeMenu() {
    this.#openMenu(false)
  }

  /** @param {boolean} open */
  #openMenu(open) {
    this.#menuOpen = open
    this.#showList()
  }

  /** The commands that the typed text may become; all of them when the menu was opened without typing. */
  #matches() {
    const typed = this.#input.value
    const begun = typed.startsWith('/') ? typed.slice(1).toLowerCase() : ''
    return this.#menuOpen ? this.#commands.filter(({ command }) => command.startsWith(begun)) : []
  }

  #showList() {
    const matches = this.#matches()
    this.#list.hidden = matches.length === 0
    this.#list.replaceChildren(
      ...matches.map(({ command, description }) =>
        element(
          'button',
          { type: 'button', 'data-command': `/${command}` },
          element('b', {}, `/${command}`),
          element('span', {}, description),
        ),
      ),
    )
    find(this.#foot, '[data-menu]').setAttribute('aria-expanded', String(matches.length > 0))
  }

  #changed() {
    const { value } = this.#input
    this.#input.style.height = 'auto'
    this.#input.style.height = `${this.#input.scrollHeight}px`
    find(this.#foot, '[data-send]').toggleAttribute('disabled', value.trim() === '')
    this.#openMenu(/^\/\S*$/.test(value))
  }

  /** @param {KeyboardEvent} event */
  #typed(event) {
    // While an input method is composing (Chinese), Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    // A command that is only begun is completed with the first match, as the list shows it.
    const { value } = this.#input
    const matches = value.startsWith('/') ? this.#matches().map(({ command }) => `/${command}`) : []
    void this.#submit(matches.includes(value) ? value : (matches[0] ?? value))
  }

  /**
   * Arrow keys walk from the input into the list of commands; Escape closes it.
   * @param {KeyboardEvent} event
   */
  #moved(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (this.#list.hidden || (!step && event.key !== 'Escape')) return
    event.preventDefault()
    if (!step) {
      this.closeMenu()
      return this.#input.focus()
    }
    const items = /** @type {HTMLElement[]} */ ([...this.#list.children])
    const current = items.findIndex((item) => item === document.activeElement)
    items.at(current < 0 && step < 0 ? -1 : (current + step) % items.length)?.focus()
  }

  /** @param {string} text */
  async #submit(text) {
    if (text.trim() === '') return
    this.#write('')
    if ((await this.#actions.send(text)) === undefined && this.#input.value === '') this.#write(text)
  }

  /**
   * Sends files, the first one with what has been typed below it.
   * @param {File[]} files
   */
  async #attach([first, ...others]) {
    if (!first) return
    const caption = this.#input.value
    this.#write('')
    if ((await this.#actions.attach(first, caption)) === undefined && this.#input.value === '')
      this.#write(caption)
    for (const file of others) await this.#actions.attach(file, '')
  }

  /** @param {string} text */
  #write(text) {
    this.#input.value = text
    this.#changed()
  }
}
