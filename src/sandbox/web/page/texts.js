/** The page's own words in two languages, and their switch. The bot has its own texts. */

const texts = {
  en: {
    sandbox: 'Sandbox.',
    notice: 'Not the real Telegram, and the money is play money.',
    documents: 'Documents',
    apiDocs: 'API',
    errorPages: 'Errors',
    language: 'Language of this page',
    phones: 'Phones, gateway, supplier and wallet',
    login: 'Demo login',
    operatorNotice: 'Runs the shop; no login needed: /operator',
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
    wallet: 'Wallet',
    walletNotice: 'A payer with play money',
    fillIn: 'Fill in from the chat',
    payTo: 'To',
    amount: 'Amount',
    how: 'How',
    normal: 'Normally',
    late: 'Too late',
    twice: 'Twice',
    fake: 'With a fake token',
    reverted: 'So that it fails',
    aboutNormal: 'One transfer of USDT.',
    aboutLate: 'The clock of the sandbox first goes ahead until the top-up has expired.',
    aboutTwice: 'Two transfers of the same amount.',
    aboutFake: 'A token that calls itself USDT and is worth nothing.',
    aboutReverted: 'The contract refuses: the transaction is in a block and moves nothing.',
    pay: 'Pay',
    payments: 'Payments',
    noPayments: 'No payments yet',
    confirming: 'in a block, confirmations:',
    irreversible: 'irreversible',
    failed: 'failed, nothing was moved',
    minute: 'Let a minute pass',
    aboutMinute: 'Payments are irreversible after 57 seconds, and then they are credited.',
    ahead: 'The clock of the sandbox is ahead by',
    noScreen: 'No phone shows an address and an amount to pay',
    supplier: 'Supplier',
    supplierNotice: 'Sells to the shop',
    moneyThere: 'the shop has left here',
    addMoney: 'Add money',
    emptyMoney: 'Empty',
    faults: 'What goes wrong',
    aboutFaults: 'Holds for orders from now on, until it is switched off.',
    slow: 'Slow',
    aboutSlow: 'Orders take a minute instead of a second.',
    losesAnswers: 'Loses answers',
    aboutLosesAnswers: 'Carries out orders and breaks off the connection instead of answering.',
    outOfStock: 'Out of stock',
    aboutOutOfStock: 'Its catalogue still shows stock, but every order fails.',
    deliversPart: 'Delivers a part',
    aboutDeliversPart: 'Of each order, only the first proxy.',
    dearer: 'Price rises',
    aboutDearer: 'Charges 20 % more than its catalogue says.',
    failsRenewals: 'Refuses renewals',
    aboutFailsRenewals: 'Proxies are not prolonged, and the money comes back.',
    shortExpiry: 'Expiry a day short',
    aboutShortExpiry: 'Proxies end a day before the term that was paid.',
    hangs: 'Hangs',
    aboutHangs: 'Takes requests, answers nothing and does nothing.',
    silent: 'Silent for good',
    aboutSilent: 'Accepts orders and never ends them.',
    upstreamOrders: 'Orders of the shop',
    noUpstreamOrders: 'No orders yet: buy “Supplied residential” in a chat',
    open: 'Proxies',
    renew: 'Renewal',
    release: 'Release',
    reset: 'New password',
    orderOpen: 'under way',
    orderDone: 'done',
    orderPart: 'done in part:',
    orderFailed: 'failed',
    upstreamProxies: 'Delivered proxies',
    aboutProxies: 'Switch one off, and it is dead: it accepts connections and answers nobody.',
    noUpstreamProxies: 'None yet',
    'no-proxy': 'The supplier has no such proxy',
    gateway: 'Gateway',
    gatewayNotice: 'Carries dynamic traffic',
    gatewayListens: 'listens here',
    gatewayOff: 'It does not run at the moment',
    gatewayUser: 'Username',
    gatewayPassword: 'Password',
    noCredential: 'No phone shows a credential: buy traffic in a chat and extract it',
    commandsToTry: 'To try in a terminal',
    aboutCommands: 'Press one to copy it. The sites are part of the sandbox; the chat shows what was used.',
    tryIt: 'A site that says from where it was asked',
    tryCountry: 'From Japan, where the product has exits there',
    trySticky: 'The same exit for ten minutes',
    trySocks: 'By SOCKS5',
    tryDownload: 'Ten million bytes, to see them counted',
    exits: 'Exits',
    aboutExits: 'Switch one off, and it accepts connections and carries nothing.',
    'no-exit': 'There is no such exit',
    // Errors; the names in kebab case and capitals are those that the server sends.
    offline: 'The sandbox cannot be reached',
    'bot-blocked': 'The bot is blocked; unblock it to write to it',
    'button-gone': 'This button is no longer there',
    'no-answer': 'The bot did not answer',
    'empty-file': 'The file is empty',
    'bad-address': 'This is not an address of TRON',
    'bad-amount': 'The amount is a number with up to 6 decimals',
    'low-balance': 'The wallet does not hold so much',
    FST_REQ_FILE_TOO_LARGE: 'A file may have up to 20 MB',
  },
  zh: {
    sandbox: '沙盒环境。',
    notice: '这里不是真正的 Telegram，金额均为演示用的虚拟资金。',
    documents: '文档',
    apiDocs: '接口文档',
    errorPages: '错误码',
    language: '页面语言',
    phones: '手机、网关、供应商和钱包',
    login: '演示账号',
    operatorNotice: '店铺运营者，无需登录：/operator',
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
    wallet: '钱包',
    walletNotice: '付款方，使用演示资金',
    fillIn: '从聊天中填入',
    payTo: '收款地址',
    amount: '金额',
    how: '付款方式',
    normal: '正常付款',
    late: '超时付款',
    twice: '重复付款',
    fake: '用假代币付款',
    reverted: '交易失败',
    aboutNormal: '转账一次 USDT。',
    aboutLate: '沙盒时钟先拨快，直到充值订单过期。',
    aboutTwice: '连续转账两次相同金额。',
    aboutFake: '自称 USDT、实际毫无价值的代币。',
    aboutReverted: '合约拒绝执行：交易已上链，但没有转出任何金额。',
    pay: '付款',
    payments: '付款记录',
    noPayments: '还没有付款',
    confirming: '已上链，确认数：',
    irreversible: '已不可逆',
    failed: '失败，未转出任何金额',
    minute: '快进一分钟',
    aboutMinute: '付款在 57 秒后不可逆，随后入账。',
    ahead: '沙盒时钟已快进',
    noScreen: '手机上没有显示收款地址和金额',
    supplier: '供应商',
    supplierNotice: '向店铺供货的上游',
    moneyThere: '店铺在此的余额',
    addMoney: '充值',
    emptyMoney: '清空',
    faults: '故障模拟',
    aboutFaults: '对之后的订单生效，直到关闭为止。',
    slow: '处理缓慢',
    aboutSlow: '订单需要一分钟完成，平时只需一秒。',
    losesAnswers: '丢失应答',
    aboutLosesAnswers: '订单已执行，但连接中断，没有应答。',
    outOfStock: '缺货',
    aboutOutOfStock: '目录仍显示有库存，但所有订单都失败。',
    deliversPart: '部分交付',
    aboutDeliversPart: '每个订单只交付第一个代理。',
    dearer: '涨价',
    aboutDearer: '实际扣款比目录价高 20%。',
    failsRenewals: '拒绝续费',
    aboutFailsRenewals: '代理不会延期，款项退回。',
    shortExpiry: '少给一天',
    aboutShortExpiry: '代理比已付费的期限早一天到期。',
    hangs: '无响应',
    aboutHangs: '接收请求，但不应答也不执行。',
    silent: '永不完成',
    aboutSilent: '接受订单，但永远不会完成。',
    upstreamOrders: '店铺的订单',
    noUpstreamOrders: '还没有订单：在聊天中购买“供应商住宅 ISP 代理”',
    open: '代理',
    renew: '续费',
    release: '退订',
    reset: '重置密码',
    orderOpen: '处理中',
    orderDone: '已完成',
    orderPart: '部分完成：',
    orderFailed: '失败',
    upstreamProxies: '已交付的代理',
    aboutProxies: '关闭开关，该代理即失效：可以连接，但不再应答。',
    noUpstreamProxies: '暂无',
    'no-proxy': '供应商没有此代理',
    gateway: '网关',
    gatewayNotice: '承载动态流量',
    gatewayListens: '监听地址',
    gatewayOff: '目前没有运行',
    gatewayUser: '用户名',
    gatewayPassword: '密码',
    noCredential: '手机上没有显示代理账号：请在聊天中购买流量并提取',
    commandsToTry: '在终端中试用',
    aboutCommands: '点击即可复制。目标网站由沙盒提供，用量可在聊天中查看。',
    tryIt: '显示访问来源的网站',
    tryCountry: '从日本访问（产品有当地出口时）',
    trySticky: '十分钟内保持同一出口',
    trySocks: '通过 SOCKS5',
    tryDownload: '下载一千万字节，查看计量',
    exits: '出口',
    aboutExits: '关闭开关，该出口仍可连接，但不再转发流量。',
    'no-exit': '没有此出口',
    offline: '无法连接沙盒',
    'bot-blocked': '机器人已停用，重新启用后才能发送消息',
    'button-gone': '该按钮已失效',
    'no-answer': '机器人没有响应',
    'empty-file': '文件为空',
    'bad-address': '这不是有效的 TRON 地址',
    'bad-amount': '金额应为数字，最多 6 位小数',
    'low-balance': '钱包余额不足',
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
