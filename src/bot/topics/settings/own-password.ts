import { ServiceError } from '../../../core/errors.ts'
import { SETTINGS } from '../../actions/settings.ts'
import { ask, nextQuestion, type Question } from '../../dialogue/ask.ts'
import { messageScreen, promptScreen } from '../../kit/simple-screens.ts'
import { Feature } from '../../session/feature.ts'

/** Changing one's own password, or setting the first one. */
export function ownPasswordFeature(): Feature {
  const feature = new Feature()
  feature.onMember(SETTINGS.password, async (ctx, actor) => {
    await ask(ctx, (await ctx.core.accounts.hasPassword(actor)) ? oldPassword : initialPassword, {})
    return undefined
  })
  return feature
}

const initialPassword: Question<object> = {
  name: 'password.first',
  prompt: ({ texts }) => promptScreen(texts, texts.password.askFirst, SETTINGS.home.data()),
  answer: async (ctx, actor, _state, text) => {
    await ctx.core.accounts.setFirstPassword(actor, ctx.session.chatId, text)
    return { screen: messageScreen(ctx.texts, ctx.texts.password.done) }
  },
}

const oldPassword: Question<object> = {
  name: 'password.old',
  prompt: ({ texts }) => promptScreen(texts, texts.password.askOld, SETTINGS.home.data()),
  answer: async (ctx, actor, _state, text) => {
    const isRight = await ctx.core.accounts.provePassword(actor, text).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ServiceError && error.code === 'invalid_credentials') return false
        throw error
      },
    )
    return isRight ? nextQuestion(ownPassword, { old: text }) : { problem: ctx.texts.password.wrong }
  },
}

const ownPassword: Question<{ readonly old: string }> = {
  name: 'password.new',
  prompt: ({ texts }) => promptScreen(texts, texts.password.askNew, SETTINGS.home.data()),
  answer: async (ctx, actor, { old }, text) => {
    const change = { oldPassword: old, newPassword: text }
    await ctx.core.accounts.changePassword(actor, ctx.session.chatId, change)
    return { screen: messageScreen(ctx.texts, ctx.texts.password.done) }
  },
}

export const passwordQuestions = [initialPassword, oldPassword, ownPassword]
