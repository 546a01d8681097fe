import type { JobKind } from '../../../core/jobs/job-kinds.ts'
import { html, type Html } from '../../kit/html.ts'
import type * as en from './texts.en.ts'

const minutesOld = (minutes: number) => (minutes < 1 ? '' : `，最久已等 ${minutes} 分钟`)

export const machine: typeof en.machine = {
  buttons: {
    health: '🩺 运行状况',
    books: '📚 账目',
    checkBooks: '📚 核对账目',
    jobs: (count) => `⚠️ 失败的任务 (${count})`,
    again: '🔁 重试',
    drop: '🗑 放弃',
    dropNow: '🗑 永久放弃',
  },
  jobs: {
    title: (count) => html`⚠️ <b>持续失败的任务</b>：${count}\n\n系统会自动重试，间隔逐渐加长。`,
    none: html`<b>持续失败的任务</b>\n\n没有。`,
    button: (kind, subject) => `${subject} · ${kind}`,
    job: (kind, id) => html`⚠️ <b>${kind}</b>（任务 ${id}）`,
    about: (what) => html`关于：<code>${what}</code>`,
    customer: (username) => html`客户：<b>${username}</b>`,
    error: (reason) => html`最近的错误：${reason}`,
    since: (time) => html`开始于 ${time}`,
    attempts: (attempts, failures) => html`尝试次数：<b>${attempts}</b>，连续失败：<b>${failures}</b>`,
    next: (time) => html`下次尝试：${time}`,
    underWay: html`正在执行。`,
    kept: html`不能放弃：关系到客户的资金或代理 IP。原因消除后会自动完成。`,
    askDrop: html`<b>要放弃这个任务吗？</b>`,
    retried: html`🔁 正在重试。完成后将不再出现在列表中。`,
    dropped: html`🗑 已放弃。`,
    gone: '这个任务已完成或已被放弃。',
    kinds: {
      complete_static_order: '订单未交付',
      complete_replacement: '更换未完成',
      auto_renew_static_order: '自动续费',
      complete_renewal: '续费未完成',
      complete_reset: '更换密码',
      send_activation_mail: '激活邮件',
      deliver_notice: '消息未发出',
      deliver_digest: '消息未发出',
      send_broadcast: '群发未完成',
      refresh_screens: '界面未更新',
      back_up: '备份',
    },
    dropping: {
      send_activation_mail: html`邮件不再发送：用户无法自行激活账号。`,
      deliver_notice: html`这条消息不再发给任何人。相关的订单、付款或账号不受影响。`,
      deliver_digest: html`代理不再收到这些关于子账号的消息。相关内容不受影响。`,
      send_broadcast: html`群发停止：还没收到的人不会再收到。`,
      refresh_screens: html`界面保持旧状态，直到有人重新打开。`,
      back_up: html`这次备份不做了，下一次按计划进行。`,
    } as Readonly<Partial<Record<JobKind, Html>>>,
  },
  failing: (count) => html`🔴 <b>${count} 个后台任务持续失败</b>`,
  health: {
    title: html`🩺 <b>运行状况</b>`,
    well: html`🩺 <b>运行状况：一切正常</b>`,
    line: (icon, part, text) => html`${icon} <b>${part}</b>：${text}`,
    currency: (currency) => html`所有金额的货币：<b>${currency}</b>`,
    parts: {
      database: '数据库',
      bot: '机器人',
      jobs: '任务',
      messages: '消息',
      books: '账目',
      chain: '区块链',
      backups: '备份',
      gateway: '网关',
      suppliers: '供应商',
      disk: '磁盘',
    },
    states: { ok: `正常`, degraded: `部分受限`, down: `不工作` },
    jobs: (failing, waiting, oldest) =>
      `${failing > 0 ? `${failing} 个持续失败，` : ''}${waiting} 个等待${minutesOld(oldest)}`,
    messages: (waiting, oldest) => `${waiting} 条等待${minutesOld(oldest)}`,
    books: (frozen, checkedAt) =>
      `${frozen > 0 ? `${frozen} 个账号被冻结，` : ''}${checkedAt === undefined ? '尚未核对' : `核对于 ${checkedAt}`}`,
    chain: (checkedAt) => (checkedAt === undefined ? `尚未读取` : `读取于 ${checkedAt}`),
    backups: (goodAt, regular) =>
      `${goodAt === undefined ? '还没有完好的备份' : `最近完好的备份：${goodAt}`}${regular ? '' : '，仅手动备份'}`,
    gateway: (working, healthy, exits) =>
      `${working ? '运行中' : '未运行'}，${exits} 个出口中 ${healthy} 个可用`,
    suppliers: (all, troubled) => (troubled === '' ? `${all} 个，全部正常` : `有问题：${troubled}`),
    disk: (free, percent) => `剩余 ${free}（${percent} %）`,
  },
  books: {
    title: html`📚 <b>账目</b>`,
    about: (currency, checkedAt) =>
      html`所有金额的货币为 <b>${currency}</b>。\n${checkedAt === undefined ? '启动后尚未核对余额。' : `余额最近核对于 ${checkedAt}。`}\n\n核对会读取所有订单、付款和账目；数据多时需要一些时间。`,
    working: html`⏳ 正在核对账目…`,
    balance: html`✅ <b>账目平衡。</b>每个余额都等于其流水之和，每笔流水都有来源。`,
    differences: (count) => html`🔴 <b>账目不平</b>：${count} 处差异`,
    difference: (subject, detail, rule) => html`• <code>${subject}</code>：${detail}（${rule}）`,
    walletBalances: html`✅ 链上钱包与账目一致。`,
    walletNotYet: html`钱包未作比较：还没有合适的空闲时刻。`,
    walletUnread: (reason) => html`钱包未作比较：${reason}`,
    warning: (text) => html`⚠️ ${text}`,
  },
}
