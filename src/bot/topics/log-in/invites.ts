import type { InviteState } from '../../../core/accounts/invites.ts'
import { ACCESS } from '../../actions/log-in.ts'
import { ask, type Question } from '../../dialogue/ask.ts'
import { invitationIn } from '../../kit/invite-link.ts'
import { messageScreen, promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { remove } from '../../session/show.ts'
import type { Texts } from '../../texts/index.ts'
import { switchAccountScreen } from './screens.ts'

/** Logs in whoever opens an invitation link, and asks for a new password. */
export function invitesFeature(): Feature {
  const feature = new Feature()

  feature.command('start', async (ctx, next) => {
    const token = invitationIn(ctx.match)
    if (token === undefined) return next()
    // The token in the message gives access to an account.
    if (ctx.message) await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
    return open(ctx, token)
  })
  feature.on(ACCESS.switchAccount, (ctx, { token = '' }) => open(ctx, token, true))
  return feature
}

/** @param sure the person agrees to log in here to another account, too */
async function open(ctx: BotContext, token: string, sure = false): Promise<unknown> {
  const { actor, chatId } = ctx.session
  const invite = await ctx.core.accounts.inviteState(token)
  const isSame = 'accountId' in invite && invite.accountId === actor?.id
  if (invite.state === 'used' && isSame)
    return invite.settable && !ctx.brand ? ask(ctx, firstPassword, token) : showHome(ctx)
  if (invite.state === 'open' && actor && !isSame && !sure)
    return ctx.show(switchAccountScreen(ctx.texts, actor.username, invite.username, token))
  const invited = invite.state === 'open' ? await ctx.core.chats.openInvite(chatId, token) : undefined
  // Somebody else may have used it since its state was read.
  if (!invited) return showHome(ctx, refusalText(ctx.texts, invite.state === 'open' ? 'used' : invite.state))
  ctx.session = { ...ctx.session, actor: invited, ended: undefined }
  // What is typed in the bot of an agent can be read by whoever has its token.
  return ctx.brand ? showHome(ctx) : ask(ctx, firstPassword, token)
}

function refusalText({ invite, sessionEnded }: Texts, state: Exclude<InviteState['state'], 'open'>): string {
  switch (state) {
    case 'used':
      return invite.used
    case 'expired':
      return invite.expired
    case 'unknown':
      return invite.unknown
    default:
      return sessionEnded[state]
  }
}

/** The password that the invited person chooses; the state is the token of the invitation. */
export const firstPassword: Question<string> = {
  name: 'invite.password',
  prompt: ({ texts }, { username }) => promptScreen(texts, texts.invite.welcome(username)),
  answer: async (ctx, actor, token, password) => {
    await ctx.core.accounts.setInvitedPassword(actor, ctx.session.chatId, { token, password })
    return { screen: messageScreen(ctx.texts, ctx.texts.password.done) }
  },
}
