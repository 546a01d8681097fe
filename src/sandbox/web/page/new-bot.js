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
export function newBotForm({ username, name }, managerName) {
  const problem = element('p', { class: 'problem', role: 'alert', 'data-new-bot-problem': true })
  const form = element(
    'form',
    { class: 'alert new-bot', role: 'dialog', 'data-label': 'newBot', 'data-new-bot': true },
    element('h3', { 'data-text': 'newBot' }),
    element('p', {}, element('span', { 'data-text': 'newBotNotice' }), ` ${managerName}`),
    field('botName', { name: 'name', value: name, maxlength: maxName }),
    field('botUsername', { name: 'username', value: username, maxlength: maxUsername }),
    problem,
    element(
      'div',
      { class: 'answers' },
      element('button', { type: 'reset', class: 'quiet', 'data-text': 'cancel' }),
      element('button', { type: 'submit', class: 'filled', 'data-text': 'create' }),
    ),
  )
  return { form, problem }
}

/**
 * @param {string} label
 * @param {Record<string, string | number>} attributes
 */
function field(label, attributes) {
  const input = element('input', { required: true, autocomplete: 'off', spellcheck: 'false', ...attributes })
  return element('label', {}, element('span', { 'data-text': label }), input)
}
