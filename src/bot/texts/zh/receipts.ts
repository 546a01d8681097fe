import { html } from '../html.ts'
import type * as en from '../en/receipts.ts'

export const receipts: typeof en.receipts = {
  button: '🧾 收据',
  title: '收据',
  coming: '正在生成收据，请稍候。',
  notPaid: '款项到账后即可查看收据。',
  caption: (number) => html`🧾 收据 <code>${number}</code>`,
  rows: {
    order: '订单号',
    topUp: '充值单号',
    date: '日期',
    customer: '客户',
    product: '产品',
    place: '地区',
    proxies: 'IP 数量',
    term: '时长',
    traffic: '流量',
    price: '价格',
    discount: (code) => (code === '' ? '优惠' : `优惠（${code}）`),
    renewals: '续费',
    refunded: '已退款',
    total: '实付金额',
    network: '网络',
    received: '收到',
    rate: '汇率',
    wallet: '收款地址',
    transaction: '交易哈希',
    credited: '到账金额',
  },
}
