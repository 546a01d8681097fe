import { html, lines } from '../../kit/html.ts'
import type { subAccounts as en } from './sub-account-texts.en.ts'

export const subAccounts: typeof en = {
  title: (product, total, left) =>
    lines(
      html`🔑 <b>子账户</b>`,
      '',
      html`产品：<b>${product}</b>`,
      html`主账户剩余：<b>${left}</b>`,
      html`子账户数：<b>${total}</b>`,
    ),
  empty: html`子账户拥有独立的登录信息和部分流量，可分配给程序、同事或客户使用。`,
  button: (icon, name, left) => `${icon} ${name} · ${left}`,
  icons: { active: '🟢', disabled: '⏸' },
  status: { active: '🟢 启用中', disabled: '⏸ 已停用' },
  buttons: {
    create: '➕ 新建子账户',
    anyName: '🎲 随机名称',
    give: '➕ 分配流量',
    take: '➖ 收回流量',
    disable: '⏸ 停用',
    enable: '▶️ 启用',
    password: '🔁 重置密码',
    remove: '🗑 删除',
    removeNow: (name) => `🗑 删除 ${name}`,
    setPassword: '🔁 确认重置',
    amount: (gigabytes) => `${gigabytes} GB`,
    all: (left) => `全部：${left}`,
    other: '✏️ 其他数量',
    confirm: '✅ 确认',
    open: '🔑 查看子账户',
    copy: '📋 复制整行',
  },
  name: (name) => html`登录名：<code>${name}</code>`,
  gateway: (host, port) => html`网关：<code>${host}:${port}</code>`,
  bar: (bar) => html`已用 ${bar}`,
  left: (left, limit) => html`剩余：<b>${left}</b> / ${limit}`,
  remark: (remark) => html`备注：${remark}`,
  created: (date) => html`创建时间：${date}`,
  askName: (amount) =>
    lines(
      html`➕ <b>新建子账户</b>`,
      '',
      html`流量：<b>${amount}</b>`,
      html`请发送登录名（3 到 32 个字母、数字或下划线），或点击按钮随机生成。`,
    ),
  badName: (answer) =>
    `“${answer}”不可用：须为 3 到 32 个字母、数字或下划线，且不能与系统生成的名称形式相同。`,
  askFirstTraffic: (left) =>
    lines(
      html`➕ <b>新建子账户</b>`,
      '',
      html`初始分配多少 GB？主账户剩余 <b>${left}</b>。请点击按钮，或发送数字，例如 <code>0.5</code>。`,
    ),
  askAmount: {
    give: (name, left) => html`➕ 给 <b>${name}</b> 分配多少 GB？\n\n主账户剩余：<b>${left}</b>`,
    take: (name, left) => html`➖ 从 <b>${name}</b> 收回多少 GB？\n\n可收回：<b>${left}</b>`,
  },
  typeAmount: {
    give: (name) => html`➕ 给 <b>${name}</b> 分配多少 GB？请发送数字，例如 <code>0.5</code>。`,
    take: (name) => html`➖ 从 <b>${name}</b> 收回多少 GB？请发送数字，例如 <code>0.5</code>。`,
  },
  notAnAmount: (answer, most) => `“${answer}”不是有效的流量：请输入不超过 ${most} 的数字，最多三位小数。`,
  move: {
    give: (name, amount) => html`➕ 给 <b>${name}</b> 分配 <b>${amount}</b>？`,
    take: (name, amount) => html`➖ 从 <b>${name}</b> 收回 <b>${amount}</b>？`,
    main: (before, after) => html`主账户：${before} → <b>${after}</b>`,
    sub: (before, after) => html`子账户：${before} → <b>${after}</b>`,
    tooMuch: (left) => html`⚠️ 只有 <b>${left}</b> 可用。`,
    done: '✅ 操作成功。',
  },
  secret: {
    created: html`✅ <b>子账户已创建</b>`,
    changed: html`✅ <b>密码已重置</b>\n\n旧密码已失效。`,
    line: html`请立即复制：密码只显示这一次。`,
  },
  askPassword: (name) =>
    html`🔁 <b>要重置 ${name} 的密码吗？</b>\n\n当前密码会立即失效，所有使用者都需要更换。`,
  askDelete: (name, left) =>
    html`🗑 <b>要删除 ${name} 吗？</b>\n\n其登录信息会立即永久失效，剩余的 <b>${left}</b> 将退回主账户。`,
  deleted: (name, returned) => `${name} 已删除，${returned} 已退回主账户。`,
}
