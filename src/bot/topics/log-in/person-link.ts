import { InvalidInput } from '../../../core/errors.ts'
import { personTokenIn } from '../../../core/people/person-invites.ts'
import { refusalText } from '../../kit/errors.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { showHome } from '../../session/show-home.ts'
import { remove } from '../../session/show.ts'
import { setupScreenFor } from '../machine/setup.ts'

/** Makes whoever opens an owner's link one of those who run the shop (rules 14.6). */
export function personLinkFeature(): Feature {
  const feature = new Feature()
  feature.command('start', async (ctx, next) => {
    const token = personTokenIn(ctx.match)
    if (token === undefined) return next()
    if (ctx.message) await remove(ctx.api, ctx.chat.id, ctx.message.message_id)
    return open(ctx, token)
  })
  return feature
}

async function open(ctx: BotContext, token: string): Promise<unknown> {
  const { core, from, operator, texts } = ctx
  if (!from) return undefined
  const { invite, roleNames } = texts.people
  // Somebody who runs the shop already does not use up the link.
  if (operator?.person) return showHome(ctx, invite.alreadyNamed(operator.person.name))
  const press = { chatId: from.id, telegramId: from.id }
  try {
    const { name, role } = await core.people.openInvite(press, token)
    ctx.operator = await core.people.operatorIn(press)
    const welcome = invite.opened(name, roleNames[role])
    // The first person is led to the settings of the new shop, if there are any to choose.
    const isFirst = (await core.operator.people.list()).length === 1
    if (!isFirst || (await core.operator.setup.list()).length === 0) return await showHome(ctx, welcome)
    return await ctx.show(await setupScreenFor(ctx, welcome))
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return showHome(ctx, refusalText(texts, error, core.currency))
  }
}
