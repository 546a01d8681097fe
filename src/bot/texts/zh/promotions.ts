import { html } from '../html.ts'
import type * as en from '../en/promotions.ts'

export const promo: typeof en.promo = {
  title: (total) => html`🎟 <b>优惠码</b>：${total}`,
  about: {
    agent: html`您的下级用户在购买时输入优惠码。优惠从您在该订单中的收益里扣除；您也可允许从余额中支付不足的部分。`,
    shop: html`任何买家都可在购买时输入优惠码。您的优惠码由本店承担，百分比按本店所得计算，代理商的加价不打折；代理商的优惠码由代理商承担。`,
  },
  button: (icon, code, discount) => `${icon} ${code} · ${discount}`,
  icons: { open: '🟢', used_up: '⚪', expired: '⌛', stopped: '⛔' },
  states: { open: '有效', used_up: '已用完', expired: '已过期', stopped: '已停用' },
  buttons: {
    codes: '🎟 优惠码',
    short: '🎟 优惠码',
    create: '➕ 新建优惠码',
    copy: '📋 复制宣传文字',
    stop: '⛔ 停用该优惠码',
    done: '✅ 立即生成',
  },
  name: (code, state) => html`🎟 <code>${code}</code> · ${state}`,
  discount: (discount) => html`每次购买优惠：<b>${discount}</b>`,
  products: (products) => (products === undefined ? html`适用于所有产品` : html`适用产品：${products}`),
  uses: (uses, most) => html`已使用：<b>${uses}</b>${most === null ? '' : html` / ${most}`}`,
  perUser: (most) => html`每位客户最多 ${most} 次`,
  until: (until) => (until === undefined ? html`长期有效` : html`有效期至 ${until}`),
  given: (given, agent) =>
    agent === undefined ? html`已优惠：${given}` : html`已优惠（由 ${agent} 承担）：${given}`,
  ofBalance: (used, most) => html`余额已支付：<b>${used}</b> / ${most}`,
  effects: {
    title: html`按当前价格：`,
    line: (product, before, after, percent) =>
      html`• ${product}：${before} → <b>${after}</b>（−${percent}%）`,
    nothing: (product, price) => html`• ${product}：${price}，无优惠`,
    nothingEarned: html`⚠️ 目前没有优惠：您在这些产品上没有收益。请在“我的定价”中设置加价，或改由余额支付。`,
    nothingSold: html`⚠️ 没有优惠：适用的产品目前都没有可优惠的价格。`,
    atMostEarned: html`<i>优惠不超过您在该订单中的收益；提高加价，优惠才会更多。</i>`,
    covered: (most) => html`<i>收益不足的部分由余额支付，目前最多还可支付 ${most}。</i>`,
    others: html`<i>单独定价的下级用户按其自己的价格优惠。</i>`,
  },
  share: {
    text: (code, off) => `优惠码 ${code}：${off}，购买时输入即可。`,
    off: (discount, products) =>
      products === undefined ? `优惠 ${discount}` : `${products} 优惠 ${discount}`,
    offShops: (discount, products) =>
      products === undefined ? `按商家价格优惠 ${discount}` : `${products} 按商家价格优惠 ${discount}`,
    upTo: (discount) => `最高 ${discount}`,
    whileItLasts: (off) => `${off}，额度用完即止`,
    someProducts: '部分产品',
  },
  askStop: html`要停用该优惠码吗？停用后无法再使用，已购买的订单不受影响。`,
  made: html`✅ <b>优惠码已生成。</b>`,
  newTitle: html`🎟 <b>新建优惠码</b>`,
  ask: {
    discount: html`每次购买优惠多少？请发送百分比（如 <code>15%</code>）或金额（如 <code>2.50</code>）。`,
    balanceLimit: html`收益不足的部分可由<b>您的余额</b>支付。该优惠码总共最多可用多少余额？请点选，或发送金额。`,
    code: html`使用哪个<b>优惠码</b>？请发送，例如 <code>SPRING-10</code>，也可自动生成。`,
    maxUses: html`<b>总共</b>可使用多少次？`,
    maxUsesPerUser: html`<b>每位客户</b>可使用多少次？`,
    days: html`有效<b>多少天</b>？也可发送截止时间，如 <code>2026-12-31 23:59</code>；如为其他时区，请加上与 UTC 的时差：<code>2026-12-31 23:59 +8</code>。`,
    products: html`适用于哪些<b>产品</b>？请点选一个，或发送多个产品编号，用逗号分隔。`,
  },
  taken: (code) => `优惠码 ${code} 已存在，请换一个。`,
  none: {
    balanceLimit: '🚫 不用余额',
    code: '🎲 自动生成',
    maxUses: '不限',
    maxUsesPerUser: '不限',
    days: '长期有效',
    products: '✅ 适用于所有产品',
  },
  problems: {
    discount: '请发送 1% 至 100% 的整数百分比，或金额，例如 2.50。',
    balanceLimit: '请发送金额，例如 50。',
    code: '优惠码由 3–32 个字母、数字、_ 或 - 组成，例如 SPRING-10。',
    days: '请输入不超过 3650 的天数，或将来的时间，例如 2026-12-31 23:59。',
    products: '没有该产品。请发送产品编号，用逗号分隔。',
  },
}
