import { html, lines } from '../../kit/html.ts'
import type { traffic as en } from './texts.en.ts'

export const traffic: typeof en = {
  title: html`📶 <b>动态流量</b>`,
  nothing: html`📶 <b>动态流量</b>\n\n目前没有在售的动态产品，请稍后再来。`,
  name: (name) => html`<b>${name}</b>`,
  bar: (bar) => html`已用或已分配 ${bar}`,
  left: (remaining, total) => html`剩余：<b>${remaining}</b> / ${total}`,
  used: (used) => html`已用：${used}`,
  allocated: (allocated) => html`已分配给子账户：${allocated}`,
  notBought: html`尚未购买`,
  price: (price) => html`单价：${price} / GB`,
  notSold: html`该产品已下架，已购流量仍可继续使用。`,
  exhausted: html`流量已用完：请再次购买，或从子账户收回流量。`,
  start: html`您还没有该产品的流量，购买后即可使用。`,
  productButton: (name, left) => `${name} · ${left}`,
  buttons: {
    buy: '🛒 购买流量',
    extract: '🔌 提取代理',
    orders: '🧾 流量订单',
    subAccounts: '🔑 子账户',
    open: '📶 查看产品',
    again: '🔁 再次购买',
  },
  buy: {
    title: html`<b>购买流量</b>`,
    product: html`请选择产品：`,
    amount: html`请选择流量：`,
    tiers: (tiers) =>
      lines(html`<i>批量优惠：</i>`, ...tiers.map(({ from, price }) => html`${from} GB 起：${price} / GB`)),
    amountButton: (gigabytes, total) => `${gigabytes} GB · ${total}`,
    otherAmount: '✏️ 其他数量',
    typeAmount: (most) =>
      html`需要多少 GB？请发送不超过 ${most} 的数字，最多三位小数，例如 <code>2.5</code>。`,
    notAnAmount: (answer, most) =>
      `“${answer}”不是有效的流量：请输入大于 0 且不超过 ${most} 的数字，例如 2.5，最多三位小数。`,
    traffic: (gigabytes) => html`流量：<b>${gigabytes} GB</b>`,
    nextTier: (more, price) => html`💡 再多买 ${more} GB，单价即可降至 ${price} / GB。`,
    takeTier: (gigabytes, total) => `💡 改为 ${gigabytes} GB · ${total}`,
    openUser: (username) => `👤 ${username}`,
    done: (gigabytes) => html`✅ <b>已购买 ${gigabytes}</b>`,
  },
  orders: {
    title: (total) => html`🧾 <b>流量订单</b>\n\n订单数：${total}`,
    empty: html`🧾 <b>流量订单</b>\n\n暂无订单。`,
    button: (icon, gigabytes, product, date) => `${icon} ${gigabytes} · ${product} · ${date}`,
    bar: (bar) => html`已用 ${bar}`,
    number: (orderNo) => html`订单 <code>${orderNo}</code>`,
    date: (date) => html`购买时间：${date}`,
    status: {
      processing: '⏳ 处理中',
      active: '✅ 可用',
      exhausted: '⌛ 已用完',
      cancelled: '🚫 已取消',
      failed: '❌ 失败',
    },
  },
}
