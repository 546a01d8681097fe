import { InvalidInput } from '../../../core/errors.ts'
import { PEOPLE } from '../../actions/people.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { showPeople } from './handlers.ts'
import { inviteScreen } from './screens.ts'

/** The links that nobody has opened yet. */
export function personInvitesFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(PEOPLE.invite, async (ctx, { id }) => {
    const invite = (await ctx.core.operator.people.invites()).find((known) => known.id === id)
    if (invite) return ctx.show(inviteScreen(ctx.texts, invite))
    await ctx.notify(ctx.texts.people.invite.gone, true)
    return showPeople(ctx)
  })
  feature.on(PEOPLE.revokeInvite, async (ctx, { id = 0 }) => {
    try {
      const { name } = await ctx.core.operator.people.uninvite(by(ctx), id)
      await ctx.notify(ctx.texts.people.invite.revoked(name))
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      await ctx.notify(ctx.texts.people.invite.gone, true)
    }
    return showPeople(ctx)
  })
  return feature
}
