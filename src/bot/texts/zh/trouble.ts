import { html } from '../../kit/html.ts'
import type { trouble as en } from '../en/trouble.ts'

export const trouble: typeof en = {
  crashed: (reference) => html`系统出了点问题，请重试。\n\n参考编号：<code>${reference}</code>`,
  tookTooLong: html`处理时间过长，操作可能仍会完成。请先查看<b>我的代理</b>和余额，再决定是否重试。`,
  slowDown: '操作过于频繁，这一步没有执行。请等十秒后再试。',
  dialogueLost: '机器人刚刚完成了更新，这一步没有执行，请重新开始。',
  groups: {
    privateOnly: (chatId) =>
      html`我只在私聊中提供服务，请私聊我。\n\n<i>运营者请注意：本群的 ID 是 <code>${chatId}</code>。</i>`,
    write: '私聊我',
  },
}
