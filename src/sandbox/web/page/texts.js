/** The page's own words in two languages, and their switch. What the bot says is the bot's affair. */

const texts = {
  en: {
    sandbox: 'Sandbox.',
    notice: 'Not the real Telegram, and the money is play money.',
    language: 'Language of this page',
    phones: 'Phones',
    login: 'Demo login',
    conversation: 'Conversation',
    bot: 'bot',
    typing: 'typing',
    connecting: 'connecting…',
    blocked: 'blocked',
    block: 'Block the bot',
    unblock: 'Unblock the bot',
    empty: 'No messages here yet. Press Start, as a newcomer would.',
    start: 'Start',
    menu: 'Menu',
    message: 'Message',
    attach: 'Send a file',
    send: 'Send',
    commands: 'Commands of the bot',
    newMessages: 'New messages',
    toBottom: 'To the newest message',
    edited: 'edited',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser does not allow copying',
    download: 'Download',
    photo: 'Photo',
    hidden: 'Hidden text, show',
    ok: 'OK',
    // Errors; the names in kebab case and capitals are those that the server sends.
    offline: 'The sandbox cannot be reached',
    'bot-blocked': 'The bot is blocked; unblock it to write to it',
    'button-gone': 'This button is no longer there',
    'no-answer': 'The bot did not answer',
    'empty-file': 'The file is empty',
    FST_REQ_FILE_TOO_LARGE: 'A file may have up to 20 MB',
  },
  zh: {
    sandbox: '沙盒环境。',
    notice: '这里不是真正的 Telegram，金额均为演示用的虚拟资金。',
    language: '页面语言',
    phones: '手机',
    login: '演示账号',
    conversation: '对话',
    bot: '机器人',
    typing: '正在输入',
    connecting: '连接中…',
    blocked: '已停用',
    block: '停用机器人',
    unblock: '重新启用机器人',
    empty: '还没有消息。像新用户一样，点击“开始”。',
    start: '开始',
    menu: '菜单',
    message: '输入消息',
    attach: '发送文件',
    send: '发送',
    commands: '机器人命令',
    newMessages: '新消息',
    toBottom: '回到最新消息',
    edited: '已编辑',
    copy: '复制',
    copied: '已复制',
    notCopied: '浏览器不允许复制',
    download: '下载',
    photo: '图片',
    hidden: '隐藏内容，点击显示',
    ok: '确定',
    offline: '无法连接沙盒',
    'bot-blocked': '机器人已停用，重新启用后才能发送消息',
    'button-gone': '该按钮已失效',
    'no-answer': '机器人没有响应',
    'empty-file': '文件为空',
    FST_REQ_FILE_TOO_LARGE: '文件不能超过 20 MB',
  },
}

/** @typedef {keyof typeof texts} Language */
/** @typedef {keyof typeof texts.en} TextKey */

const stored = localStorage.getItem('language') ?? navigator.language

/** @type {Language} */
export let language = stored.startsWith('zh') ? 'zh' : 'en'

/**
 * @param {string} key
 * @returns {key is TextKey}
 */
export const isTextKey = (key) => Object.hasOwn(texts.en, key)

/**
 * @param {TextKey} key
 * @returns {string}
 */
export function text(key) {
  return texts[language][key]
}

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
