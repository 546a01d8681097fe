import { html } from '../../kit/html.ts'

/** When something is not as it should be, on our side or the person's. */
export const trouble = {
  crashed: (reference: string) =>
    html`Something went wrong on our side. Please try again.\n\nReference: <code>${reference}</code>`,
  tookTooLong: html`This takes longer than it should. It may still be done: please look at <b>My proxies</b> and your balance before you try again.`,
  slowDown: 'That was too much at once, so this was not done. Please wait ten seconds and try again.',
  dialogueLost: 'The bot was updated in the meantime. Nothing was done; please start again.',
  groups: {
    privateOnly: (chatId: number) =>
      html`I work in private chats only. Please write to me there.\n\n<i>For the operator: the id of this group is <code>${chatId}</code>.</i>`,
    write: 'Write to me privately',
  },
}
