import { InputFile } from 'grammy'
import { ServiceError } from '../../../core/errors.ts'
import { botIdIn, supportAddress } from '../../../core/identifiers.ts'
import { OWN_BOTS } from '../../actions/own-bots.ts'
import { type Outcome, type Question } from '../../dialogue/ask.ts'
import { downloadFile, fileOf } from '../../dialogue/download.ts'
import { refusalText } from '../../kit/errors.ts'
import { startLink } from '../../kit/invite-link.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { BotContext } from '../../session/context.ts'
import { viewOf } from '../../session/view-of.ts'
import type { Actor } from '../../../core/access/actor.ts'
import { isTelegramError } from '../../transport/telegram-error.ts'
import { openOwnBotScreen, ownBotScreen } from './screens.ts'

interface OfBot {
  readonly botId: number
}

/** The choice that takes a bot over from another program. */
const TAKE_OVER = 'take'
/** The choice that leaves a text out. */
const NONE = 'none'

/** The token of a bot that there is; its message is deleted like every answer. */
export const botToken: Question<{ readonly token?: string; readonly host?: string }> = {
  name: 'own_bot.token',
  prompt: ({ texts }, _actor, { host }) => {
    const cancel = OWN_BOTS.home.data()
    if (host === undefined) return promptScreen(texts, texts.ownBots.askToken, cancel)
    const screen = promptScreen(texts, texts.ownBots.otherProgram(host), cancel)
    return {
      ...screen,
      buttons: [[{ text: texts.ownBots.buttons.takeOver, answer: TAKE_OVER }], ...screen.buttons],
    }
  },
  answer: (ctx, actor, _state, text) => take(ctx, actor, text),
  choose: (ctx, actor, { token = '' }) => take(ctx, actor, token, true),
}

/** @param sure another program that receives the bot's updates may lose them */
async function take(ctx: BotContext, actor: Actor, token: string, sure = false): Promise<Outcome> {
  const { core, texts, agentBots, from } = ctx
  if (botIdIn(token) === undefined) return { problem: texts.ownBots.notAToken }
  const found = await agentBots.inspect(token)
  if (!found || found.botId === ctx.me.id) return { problem: texts.ownBots.unknownToken }
  const { webhookHost: host, ...bot } = found
  if (host !== undefined && !sure) return { question: botToken.name, state: { token, host } }
  try {
    const start = await core.bots.add(actor, { ...bot, token, ownerId: from?.id ?? 0, managed: false })
    return { screen: openOwnBotScreen(viewOf(ctx), bot.username, startLink(bot.username, start ?? '')) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { problem: refusalText(texts, error, core.currency) }
  }
}

/** A text of the bot. */
function textOf(field: 'name' | 'welcome' | 'support'): Question<OfBot> {
  const change = async (ctx: BotContext, actor: Actor, botId: number, text: string): Promise<Outcome> => {
    const bot = await ctx.core.bots.edit(actor, botId, { [field]: text })
    return { screen: ownBotScreen(viewOf(ctx), bot) }
  }
  return {
    name: `own_bot.${field}`,
    prompt: async ({ texts, core }, actor, { botId }) => {
      const { [field]: now } = await core.bots.ownBot(actor, botId)
      const screen = promptScreen(texts, texts.ownBots.ask[field](now), OWN_BOTS.view.data({ id: botId }))
      if (field === 'name' || now === '') return screen
      return { ...screen, buttons: [[{ text: texts.ownBots.buttons.none, answer: NONE }], ...screen.buttons] }
    },
    answer: (ctx, actor, { botId }, text) => {
      const value = field === 'support' ? supportAddress(text) : text
      return value === undefined
        ? { problem: ctx.texts.ownBots.notAnAddress }
        : change(ctx, actor, botId, value)
    },
    choose: (ctx, actor, { botId }) => change(ctx, actor, botId, ''),
  }
}

export const botName = textOf('name')
export const botWelcome = textOf('welcome')
export const botSupport = textOf('support')

/** The picture that Telegram shows of the bot. */
export const botPicture: Question<OfBot> = {
  name: 'own_bot.picture',
  takesMedia: true,
  prompt: ({ texts }, _actor, { botId }) =>
    promptScreen(texts, texts.ownBots.askPicture, OWN_BOTS.view.data({ id: botId })),
  answer: async (ctx, actor, { botId }, _text, sent): Promise<Outcome> => {
    const { texts, core, agentBots, api } = ctx
    const bot = await core.bots.ownBot(actor, botId)
    const its = agentBots.apiOfBot(botId)
    if (!its) return { problem: texts.ownBots.states[bot.state] }
    if (sent?.kind !== 'photo') return { problem: texts.ownBots.notAPicture }
    const file = await fileOf(api, { file_id: sent.id })
    const content = 'problem' in file ? file : await downloadFile(ctx, file.file)
    if ('problem' in content) return { problem: texts.input.files[content.problem] }
    try {
      const photo = { type: 'static', photo: new InputFile(content.content, 'picture.jpg') } as const
      await its.setMyProfilePhoto(photo)
    } catch (error) {
      if (!isTelegramError(error)) throw error
      return { problem: texts.ownBots.notAPicture }
    }
    return { screen: ownBotScreen(viewOf(ctx), bot, texts.ownBots.pictureSet) }
  },
}

export const ownBotQuestions = [botToken, botName, botWelcome, botSupport, botPicture]
