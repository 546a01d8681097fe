import { html } from '../html.ts'
import type * as en from '../en/own-bots.ts'

export const ownBots: typeof en.ownBots = {
  button: '🤖 我的机器人',
  suggestedName: (agent) => `${agent} 代理`,
  title: html`🤖 <b>我的机器人</b>`,
  about: html`您自己的机器人以您的名义销售：客户只看到您的价格、头像和客服，看不到其他内容。任何人启动它后都会成为您的下级用户。`,
  howToMake: html`按下按钮，Telegram 会创建机器人，几秒钟后即可使用。已有机器人？请发送它的 token。`,
  howToPaste: html`请先用 @BotFather 创建机器人，然后把 token 发到这里。`,
  full: (most) => html`您最多可以有 ${most} 个机器人。`,
  buttons: {
    make: '➕ 创建机器人',
    paste: '🔑 已有 token',
    open: '▶️ 打开机器人',
    name: '✏️ 名称',
    picture: '🖼 头像',
    welcome: '👋 欢迎语',
    support: '💬 客服',
    languages: '🌐 语言',
    pause: '⏸ 暂停',
    resume: '▶️ 恢复',
    remove: '🗑 移除',
    confirm: '✅ 在机器人中确认',
    takeOver: '✅ 接管',
    none: '🗑 删除这段文字',
  },
  states: {
    pending: '等待您打开',
    active: '运行中',
    paused: '已暂停',
    halted: '已被平台停用，请联系客服。',
    suspended: '已停止：它在 Telegram 上换了主人。如果没有问题，请按“恢复”。',
    unauthorized: '已停止：Telegram 不接受它的 token。请在 @BotFather 生成新的 token 并发送。',
    conflict: '已停止：另一个程序正在接收它的消息。请关闭该程序，然后按“恢复”。',
    removed: '已移除',
  },
  byOperator: html`这是平台的操作，请联系客服。`,
  welcome: (text) => (text === '' ? html`👋 没有欢迎语` : html`👋 ${text}`),
  support: (address) => (address === '' ? html`💬 客服：工单` : html`💬 客服：${address}`),
  languages: (names) => html`🌐 ${names}`,
  ask: {
    name: (now) => html`当前名称是 <b>${now}</b>。请发送新名称，最多 64 个字符。`,
    welcome: (now) =>
      now === ''
        ? html`请发送新客户首先看到的文字，最多 500 个字符。`
        : html`当前欢迎语：\n<i>${now}</i>\n\n请发送新的欢迎语，最多 500 个字符。`,
    support: (now) =>
      now === ''
        ? html`客户在哪里获得帮助？请发送 @name 这样的用户名或网址。不设置时，客户会提交工单。`
        : html`当前客服：${now}。请发送新的用户名或网址。`,
  },
  askPicture: html`请以照片形式发送头像。`,
  askLanguages: html`🌐 客户可以选择哪些语言？`,
  askRemove: (username) =>
    html`要移除 @${username} 吗？它将不再回复。客户的账户会保留，并可继续使用平台的机器人。`,
  askToken: html`请发送 @BotFather 给您的 token。您的消息会立即被删除。`,
  otherProgram: (host) =>
    html`⚠️ 目前由 <b>${host}</b> 上的程序接收该机器人的消息。接管后，那个程序将收不到任何消息。`,
  notAToken: '这不是 token，应类似 123456789:AAE…',
  unknownToken: 'Telegram 不认识这个 token。',
  notAnAddress: '请发送 @name 这样的用户名，或以 https:// 开头的网址',
  notAPicture: '请以照片形式发送 JPG 图片，不要作为文件发送。',
  pictureSet: html`✅ 头像已设置。`,
  openIt: (username) => html`还差一步：用下面的按钮打开 @${username} 并按“开始”，以确认机器人属于您。`,
  opened: (name) => `${name} 现在可以使用了。任何人启动它后都会成为您的下级用户。`,
  enter: (name) => html`<b>${name}</b> 是您的卖家的机器人。打开后会直接登录，账户和余额不变。`,
  all: {
    button: '🤖 代理的机器人',
    title: (count) => html`🤖 <b>代理的机器人</b>：${count}`,
    none: html`🤖 <b>代理的机器人</b>\n\n还没有代理拥有机器人。代理可在主菜单的<i>“我的机器人”</i>中创建。`,
    counted: (sign, state, count) => html`${sign} ${state}：<b>${count}</b>`,
    row: (sign, name, agent) => `${sign} ${name} · ${agent}`,
    open: '🤖 查看机器人',
    agent: (agent) => html`代理：<b>${agent}</b>`,
    openAgent: '🤝 查看代理',
    ids: (id, owner) =>
      html`Telegram ID：<code>${String(id)}</code>\n机器人主人的 Telegram ID：<code>${String(owner)}</code>`,
    managed: html`由平台的机器人创建，平台可重新读取 token`,
    pasted: html`token 由机器人的主人发送`,
    since: (time) => html`自 ${time} 起`,
    created: (time) => html`添加时间：${time}`,
    agentOut: html`⚠️ 该代理已停用：重新启用代理之前，机器人不会运行。`,
    askRemove: (username, agent) =>
      html`🗑 <b>要移除 @${username}（代理 ${agent}）吗？</b>\n\n它将不再回复，代理会收到通知。客户的账户会保留，并可继续使用平台的机器人。如果不想让代理再次接入它，请改为暂停。`,
    gone: '这个机器人已不存在。',
    states: {
      pending: '等待主人打开',
      active: '运行中',
      paused: '已由代理暂停',
      halted: '已由平台暂停，只有您可以恢复',
      suspended: '已停止：它在 Telegram 上换了主人，已请代理确认。',
      unauthorized: '已停止：Telegram 不接受它的 token，需要代理发送新的 token。',
      conflict: '已停止：另一个程序正在接收它的消息，需要代理关闭该程序。',
      removed: '已移除',
    },
    short: {
      pending: '尚未打开',
      active: '运行中',
      paused: '代理已暂停',
      halted: '平台已暂停',
      suspended: '已换主人',
      unauthorized: 'token 被拒绝',
      conflict: '被其他程序占用',
      removed: '已移除',
    },
  },
}
