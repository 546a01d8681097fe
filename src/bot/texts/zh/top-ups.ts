import { html, lines } from '../html.ts'
import type * as en from '../en/top-ups.ts'

export const topUps: typeof en.topUps = {
  title: html`<b>USDT 充值</b>`,
  off: html`<b>USDT 充值</b>\n\n本店暂不支持 USDT 充值，请联系为您开通账号的商家充值。`,
  choose: (network, rate, min, max) =>
    lines(
      html`网络：<b>${network}</b>`,
      html`1 USDT = ${rate}`,
      '',
      html`请选择或直接发送充值金额：${min} 至 ${max} USDT。`,
    ),
  requested: (agent, missing) =>
    lines(
      html`🙋 <b>已请${agent === undefined ? '商家' : `代理商 ${agent} `}为您充值 ${missing}</b>`,
      '',
      html`到账后，此处会自动显示继续按钮。`,
    ),
  askedInVain: (agent) =>
    html`✖️ <b>${agent === undefined ? '商家' : `代理商 ${agent} `}刚刚拒绝了您的请求</b>，请 15 分钟后再试。`,
  askYourself: (agent, missing) =>
    agent === undefined
      ? html`🙋 还差 <b>${missing}</b>。目前无法通知商家，请直接联系为您开通账号的人。`
      : html`🙋 还差 <b>${missing}</b>。目前无法通知代理商 <b>${agent}</b>，请您直接联系。`,
  arrived: html`💰 <b>余额已增加</b>`,
  enough: html`余额已足够，可以继续。`,
  stillShort: (missing) => html`⚠️ 还差 <b>${missing}</b>。`,
  missing: (amount) => html`还差 <b>${amount}</b>，第一个按钮的金额即可补足。`,
  notAnAmount: (text) => `“${text}”不是有效的 USDT 金额，请按 25 或 99.50 的格式输入，最多两位小数。`,
  outOfRange: (min, max) => `金额必须在 ${min} 至 ${max} USDT 之间。`,
  tooMany: (minutes) => `您已有多笔充值等待付款。请先付款或取消其中一笔，或等待 ${minutes} 分钟。`,
  noAmountLeft: '该金额附近暂无可用的付款金额，请换一个金额。',
  pay: ({ network, payAmount, address, credit }) =>
    lines(
      html`请<b>准确转账 <code>${payAmount}</code> USDT</b>`,
      html`网络：<b>${network.full}</b>`,
      html`地址：<code>${address}</code>`,
      '',
      html`⚠️ 仅支持 <b>${network.short}</b> 网络的 USDT，转入其他资产将无法找回。<b>到账金额</b>必须与上面完全一致；交易所扣除的手续费请另行加上。末尾小数用于识别您的付款。`,
      '',
      html`到账后余额增加 <b>${credit}</b>。`,
    ),
  validUntil: (time, minutes) => html`请在 ${time} 前付款（剩余 ${minutes} 分钟）。`,
  status: {
    pending: html`⏳ <b>等待付款</b>`,
    confirming: html`🔎 <b>已发现付款，正在确认</b>`,
    paid: html`✅ <b>已到账</b>`,
    expired: html`⌛ <b>已过期</b>`,
    cancelled: html`🚫 <b>已取消</b>`,
  },
  icon: { pending: '⏳', confirming: '🔎', paid: '✅', expired: '⌛', cancelled: '🚫' },
  confirmations: (count, required) => html`确认数 ${count} / ${required}，大约需要一分钟，无需任何操作。`,
  number: (orderNo) => html`充值单 <code>${orderNo}</code>`,
  asked: (payAmount) => html`金额：<b>${payAmount} USDT</b>`,
  received: (paid, credit) => html`实收：<b>${paid} USDT</b>，入账：<b>${credit}</b>`,
  paidAt: (time) => html`入账时间：${time}`,
  late: html`付款在充值单结束后到账，已照常入账。`,
  transaction: (txid) => html`交易哈希：<code>${txid}</code>`,
  balance: (balance) => html`当前余额：<b>${balance}</b>`,
  stillTaken: (time) =>
    html`如果您已经付款：只要金额准确且在 ${time} 前上链，系统会自动入账。否则请不要再付款。`,
  stale: html`暂时无法读取区块链。款项不会丢失，系统会持续重试。`,
  checked: '暂未收到付款。',
  offer: {
    arrived: ({ amount, from, time, asked }) =>
      lines(
        html`💸 <b>收到一笔 ${amount} USDT</b>，应付金额为 ${asked} USDT。`,
        html`来自：<code>${from}</code>`,
        html`时间：${time}`,
        html`<b>这是您的付款吗？</b>如果是，请点下方按钮认领。`,
      ),
    claimed: ({ amount, from, time, asked }) =>
      lines(
        html`🙋 <b>您已认领这笔 ${amount} USDT</b>，应付金额为 ${asked} USDT。`,
        html`来自：<code>${from}</code>`,
        html`时间：${time}`,
        html`商家正在核实，入账后会通知您。`,
      ),
    refused: html`✖️ 商家核实后认为，您认领的付款不属于此充值单。`,
    gone: '这笔付款已处理。',
  },
  payment: {
    undecided: html`💸 <b>这笔付款已到账</b>，但与您的充值单都不符。如果是您付的，请联系客服，商家仍可为您入账。`,
    settled: html`<b>这笔付款已处理</b>，不属于您的充值单。如有疑问，请联系客服。`,
    unconfirmed: html`🔎 <b>这笔付款正在确认中</b>，大约需要一分钟，请稍后再发送一次交易哈希。`,
    failed: ({ coin }) =>
      html`✖️ <b>这笔交易没有转出 USDT</b>：交易失败，或转的是 ${coin}。款项去向请查看您的钱包。`,
    other_token: ({ short }) =>
      html`✖️ <b>这笔交易转的不是 USDT（${short}）</b>，而是其他代币，无法入账，请联系客服。`,
    other_address: html`✖️ <b>这笔付款转到了其他地址</b>，不是我提供的收款地址，无法入账。`,
    too_old: html`<b>这笔付款时间过早</b>，当时本店尚未在此收取 USDT，请联系客服。`,
    unknown: ({ chain, full }) =>
      html`❓ <b>${chain} 网络上查不到这笔交易</b>。请确认哈希已完整复制，并且是通过 ${full} 付款。如果刚刚付款，请一分钟后再试。`,
    unread: html`暂时无法读取区块链。款项不会丢失，请一分钟后再试。`,
    too_often: html`刚才已为您查询多笔交易，请一分钟后再试。`,
  },
  cancel: (payAmount) =>
    html`确定取消 <b>${payAmount} USDT</b> 的充值吗？\n\n如果您已经转账，请不要取消，款项正在路上。`,
  inProgress: '已发现您的付款，正在确认，无法取消。',
  notOpen: '该充值单已结束。',
  history: (total) => html`<b>充值记录</b>：${total}`,
  empty: html`<b>充值记录</b>\n\n暂无记录。`,
  entry: (icon, payAmount, date) => `${icon} ${payAmount} USDT · ${date}`,
  buttons: {
    topUp: (amount) => `➕ 充值 ${amount} USDT`,
    amount: (amount) => `${amount} USDT`,
    history: '🧾 充值记录',
    explorer: '🔗 区块浏览器',
    copyAmount: '📋 金额',
    copyAddress: '📋 地址',
    check: '🔄 立即查询',
    claim: (amount) => `✅ 认领 ${amount} USDT`,
    open: '🧾 查看充值单',
    cancel: '取消充值',
    cancelNow: '确定取消',
    keep: '不取消',
    resume: '🛒 继续购买',
    again: '➕ 新建充值单',
  },
}
