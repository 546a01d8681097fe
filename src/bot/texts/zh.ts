import { html, lines } from '../kit/html.ts'
import type { Texts } from './en.ts'
import { buy } from '../topics/buy/texts.zh.ts'
import { orders } from '../topics/orders/texts.zh.ts'
import { extraction } from '../topics/traffic/extraction-texts.zh.ts'
import { home } from '../topics/home/texts.zh.ts'
import { records } from '../topics/records/texts.zh.ts'
import { subAccounts } from '../topics/traffic/sub-account-texts.zh.ts'
import { traffic } from '../topics/traffic/texts.zh.ts'
import { input } from './zh/input.ts'
import { invite } from '../topics/log-in/texts.zh.ts'
import { password } from '../topics/settings/password-texts.zh.ts'
import { notices } from '../notices/texts.zh.ts'
import { operator } from '../topics/operator/texts.zh.ts'
import { settings } from '../topics/settings/texts.zh.ts'
import { trouble } from './zh/trouble.ts'
import { topUps } from '../topics/top-ups/texts.zh.ts'
import { users } from '../topics/users/texts.zh.ts'

/** Everything the bot says, in Chinese. */
export const zh: Texts = {
  languageName: '中文',
  commands: {
    start: '开始',
    menu: '主菜单',
    buy: '购买静态代理',
    traffic: '动态流量',
    proxies: '我的代理',
    topup: '余额充值',
    balance: '余额',
    records: '账单记录',
    users: '下级用户',
    settings: '设置',
    login: '登录',
    logout: '退出登录',
    language: '语言 / Language',
    help: '帮助',
    cancel: '取消当前操作',
    operator: '运营菜单',
    payments: '待处理付款',
    broadcast: '群发消息',
  },
  buttons: {
    home: '🏠 主菜单',
    back: '‹ 返回',
    cancel: '取消',
    logIn: '🔑 登录',
    logOut: '退出登录',
    buy: '🛒 购买代理',
    proxies: '📦 我的代理',
    language: '🌐 语言',
    help: '❓ 帮助',
    confirm: (total) => `✅ 支付 ${total}`,
    otherNumber: '✏️ 其他数量',
    anyCity: '🌍 不限城市',
    openOrder: '📦 查看订单',
    refresh: '🔄 刷新',
    copy: (count) => (count === 1 ? '📋 复制' : `📋 复制这 ${count} 条`),
    file: '📄 导出 .txt 文件',
    page: (page, pages) => `${page} / ${pages}`,
  },
  topUps,
  welcome: lines(
    html`<b>您的代理业务助手</b>`,
    '',
    html`在这里即可购买静态代理和动态流量、续费并管理余额。`,
    html`请使用商家提供的用户名和密码登录。`,
  ),
  home,
  traffic,
  extraction,
  subAccounts,
  records,
  language: html`<b>语言</b>`,
  logIn: {
    first: '请先登录。',
    already: (username) => `您当前登录的是 ${username}。如需使用其他账户，请先退出登录：/logout`,
    username: html`<b>登录</b>\n\n请发送您的<b>用户名</b>。`,
    password: (username) =>
      html`<b>登录</b>\n\n用户名：<b>${username}</b>\n请发送您的<b>密码</b>，我会立即删除该消息。`,
    again: (problem) => html`<b>登录</b>\n\n⚠️ ${problem}\n\n请重新发送您的<b>用户名</b>。`,
  },
  logOut: {
    ask: (username) => html`要在此聊天中退出 <b>${username}</b> 吗？\n\n您的代理和余额不受影响。`,
    done: '您已退出登录。',
  },
  sessionEnded: {
    account_disabled: '您的账户已被禁用，请联系为您开通账户的商家。',
    account_not_activated: '您的账户未激活，请先前往邮箱点击激活链接。',
    user_not_found: '您的账户已不存在。',
    token_invalid: '您的密码已更改，请重新登录。',
  },
  buy,
  orders,
  status: {
    processing: '⏳ 开通中',
    active: '✅ 可用',
    partial: '⚠️ 部分开通',
    failed: '❌ 失败，已退款',
    expired: '⌛ 已过期',
    cancelled: '🚫 已取消',
  },
  notices,
  operator,
  settings,
  errors: {
    invalid_credentials: '用户名或密码错误。',
    account_disabled: '该账户已被禁用，可由为其开通账户的商家重新启用。',
    account_not_activated: '该账户未激活，请先前往邮箱点击激活链接。',
    too_many_attempts: '尝试次数过多，请稍等几分钟。',
    insufficient_balance: '余额不足。',
    out_of_stock: '库存不足，已被他人抢先购买。',
    price_changed: '价格已变化，请重新确认。',
    order_not_found: '订单不存在。',
    product_not_found: '该产品已下架。',
    agent_required: '只有代理商才有下级用户。',
    sub_user_not_found: '该用户已不存在。',
    not_direct_sub_user: '该用户不是您的下级用户。',
    username_taken: '该用户名已被占用。',
    balance_below_zero: '该用户余额不足。',
    invalid_state: '当前状态下无法执行此操作。',
    traffic_exhausted: '流量已用完，请先购买。',
    traffic_not_available: '剩余流量不足。',
    sub_account_not_found: '该子账户已不存在。',
    order_processing: '该订单仍在开通中。',
    instance_not_found: '该代理不存在。',
    duration_not_supported: '不支持该时长。',
    location_not_supported_for_product: '该产品已不在此地区销售。',
    project_required: '该产品需要指定业务项目。',
    project_not_allowed: '该产品不支持此业务项目。',
    invalid_cidr_blocks: '所选 IP 段已不可用。',
    assigned_ip_unavailable: '部分 IP 已不可用。',
    idempotency_conflict: '该操作已完成，请勿重复提交。',
    top_up_disabled: '目前未开放充值。',
    unavailable: '服务繁忙，请稍后再试。',
    other: '操作失败，请重试。',
  },
  trouble,
  input,
  users,
  invite,
  password,
  textOnly: '请以文字消息发送。',
  unknownCommand: '无法识别该命令。',
  useButtons: '请使用按钮，或菜单中的命令。',
  stale: '该按钮已过期，这是当前状态。',
  per: {
    days: (count) => (count === 1 ? '天' : `${count} 天`),
    months: (count) => (count === 1 ? '月' : `${count} 个月`),
  },
  term: {
    days: (count) => `${count} 天`,
    months: (count) => `${count} 个月`,
  },
  dateTime: (date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  date: (date) => date.toISOString().slice(0, 10),
}
