import { html, lines } from '../html.ts'
import type * as en from '../en/notices.ts'

/** What people are told without having asked, in Chinese. */
export const notices: typeof en.notices = {
  buttons: {
    keep: '👌 知道了',
    close: '✖️ 关闭',
    topUp: '💳 充值',
    topUpDetails: '🧾 查看充值单',
    buyTraffic: '📶 购买流量',
    users: '👥 下级用户',
    user: (username) => `👤 ${username}`,
  },
  order_ready: (count) => html`✅ <b>您的代理 IP 已开通</b>（${count} 个）`,
  order_partial: (delivered, ordered, refund) =>
    html`⚠️ <b>已开通 ${delivered} / ${ordered} 个代理 IP</b>\n其余无法开通，${refund} 已退回余额。`,
  order_failed: (refund) => html`❌ <b>订单开通失败</b>\n${refund} 已退回余额，请更换地区或稍后再试。`,
  notWorking: (count) => html`交付前检测发现 ${count} 个代理 IP 不可用。`,
  order_delayed: (count) =>
    html`⏱ <b>您的订单开通较慢</b>（${count} 个代理 IP）\n供应商尚未返回结果。开通后会立即通知您；无法开通的部分将退款。`,
  forUser: (username) => html`用户 <b>${username}</b>`,
  renewal_done: (count, paid, balance, automatic) =>
    lines(
      html`🔄 <b>已${automatic ? '自动' : ''}续费 ${count} 个代理 IP</b>`,
      html`支付：${paid} · 余额：${balance}`,
    ),
  renewal_refused: (count, refund, automatic) =>
    lines(
      html`⚠️ <b>${count} 个代理 IP 续费失败</b>`,
      html`供应商拒绝续费，<b>${refund}</b> 已退回余额。${automatic ? '到期之前，系统会继续重试。' : ''}`,
    ),
  proxies_ended: (count) => html`⏹ <b>商家已终止 ${count} 个代理 IP</b>\n代理 IP 已失效，费用不予退还。`,
  reason: (reason) => html`原因：${reason}`,
  credentials: (changed) =>
    changed
      ? html`🔑 <b>代理密码已更换</b>\n旧密码已失效。`
      : html`⚠️ <b>代理密码更换失败</b>\n供应商拒绝更换，旧密码仍可使用。`,
  renewal_failed: (count, reason) =>
    lines(
      html`⚠️ <b>${count} 个代理 IP 自动续费失败</b>`,
      html`${reason}到期之前，系统每隔几分钟会重试一次。`,
    ),
  short: (missing) => `余额不足，还差 ${missing}。`,
  expiring_72h: (count) => html`⏳ <b>${count} 个代理 IP 将在 3 天后到期</b>`,
  expiring_24h: (count) => html`⏳ <b>${count} 个代理 IP 将在 24 小时内到期</b>`,
  wouldRenew: (missing) => html`已开启自动续费，但余额不足，还差 <b>${missing}</b>。`,
  expired: (count, until) =>
    lines(html`⌛ <b>${count} 个代理 IP 已过期</b>`, html`在 ${until} 之前仍可续费。`),
  proxy_dead: (address, since) =>
    html`🔴 <b>代理 IP 已失效</b>\n<code>${address}</code> 自 ${since} 起所有检测均未通过。`,
  deadRenews: (end) => html`该代理 IP 已开启自动续费，仍会在 ${end} 前续费。请更换，或关闭自动续费。`,
  replacement_done: (before, now) =>
    html`✅ <b>代理 IP 已更换</b>\n<code>${before}</code> 已更换为 <code>${now}</code>，用户名和密码请在代理详情中查看。`,
  replacement_refunded: (before, refund) =>
    html`↩️ <b>代理 IP 已退订</b>\n没有与 <code>${before}</code> 同等的代理 IP，${refund} 已退回余额。`,
  replacement_declined: (before) => html`✖️ <b>代理 IP 未更换</b>\n商家未同意更换 <code>${before}</code>。`,
  note: (note) => html`商家留言：${note}`,
  traffic_80: html`📶 <b>流量已使用 80%</b>`,
  traffic_100: html`🚫 <b>流量已用尽</b>`,
  traffic: (used, total) => html`已用：<b>${used}</b> / ${total}`,
  low_balance: (balance, needed, until) =>
    lines(
      html`💰 <b>余额即将不足</b>`,
      html`当前余额：<b>${balance}</b>。未来 7 天的自动续费共需 <b>${needed}</b>，余额只够支付到 ${until}。`,
    ),
  addressFreed: (cidr, product) =>
    html`🛡 <b>${cidr} 已从您的白名单移除</b>（${product}）\n由商家移除。该地址的客户端须用用户名和密码登录；您可以重新添加。`,
  adjusted: {
    agent: (username) => (username === '' ? '代理商' : `代理商 ${username} `),
    shop: '商家',
    added: (who, sum) => html`💰 <b>${who}已为您增加余额 ${sum}</b>`,
    taken: (who, sum) => html`💰 <b>${who}已扣除您的余额 ${sum}</b>`,
    cause: {
      traffic: (orderNo) => html`已为您购买流量：订单 <code>${orderNo}</code>`,
      renewal: (orderNo) => html`已为您续费代理 IP：订单 <code>${orderNo}</code>`,
      release: (orderNo) => html`已退订您的代理 IP：订单 <code>${orderNo}</code>`,
    },
  },
  returned: (username, sum) => html`💰 <b>${sum} 已退回您的余额</b>（来自已删除的下级用户 ${username}）`,
  moneyDeclined: (agent, sum) =>
    html`✖️ <b>${agent === null ? '商家' : `代理商 ${agent} `}未同意您申请的 ${sum}</b>`,
  moneyWanted: (username, missing) =>
    html`🙋 <b>${username} 请您充值余额</b>\n余额不足，还差 <b>${missing}</b>。`,
  payout: {
    paid: (sum) => html`💸 <b>您的提现 ${sum} 已打款</b>`,
    refused: (sum) => html`⚠️ <b>您的提现 ${sum} 未通过</b>\n该金额已退回可用收益。`,
    number: (payoutNo) => html`提现单 <code>${payoutNo}</code>`,
    sent: (usdt, address, txid) =>
      html`<b>${usdt} USDT</b> 至 <code>${address}</code>\n交易：<code>${txid}</code>`,
    reason: (reason) => html`原因：${reason}`,
  },
  top_up_paid: html`✅ <b>充值已到账</b>`,
  top_up_late: html`✅ <b>逾期付款已到账</b>`,
  assigned: html`该付款由客服人工匹配到此充值单。`,
  received: (usdt, credited) => html`收到：<b>${usdt} USDT</b> · 入账：<b>${credited}</b>`,
  balance: (balance) => html`当前余额：<b>${balance}</b>`,
  top_up_expired: html`⌛ <b>充值单已过期</b>\n请不要再向该充值单付款。如果您已按准确金额付款，到账后仍会自动入账。`,
  topUpNo: (orderNo) => html`充值单 <code>${orderNo}</code>`,
  digest: {
    title: {
      order_ready: '下级用户的订单已开通',
      order_partial: '下级用户的订单部分开通',
      order_failed: '下级用户的订单开通失败',
      renewal_done: '下级用户的代理 IP 已续费',
      renewal_failed: '下级用户的代理 IP 续费失败',
      credentials_changed: '下级用户的代理 IP 已更换密码',
      expiring_72h: '下级用户的代理 IP 将在 3 天后到期',
      expiring_24h: '下级用户的代理 IP 将在 24 小时内到期',
      expired: '下级用户的代理 IP 已过期',
      proxy_dead: '下级用户的代理 IP 已失效',
      replacement_ended: '下级用户的代理 IP 更换结果',
      traffic_80: '下级用户的流量已使用 80%',
      traffic_100: '下级用户的流量已用尽',
      balance_adjusted: '商家调整了下级用户的余额',
      low_balance: '下级用户的余额即将不足',
      sub_user_joined: '新用户通过注册链接加入',
      top_up_paid: '下级用户充值已到账',
      top_up_late: '下级用户的逾期付款已到账',
      top_up_expired: '下级用户的充值单已过期',
    },
    heading: (title, count) => html`👥 <b>${title}</b>${count > 1 ? `（${count}）` : ''}`,
    line: (username, detail) => html`• <b>${username}</b>：${detail}`,
    more: (count) => html`……另有 ${count} 条`,
    topUp: (orderNo) => `充值单 ${orderNo}`,
    proxies: (count, orderNo) => `${count} 个代理 IP，订单 ${orderNo}`,
    partly: (delivered, ordered, orderNo) => `${delivered} / ${ordered} 个代理 IP，订单 ${orderNo}`,
    proxy: (address, orderNo) => `${address}，订单 ${orderNo}`,
    refunded: (refund, orderNo) => `已退款 ${refund}，订单 ${orderNo}`,
    shortBy: (missing) => `还差 ${missing}`,
    adjusted: (change, balance) => `${change}，余额 ${balance}`,
    joined: (trial, missing) =>
      missing
        ? `已注册，因您的余额不足未获得体验金 ${missing}`
        : trial
          ? `已注册，体验金 ${trial}`
          : '已注册',
    traffic: (product, used, total) => `${product}，${used} / ${total}`,
    needs: (balance, needed) => `余额 ${balance}，续费需 ${needed}`,
  },
}
