/**
 * The dialog of a link to `t.me/newbot`: a person makes a bot, which another bot will manage.
 *
 * @typedef {import('./api.js').NewBot} NewBot
 */

import { element } from './dom.js'

/** Telegram's limits. */
const maxName = 64
const maxUsername = 32

/**
 * Makes the form; it is reset when the person gives up.
 * @param {NewBot} suggested
 * @param {string} managerName
 */
export function newBotForm({ manager, username, name }, managerName) {
  const nameInput = input({ name: 'name', value: name, maxlength: maxName })
  const usernameInput = input({ name: 'username', value: username, maxlength: maxUsername })
  const problem = element('p', { class: 'problem', role: 'alert', 'data-new-bot-problem': true })
  const form = element(
    'form',
    { class: 'alert new-bot', role: 'dialog', 'data-label': 'newBot', 'data-new-bot': true },
    element('h3', { 'data-text': 'newBot' }),
    element('p', {}, element('span', { 'data-text': 'newBotNotice' }), ` ${managerName}`),
    field('botName', nameInput),
    field('botUsername', usernameInput),
    problem,
    element(
      'div',
      { class: 'answers' },
      element('button', { type: 'reset', class: 'quiet', 'data-text': 'cancel' }),
      element('button', { type: 'submit', class: 'filled', 'data-text': 'create' }),
    ),
  )
  return {
    form,
    problem,
    /** What the person has made of the suggestion. */
    wanted: () => ({ manager, name: nameInput.value, username: usernameInput.value.trim() }),
  }
}

/** @param {Record<string, string | number>} attributes */
const input = (attributes) =>
  element('input', { required: true, autocomplete: 'off', spellcheck: 'false', ...attributes })

/**
 * @param {string} label
 * @param {HTMLInputElement} content
 */
const field = (label, content) => element('label', {}, element('span', { 'data-text': label }), content)
