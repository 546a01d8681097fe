/** The page's own words, and their switch. The bot has its own texts. */

import { en } from './texts/en.js'
import { ru } from './texts/ru.js'
import { zh } from './texts/zh.js'

const texts = { en, zh, ru }

/** @typedef {keyof typeof texts} Language */
/** @typedef {keyof typeof en} TextKey */

export const languages = /** @type {Language[]} */ (Object.keys(texts))

const stored = localStorage.getItem('language') ?? navigator.language

/** @type {Language} */
export let language = languages.find((each) => stored.startsWith(each)) ?? 'en'

/**
 * @param {string} key
 * @returns {key is TextKey}
 */
export const isTextKey = (key) => Object.hasOwn(en, key)

/**
 * @param {TextKey} key
 * @returns {string}
 */
export function text(key) {
  return texts[language][key]
}

/**
 * @param {Language} one
 * @returns {string} what the language calls itself on the switch
 */
export const ownName = (one) => texts[one].ownName

/** How an element names the text it shows: attribute of the mark -> where the text goes. */
const marks = {
  'data-text': (/** @type {Element} */ node, /** @type {string} */ words) => (node.textContent = words),
  'data-label': (/** @type {Element} */ node, /** @type {string} */ words) => {
    node.setAttribute('aria-label', words)
    if (node instanceof HTMLButtonElement) node.title = words
  },
  'data-title': (/** @type {Element} */ node, /** @type {string} */ words) =>
    node.setAttribute('title', words),
  'data-placeholder': (/** @type {Element} */ node, /** @type {string} */ words) => {
    node.setAttribute('placeholder', words)
    node.setAttribute('aria-label', words)
  },
}

/**
 * Puts the words of the current language into every marked element under (not: at) the root.
 * @template {ParentNode} T
 * @param {T} root
 * @returns {T} the root
 */
export function translate(root) {
  for (const [mark, put] of Object.entries(marks))
    for (const node of root.querySelectorAll(`[${mark}]`))
      put(node, text(/** @type {TextKey} */ (node.getAttribute(mark))))
  return root
}

/**
 * Switches the whole page and remembers the choice.
 * @param {Language} chosen
 */
export function setLanguage(chosen) {
  language = chosen
  localStorage.setItem('language', chosen)
  showLanguage()
}

/** Translates the page and marks the chosen language in the switch. */
export function showLanguage() {
  document.documentElement.lang = language
  translate(document)
  for (const node of document.querySelectorAll('[data-language]'))
    node.setAttribute('aria-pressed', String(node.getAttribute('data-language') === language))
}
