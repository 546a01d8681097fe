import { html, lines } from '../html.ts'
import type { Texts } from './en.ts'

/** Everything the bot says, in Chinese. */
export const zh: Texts = {
  languageName: '中文',
  commands: {
    start: '开始',
    menu: '主菜单',
    buy: '购买静态代理',
    proxies: '我的代理',
    balance: '余额',
    login: '登录',
    logout: '退出登录',
    language: '语言 / Language',
    help: '帮助',
    cancel: '取消当前操作',
  },
  buttons: {
    home: '🏠 主菜单',
    back: '‹ 返回',
    cancel: '取消',
    logIn: '🔑 登录',
    logOut: '退出登录',
    buy: '🛒 购买代理',
    proxies: '📦 我的代理',
    balance: '💰 余额',
    language: '🌐 语言',
    help: '❓ 帮助',
    confirm: (total) => `✅ 支付 ${total}`,
    otherNumber: '✏️ 其他数量',
    changeNumber: '修改数量',
    anyCity: '🌍 任意城市',
    openOrder: '📦 查看订单',
    refresh: '🔄 刷新',
    copy: (count) => (count === 1 ? '📋 复制' : `📋 复制这 ${count} 条`),
    file: '📄 导出 .txt 文件',
    allAsFile: '📄 全部导出 .txt',
    page: (page, pages) => `${page} / ${pages}`,
  },
  welcome: lines(
    html`<b>您的代理业务助手</b>`,
    '',
    html`在此聊天中即可购买静态代理、查看订单和余额。`,
    html`请使用代理商提供的用户名和密码登录。`,
  ),
  home: (username, balance) => lines(html`<b>主菜单</b>`, '', html`👤 ${username}`, html`💰 ${balance}`),
  balance: (balance, recharged, spent) =>
    lines(
      html`<b>余额</b>`,
      '',
      html`💰 <b>${balance}</b>`,
      html`累计充值：${recharged}`,
      html`累计消费：${spent}`,
    ),
  help: lines(
    html`<b>帮助</b>`,
    '',
    html`<b>购买：</b>发送 /buy，依次选择产品、地区、时长和数量。只有按下绿色按钮才会扣款。`,
    html`<b>使用：</b>每行格式为 <code>ip:端口:用户名:密码</code>，支持 HTTP 和 SOCKS5，点按即可复制。`,
    html`<b>迷路了？</b>随时发送 /menu 回到主菜单，/cancel 取消当前操作。`,
  ),
  language: html`<b>语言</b>`,
  logIn: {
    username: html`<b>登录</b>

      请发送您的<b>用户名</b>。`,
    password: (username) =>
      html`<b>登录</b>

        用户名：<b>${username}</b> 请发送您的<b>密码</b>，我会立即删除该消息。`,
    again: (problem) =>
      html`<b>登录</b>

        ⚠️ ${problem} 请重新发送您的<b>用户名</b>。`,
  },
  logOut: {
    ask: (username) => html`要在此聊天中退出 <b>${username}</b> 吗？ 您的代理和余额不受影响。`,
    done: '您已退出登录。',
  },
  sessionEnded: {
    account_disabled: '您的账户已被禁用，请联系代理商。',
    user_not_found: '您的账户已不存在。',
    token_invalid: '您的密码已更改，请重新登录。',
  },
  buy: {
    title: html`<b>购买静态代理</b>`,
    empty: html`<b>购买静态代理</b>

      目前没有库存，请稍后再来。`,
    product: html`请选择产品：`,
    country: html`请选择国家或地区：`,
    city: html`请选择城市：`,
    term: html`请选择时长：`,
    number: (stock, unitPrice) => html`请选择数量（库存 ${stock}，单价 ${unitPrice}）：`,
    typeNumber: (max) => html`需要多少个代理？请发送 1 到 ${max} 之间的数字。`,
    notANumber: (answer, max) => `“${answer}”不是 1 到 ${max} 之间的整数。`,
    tiers: (tiers) =>
      lines(html`<i>批量优惠：</i>`, ...tiers.map(({ from, price }) => html`${from} 个起：单价 ${price}`)),
    chosen: {
      product: (name) => html`产品：<b>${name}</b>`,
      place: (place) => html`地区：<b>${place}</b>`,
      term: (term) => html`时长：<b>${term}</b>`,
    },
    productButton: (name, price, stock) => `${name} · ${price} · 库存 ${stock}`,
    placeButton: (place, stock) => `${place} · ${stock}`,
    confirm: (quote) =>
      lines(
        html`数量：<b>${quote.count}</b>`,
        '',
        html`单价：${quote.unitPrice}${quote.periods > 1 ? ` × ${quote.periods} 期` : ''}`,
        html`总价：<b>${quote.total}</b>`,
        html`当前余额：${quote.balance}`,
        html`购买后余额：${quote.after}`,
      ),
    nextTier: (from, price) => html`💡 购买 ${from} 个起，单价 ${price}。`,
    short: (missing) => html`⚠️ 余额不足，还差 <b>${missing}</b>，请联系代理商充值。`,
  },
  orders: {
    title: (total) =>
      html`<b>我的代理</b>

        订单数：${total}`,
    empty: html`<b>我的代理</b>

      您还没有购买过代理。`,
    button: (status, product, count, date) => `${status} ${product} · ${count} 个 · ${date}`,
    order: (order) =>
      lines(
        html`<b>订单 ${order.orderNo}</b>`,
        '',
        html`${order.status}`,
        html`产品：<b>${order.product}</b>`,
        order.place ? html`地区：<b>${order.place}</b>` : undefined,
        html`时长：<b>${order.term}</b>`,
        html`总价：<b>${order.total}</b>`,
      ),
    count: (delivered, ordered) =>
      delivered === ordered
        ? html`代理数：<b>${ordered}</b>`
        : html`代理数：<b>${delivered}</b> / ${ordered}`,
    refunded: (amount) => html`已退款：<b>${amount}</b>`,
    expires: (date) => html`有效期至：<b>${date}</b>`,
    preparing: html`代理正在开通，稍后会在这里发送给您。`,
    fileCaption: (count) => html`共 ${count} 个代理，每行一个：<code>ip:端口:用户名:密码</code>`,
    noneActive: '您没有可用的代理。',
  },
  status: {
    processing: '⏳ 开通中',
    active: '✅ 可用',
    partial: '⚠️ 部分开通',
    failed: '❌ 失败，已退款',
    expired: '⌛ 已过期',
    cancelled: '🚫 已取消',
  },
  notices: {
    order_ready: (count) => html`✅ <b>您的代理已开通</b>（${count} 个）`,
    order_partial: (delivered, ordered, refund) =>
      html`⚠️ <b>已开通 ${delivered} / ${ordered} 个代理</b> 其余无法开通，${refund} 已退回余额。`,
    order_failed: (refund) => html`❌ <b>订单开通失败</b> ${refund} 已退回余额，请更换地区或稍后再试。`,
    forUser: (username) => html`用户 <b>${username}</b>`,
    about: (orderNo, product) => html`${product} 订单 <code>${orderNo}</code>`,
  },
  errors: {
    invalid_credentials: '用户名或密码错误。',
    account_disabled: '该账户已被禁用，请联系代理商。',
    too_many_attempts: '尝试次数过多，请稍等几分钟。',
    insufficient_balance: '余额不足。',
    out_of_stock: '库存不足，已被他人抢先购买。',
    price_changed: '价格已变化，请重新确认。',
    order_not_found: '订单不存在。',
    product_not_found: '该产品已下架。',
    unavailable: '服务繁忙，请稍后再试。',
    other: '操作失败，请重试。',
  },
  crashed: (reference) => html`系统出错了，请重试。 参考编号：<code>${reference}</code>`,
  textOnly: '请以文字消息发送。',
  unknownCommand: '无法识别该命令。',
  useButtons: '请使用按钮，或菜单中的命令。',
  stale: '该按钮已过期，这是当前状态。',
  term: {
    days: (count) => `${count} 天`,
    months: (count) => `${count} 个月`,
  },
  dateTime: (date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  date: (date) => date.toISOString().slice(0, 10),
}
