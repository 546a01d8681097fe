/**
 * What the page asks of the server. Addresses are relative, so the page works under any prefix.
 *
 * @typedef {import('../../../emulators/telegram/types.ts').EmulatedUser} EmulatedUser
 * @typedef {import('../../../emulators/telegram/types.ts').EmulatedMessage} EmulatedMessage
 * @typedef {import('../../../emulators/telegram/types.ts').BotCommandEntry} BotCommandEntry
 * @typedef {import('../../../emulators/telegram/types.ts').CallbackAnswer} CallbackAnswer
 * @typedef {import('../../../emulators/telegram/types.ts').ChatEvent & { bot: string }} ChatEvent
 * @typedef {import('../../../emulators/telegram/types.ts').NewBot} NewBot
 * @typedef {{ userId: number, title: string, login?: string, password?: string }} PhoneHint
 * @typedef {import('../../payer-wallet.ts').WalletState} WalletState
 * @typedef {import('../../payer-wallet.ts').PaymentKind} PaymentKind
 * @typedef {import('../../upstream.ts').UpstreamState} SupplierState
 * @typedef {import('../../upstream.ts').UpstreamFault} SupplierFault
 * @typedef {import('../../sandbox-gateway.ts').GatewayState} GatewayState
 *
 * @typedef {object} ChatState
 * @property {string} bot its username
 * @property {boolean} blocked
 * @property {BotCommandEntry[]} commands
 * @property {EmulatedMessage[]} messages
 *
 * The chat is that with the shop's bot.
 * @typedef {ChatState & { user: EmulatedUser, hint?: PhoneHint, others: ChatState[] }} PhoneState
 *
 * @typedef {{ username: string, name?: string }} BotName
 * @typedef {{ type: 'bots', bots: BotName[] }} BotsEvent
 *
 * @typedef {{
 *   botUsername: string, bots: BotName[], phones: PhoneState[], wallet: WalletState, supplier: SupplierState, gateway: GatewayState
 * }} State
 */

import { isTextKey, text } from './texts.js'

const reopenMs = 2000

/**
 * Asks the server; an Error carries words for the person.
 * @param {string} path
 * @param {RequestInit} [request]
 */
async function ask(path, request) {
  const response = await fetch(`api/${path}`, request).catch(() => {
    throw new Error(text('offline'))
  })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok)
    throw new Error(isTextKey(answer.error) ? text(answer.error) : (answer.message ?? text('offline')))
  return answer
}

/**
 * @param {string} path
 * @param {object} body a form is sent as it is, anything else as JSON
 */
function postTo(path, body) {
  const content =
    body instanceof FormData
      ? { body }
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return ask(path, { method: 'POST', ...content })
}

/**
 * A person's chat with one bot.
 * @typedef {{ userId: number, bot: string }} ChatAddress
 */

/**
 * Posts to the address of one chat.
 * @param {ChatAddress} chat
 * @param {string} what
 * @param {object} body
 */
const post = ({ userId, bot }, what, body) =>
  postTo(`phones/${userId}/${what}?bot=${encodeURIComponent(bot)}`, body)

/**
 * @param {ChatAddress} chat
 * @param {string} message
 */
export const sendText = (chat, message) => post(chat, 'messages', { text: message })

/**
 * @param {ChatAddress} chat
 * @param {File} file
 * @param {string} caption
 */
export function sendFile(chat, file, caption) {
  const form = new FormData()
  form.append('caption', caption)
  form.append('file', file)
  return post(chat, 'files', form)
}

/**
 * @param {ChatAddress} chat
 * @param {number} messageId
 * @param {string} data
 * @returns {Promise<CallbackAnswer>}
 */
export const press = (chat, messageId, data) => post(chat, 'presses', { messageId, data })

/**
 * @param {ChatAddress} chat
 * @param {boolean} blocked
 */
export const setBlocked = (chat, blocked) => post(chat, 'blocked', { blocked })

/**
 * Opens a link to a bot of the sandbox.
 * @param {number} userId
 * @param {string} address
 * @returns {Promise<{ bot: string } | { newBot: NewBot }>} the chat that is open now, or what the dialog for a new bot shows
 */
export const openLink = (userId, address) => postTo(`phones/${userId}/links`, { address })

/**
 * @param {number} userId
 * @param {NewBot} bot
 * @returns {Promise<{ bot: string }>} its username
 */
export const createBot = (userId, bot) => postTo(`phones/${userId}/bots`, bot)

/**
 * All phones are in this language from now on, as the bot learns of a person who writes for the first time.
 * @param {import('./texts.js').Language} language
 */
export const setPhoneLanguage = (language) => postTo('language', { language })

/** @param {string} fileId */
export const fileAddress = (fileId) => `api/files/${encodeURIComponent(fileId)}`

/** @returns {Promise<WalletState>} */
export const readWallet = () => ask('wallet')

/**
 * @param {{ to: string, amount: string, kind: string }} payment
 * @returns {Promise<WalletState>} the wallet after it
 */
export const pay = (payment) => postTo('wallet/payments', payment)

/**
 * Lets a minute pass for the whole sandbox.
 * @returns {Promise<WalletState>} the wallet after it
 */
export const letMinutePass = () => postTo('wallet/minutes', {})

/** @returns {Promise<SupplierState>} */
export const readSupplier = () => ask('supplier')

/**
 * @param {'add' | 'empty'} change
 * @returns {Promise<SupplierState>} the supplier after it
 */
export const changeSupplierBalance = (change) => postTo('supplier/balance', { change })

/**
 * @param {SupplierFault} fault
 * @param {boolean} isOn
 * @returns {Promise<SupplierState>} the supplier after it
 */
export const switchSupplierFault = (fault, isOn) => postTo('supplier/faults', { fault, isOn })

/**
 * @param {string} instanceNo
 * @param {boolean} isDead
 * @returns {Promise<SupplierState>} the supplier after it
 */
export const switchSupplierProxy = (instanceNo, isDead) => postTo('supplier/proxies', { instanceNo, isDead })

/** @returns {Promise<GatewayState>} */
export const readGateway = () => ask('gateway')

/**
 * @param {string} username
 * @param {boolean} isDead
 * @returns {Promise<GatewayState>} the gateway after it
 */
export const switchExit = (username, isDead) => postTo('gateway/exits', { username, isDead })

/**
 * Follows the chats for as long as the page lives. Every connection begins with the whole state.
 * @param {object} handlers
 * @param {(state: State) => void} handlers.state
 * @param {(event: ChatEvent | BotsEvent) => void} handlers.event
 * @param {(connected: boolean) => void} handlers.connected
 */
export function listen(handlers) {
  const source = new EventSource('api/events')
  source.addEventListener('state', ({ data }) => {
    handlers.state(JSON.parse(data))
    handlers.connected(true)
  })
  source.addEventListener('message', ({ data }) => handlers.event(JSON.parse(data)))
  source.addEventListener('error', () => {
    handlers.connected(false)
    // The browser reconnects by itself unless the server answered with an error.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(handlers), reopenMs)
  })
}
