import { html } from '../html.ts'
import type * as en from '../en/buy.ts'

/** Buying static proxies, in Chinese. */
export const buy: typeof en.buy = {
  title: html`<b>购买静态代理</b>`,
  empty: html`<b>购买静态代理</b>\n\n目前没有库存，请稍后再来。`,
  gone: html`⚠️ 您之前选择的内容已不可用，请重新选择。`,
  placeGone: (place) => html`⚠️ ${place} 刚刚售罄，请选择其他地区。`,
  pricedProducts: (unit, names) =>
    html`<i>${names === '' ? '' : `${names}：`}单价按每个代理 IP 计（${unit}）。</i>`,
  pricedPlaces: (unit) => html`每个地区后依次为库存数量和单价（${unit}）。`,
  steps: {
    product: html`请选择产品：`,
    project: html`请选择业务场景：`,
    country: html`请选择国家或地区：`,
    city: html`请选择城市：`,
    term: html`请选择时长：`,
  },
  typeProject: html`用于哪个业务场景？请发送其名称或代码。`,
  projectTooLong: '业务场景最多 64 个字符。',
  available: (stock, unitPrice) => html`库存 ${stock}，单价 ${unitPrice}。`,
  orType: (addresses) => html`<i>也可直接发送：数量、国家或城市、时长${addresses ? '、IP 地址' : ''}。</i>`,
  notUnderstood: (text) => `无法识别“${text}”。请发送数量、时长，或有货的国家、城市，也可使用下方按钮。`,
  form: {
    term: (term) => `🗓 ${term}`,
    autoRenew: '🔁 自动续费',
    project: (project) => `📁 ${project}`,
    product: (product) => `🏷 ${product}`,
  },
  onlyLeft: (max, limit) =>
    max === 1
      ? '这里只剩 1 个。'
      : max < limit
        ? `这里只剩 ${max} 个，请输入 1 至 ${max} 的数量。`
        : `一次最多 ${limit} 个，请输入 1 至 ${limit} 的数量。`,
  soldElsewhere: (place) => html`当前产品没有 <b>${place}</b>，以下产品有售：`,
  chosen: {
    user: (username) => html`👤 为用户 <b>${username}</b> 购买`,
    product: (name) => html`产品：<b>${name}</b>`,
    project: (name) => html`业务场景：<b>${name}</b>`,
    place: (place) => html`地区：<b>${place}</b>`,
    term: (term) => html`时长：<b>${term}</b>`,
  },
  sharedWord: '共享',
  shared: (product) => `${product} · 共享`,
  atLeast: (price) => `${price} 起`,
  from: (price) => `${price} 起`,
  onePlace: (max) => html`同一订单的代理 IP 来自同一地区：最多 ${max} 个。`,
  anyCity: '🌍 不限城市',
  ranges: {
    button: '🧩 指定 IP 段',
    question: (picked, max) => html`请选择 IP 段。已选 <b>${picked}</b> 个，最多 ${max} 个。`,
    range: (range, free) => `${range} · ${free}`,
    picked: (range, count, free) => `${range} · ${count} / ${free}`,
    howMany: (range, free) => html`<code>${range}</code>：空闲 ${free} 个。需要多少个？`,
    all: (count) => `全部 ${count}`,
    none: '✖️ 不选此 IP 段',
    goOn: (count) => `继续（${count} 个）›`,
    noneFree: html`⚠️ 已没有空闲的 IP 段。`,
  },
  addresses: {
    button: '📌 指定 IP',
    browse: (ticked, free, max) =>
      html`需要哪些 IP？请勾选，或直接发送 IP 地址列表。您将得到这些 IP，不会替换成其他 IP。\n\n已选 <b>${ticked}</b> 个，最多 ${max} 个；此处空闲 ${free} 个。`,
    notHere: '该产品不支持指定 IP。',
    tooMany: (count, max) => `共 ${count} 个地址，一笔订单最多 ${max} 个。`,
    noAddress: (count, list) => `以下 ${count} 项不是 IP 地址：${list}。`,
    notFree: (count, list) => `以下 ${count} 个 IP 在该产品和地区不可用：${list}。`,
    gone: (list) => html`⚠️ 以下 IP 已不可用：${list}，请重新选择。`,
  },
  more: (count) => `……另有 ${count} 个`,
  count: (count) => html`数量：<b>${count}</b>`,
  listed: (address, count) =>
    count === undefined ? html`• <code>${address}</code>` : html`• <code>${address}</code> × ${count}`,
  price: (unitPrice, periods) => html`单价：${unitPrice}${periods > 1 ? ` × ${periods}` : ''}`,
  promo: {
    line: (code, discount) => html`🎟 <code>${code}</code>：−${discount}`,
    add: '🎟 优惠码',
    remove: '✖️ 不使用优惠码',
    question: html`请发送优惠码。`,
  },
  total: (total) => html`总价：<b>${total}</b>`,
  balance: (balance) => html`您的余额：${balance}`,
  balanceOf: (username, balance) => html`${username} 的余额：${balance}`,
  balanceAfter: (balance) => html`余额将变为：${balance}`,
  nextTier: (from, price) => html`💡 满 ${from} 个，单价 ${price}。`,
  refund: (hours) =>
    hours > 0
      ? html`↩️ ${hours} 小时内全部退订可全额退款；部分退订时，保留部分按保留数量对应的单价重新计价。`
      : html`↩️ 该产品不支持退款。`,
  autoRenew: (on, term) =>
    on ? html`🔁 自动续费：<b>已开启</b>，到期前一小时按当时价格续费 ${term}。` : html`🔁 自动续费：未开启`,
  autoRenewButton: (on) => (on ? '🔁 关闭自动续费' : '🔁 开启自动续费'),
  short: (missing) => html`⚠️ 余额不足，还差 <b>${missing}</b>。充值后可在此继续。`,
  shortAsk: {
    agent: (missing) => html`⚠️ 余额不足，还差 <b>${missing}</b>。请联系代理商充值，之后可在此继续。`,
    operator: (missing) => html`⚠️ 余额不足，还差 <b>${missing}</b>。请联系商家充值，之后可在此继续。`,
  },
  ask: { agent: '🙋 请代理商充值', operator: '🙋 请商家充值' },
  shortOf: (username, missing) => html`⚠️ ${username} 的余额不足，还差 <b>${missing}</b>。`,
  topUp: (missing) => `💳 充值 ${missing}`,
  giveBalance: (username) => `💰 给 ${username} 充值`,
  disabled: (username) => `${username} 已被禁用，无法购买。`,
  forUser: (username) => `🛒 为 ${username} 购买`,
}
