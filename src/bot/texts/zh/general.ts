import { html } from '../html.ts'
import type * as en from '../en/general.ts'

export const languageName: typeof en.languageName = '中文'

/** A city in its country. */
export const place = (country: string, city: string): string => `${country} ${city}`

export const commands: typeof en.commands = {
  start: '开始',
  menu: '主菜单',
  buy: '购买静态代理 IP',
  traffic: '动态流量',
  proxies: '我的代理 IP',
  orders: '我的订单',
  topup: '余额充值',
  balance: '余额',
  records: '账单记录',
  support: '联系客服',
  users: '下级用户',
  earnings: '收益与定价',
  accounts: '切换账号',
  settings: '设置',
  login: '登录',
  logout: '退出登录',
  language: '语言 / Language',
  help: '帮助',
  guide: '代理 IP 使用教程',
  cancel: '取消当前操作',
  operator: '运营菜单',
  find: '全局查找',
  payments: '待处理付款',
  suppliers: '供应商',
  agents: '代理商',
  products: '产品与价格',
  stock: '代理库存',
  exits: '出口与网关',
  tickets: '客户工单',
  broadcast: '群发消息',
}

export const buttons: typeof en.buttons = {
  home: '🏠 主菜单',
  back: '‹ 返回',
  cancel: '取消',
  logIn: '🔑 登录',
  logOut: '退出登录',
  buy: '🛒 购买代理 IP',
  proxies: '📦 我的代理 IP',
  language: '🌐 语言',
  help: '❓ 帮助',
  confirm: (total) => `✅ 支付 ${total}`,
  openOrder: '📦 查看订单',
  refresh: '🔄 刷新',
  copy: (count) => (count === 1 ? '📋 复制' : `📋 复制这 ${count} 条`),
  page: (page, pages) => `${page} / ${pages}`,
}

export const progress: typeof en.progress = {
  of: (done, total) => `${done} / ${total}`,
  left: (seconds) => {
    if (seconds <= 5) return '还需几秒'
    return seconds < 60 ? `约剩 ${Math.ceil(seconds / 5) * 5} 秒` : `约剩 ${Math.ceil(seconds / 60)} 分钟`
  },
}

export const status: typeof en.status = {
  processing: '⏳ 开通中',
  active: '✅ 可用',
  partial: '⚠️ 部分开通',
  failed: '❌ 失败，已退款',
  expired: '⌛ 已过期',
  cancelled: '🚫 已取消',
}

export const errors: typeof en.errors = {
  invalid_credentials: '用户名或密码错误。',
  not_permitted: '您在本店的角色没有此权限，如需开通，请联系店主。',
  account_disabled: '该账号已被禁用。如需恢复，请联系为您开通账号的商家。',
  account_not_activated: '该账号未激活，请先前往邮箱点击激活链接。',
  too_many_attempts: '尝试次数过多，请稍等几分钟。',
  insufficient_balance: '余额不足。',
  out_of_stock: '库存不足，已被他人抢先购买。',
  price_changed: '价格已变化，请重新确认。',
  order_not_found: '订单不存在。',
  product_not_found: '该产品已下架。',
  agent_required: '只有代理商才有下级用户。',
  user_not_found: '该账号不存在。',
  sub_user_not_found: '该用户已不存在。',
  not_direct_sub_user: '该用户不是您的下级用户。',
  username_taken: '该用户名已被占用。',
  balance_below_zero: '该用户余额不足。',
  invalid_state: '当前状态下无法执行此操作。',
  traffic_exhausted: '流量已用完，请先购买。',
  traffic_not_available: '剩余流量不足。',
  payout_not_found: '该提现申请不存在。',
  api_key_not_found: 'API 密钥不存在。',
  webhook_not_found: 'Webhook 不存在。',
  delivery_not_found: '该 Webhook 没有此推送记录。',
  bot_not_found: '该机器人已不存在。',
  bot_taken: '该机器人已属于其他代理。',
  too_many_bots: '您的机器人数量已达等级上限，请先删除一个。',
  join_link_not_found: '该注册链接已失效，请索取新的链接。',
  promo_code_not_found: '优惠码不存在。',
  promo_code_not_usable: '该优惠码不适用于本次购买。',
  promo_code_taken: '该优惠码已存在，请换一个。',
  sub_account_not_found: '该子账号已不存在。',
  order_processing: '仍在处理中，请稍后再试。',
  instance_not_found: '该代理 IP 不存在。',
  duration_not_supported: '不支持该时长。',
  location_not_supported_for_product: '该产品已不在此地区销售。',
  project_required: '该产品需要指定业务场景。',
  project_not_allowed: '该产品不支持此业务场景。',
  invalid_cidr_blocks: '所选 IP 段已不可用。',
  assigned_ip_unavailable: '部分 IP 已不可用。',
  idempotency_conflict: '该操作已完成，请勿重复提交。',
  top_up_disabled: '目前未开放充值。',
  rate_limited: '操作过于频繁，请一分钟后再试。',
  unavailable: '服务繁忙，请稍后再试。',
  other: '操作失败，请重试。',
}

export const promoRefusals: typeof en.promoRefusals = {
  ended: '该优惠码已失效。',
  used_up: '该优惠码已用完。',
  used_by_user: '您使用该优惠码的次数已达上限。',
  sub_users_only: '您自己的优惠码只能由您的下级用户使用。',
  other_product: '该优惠码适用于其他产品。',
  nothing_to_discount: '使用该优惠码，此价格没有优惠。',
  price_too_low: '该优惠码不能用于此产品。',
}

export const textOnly: typeof en.textOnly = '请以文字消息发送。'

export const unknownCommand: typeof en.unknownCommand = '无法识别该命令。'

export const nothingNew: typeof en.nothingNew = '没有变化。'
export const useButtons: typeof en.useButtons = '请使用按钮，或菜单中的命令。'

export const nothingFound: typeof en.nothingFound = '没有找到相关内容。请使用按钮，或菜单中的命令。'

export const onlyText: typeof en.onlyText = '我只能识别文字消息。请使用按钮，或菜单中的命令。'

export const stale: typeof en.stale = '该按钮已过期，这是当前状态。'

export const list: typeof en.list = (items) => items.join('、')

export const field: typeof en.field = (name, value) => `${name}：${value}`

export const per: typeof en.per = {
  days: (count) => (count === 1 ? '天' : `${count} 天`),
  months: (count) => (count === 1 ? '月' : `${count} 个月`),
}

export const units: typeof en.units = { bytes: 'B', kilobytes: 'KB', megabytes: 'MB', gigabytes: 'GB' }

export const term: typeof en.term = {
  days: (count) => `${count} 天`,
  months: (count) => `${count} 个月`,
}

export const trouble: typeof en.trouble = {
  crashed: (reference) => html`系统出了点问题，请重试。\n\n参考编号：<code>${reference}</code>`,
  tookTooLong: html`处理时间过长，操作可能仍会完成。请先查看<b>我的代理 IP</b>和余额，再决定是否重试。`,
  slowDown: '操作过于频繁，这一步没有执行。请等十秒后再试。',
  dialogueLost: '机器人刚刚完成了更新，这一步没有执行，请重新开始。',
  groups: {
    privateOnly: (chatId) =>
      html`我只在私聊中提供服务，请私聊我。\n\n<i>运营者请注意：本群的 ID 是 <code>${chatId}</code>。</i>`,
    write: '私聊我',
  },
}

export const input: typeof en.input = {
  again: (problem) => `还是不行：${problem}`,
  values: {
    wholeNumber: '请发送整数，例如 10',
    number: '请发送数字，例如 1.5',
    amount: '请发送金额，例如 12.50',
    percent: '请发送百分比，例如 12.5，最多两位小数',
    prices: '请发送价格，例如 4.50；或按数量定价，例如 1: 4.50, 10: 4.00',
    flag: '请发送“是”或“否”',
    other: '该值不可用',
  },
  wholeNumber: (least, most) => `请发送 ${least} 至 ${most} 之间的整数。`,
  onlyHas: (sum, username) => `${username === undefined ? '该用户' : `${username} `}的余额只有 ${sum}。`,
  tooShort: (minimum) => `至少需要 ${minimum} 个字符。`,
  tooLong: (maximum) => `最多 ${maximum} 个字符。`,
  tooMany: (maximum) => `一次最多 ${maximum} 个。`,
  wrong: '内容无效。',
  ownShort: (sum) => `您自己的余额不足，还差 ${sum}，请先充值：/topup`,
  abovePriceLimit: (most) => `超出本店上限，最多 ${most}。`,
  rules: {
    not_a_webhook_url: '这不是有效地址，例如 https://example.com/hooks。',
    webhook_not_encrypted: '必须以 https:// 开头。',
    webhook_not_public: '必须是公网地址。',
    webhook_port_closed: '端口必须是 443，或不小于 1024。',
    no_event_chosen: '请至少选择一项事件。',
    too_many_webhooks: '已有 10 个 Webhook，请先删除一个。',
    not_an_address_range: '这不是地址，例如 203.0.113.7 或 203.0.113.0/24。',
    address_range_too_wide: '地址范围过大：IPv4 最大 /8，IPv6 最大 /16。',
    too_many_keys: '有效密钥已达 50 个，请先撤销一个。',
    address_held_by_nobody: '这个地址不在任何白名单中。',
    person_exists: '已有同名的店铺人员。',
    telegram_id_taken: '这个 Telegram 用户已对应另一名店铺人员。',
    no_owner_left: '店铺人员中至少要有一名店主。',
    no_such_invite: '链接已被使用、已撤销或已过期。请向店主索取新链接。',
    no_such_person: '此人已被移除。',
    invisible_characters: '不能包含空格或不可见字符。',
    mixed_scripts: '请勿混用不同文字的字母。',
    letters_digits_underscore_hyphen: '只能使用字母、数字、_ 和 -。',
    username_taken: '该用户名已被占用。',
    named_twice: '该用户名在列表中重复。',
    not_an_email_address: '邮箱地址格式不正确。',
    not_a_phone_number: '手机号必须是 11 位数字。',
    caption_too_long: '随图片或文件发送的文字最多 800 个字符，较长的内容请单独发送。',
    not_an_amount: '金额格式不正确，请按 25 或 12.50 的格式输入，最多 6 位小数。',
    less_than_trial: '总预算少于一份体验金。',
    quantity_comes_twice: '数量重复。',
    less_than_payout_min: '低于最低提现金额。',
    not_a_tron_address: '不是可接收 USDT 的 TRON 地址：以 T 开头，共 34 个字符。',
    not_in_the_next_year: '该时间已过，或超过一年。',
    not_a_transaction_id: '交易哈希格式不正确，应为 64 位数字和字母 a–f。',
    txid_of_another_payout: '该交易已用于另一笔提现。',
    not_a_promo_code: '优惠码由 3–32 个字母、数字、_ 或 - 组成，例如 SPRING-10。',
    either_percent_or_amount: '百分比与金额只能二选一。',
    balance_too_large: '余额超出上限。',
    misplaced_quotation_mark: '引号没有成对，或位置不对。',
    unknown_column: '表头中有无法识别的列。',
    too_many_columns: '列数过多。',
    blanks_between_columns: '这里是否有空的列？请用逗号分隔各列。',
    divider_in_username: '这一行的分隔方式与其他行不同。',
  },
  textOrPicture: '请发送文字，或一张图片。',
  noPreview: '无法显示预览。如果 Telegram 不接受这条消息，将没有人能收到，建议重新编写。',
  textOrMedia: '请发送文字、图片或文件。',
  textOrFile: '请以文字消息发送，或发送 .csv、.txt 文件。',
  files: {
    tooBig: '文件过大，最大 256 KB。',
    notUtf8: '文件不是 UTF-8 编码，请另存为“CSV UTF-8”后重新发送。',
    notDownloaded: '文件没有收到，请重新发送。',
  },
  answered: '这一步已经完成了。',
}

export const profile: typeof en.profile = {
  description:
    '静态代理 IP 与动态流量：在本聊天中即可购买、续费、检测和管理。\n\n• 支持 HTTP 和 SOCKS5，覆盖多个国家和地区\n• 付款后立即在聊天中交付\n• 商家开通后可用 USDT 充值\n\n点击“开始”，使用商家提供的账号登录。',
  short: '购买和管理静态代理 IP 与动态流量，支持中文、英文和俄文。',
}
