import {
  type ConversationBuilder,
  type ConversationData,
  conversations,
  createConversation,
  type VersionedStateStorage,
} from '@grammyjs/conversations'
import { Composer, type Context, type MiddlewareFn, type NextFunction } from 'grammy'
import type { Core } from '../../core/core.ts'
import type { BotContext } from '../session/context.ts'
import { DIALOGUE_VERSION } from '../session/dialogue-version.ts'
import { answerInTopic } from '../session/in-topic.ts'
import { isCommand } from '../session/is-command.ts'
import { showHome } from '../session/show-home.ts'
import { remove } from '../session/show.ts'
import { when } from '../session/when.ts'
import { isAnswerButton } from './prompt.ts'
import { type DialogueState, dialogueVault } from './vault.ts'

/**
 * Loads the chat's unfinished dialogue and stores it afterwards, encrypted. Commands, and buttons that lead elsewhere, leave it.
 *
 * @param secret from which the key is derived
 * @param led names of the conversations that belong to a screen, and end when another screen is shown
 */
export function dialogues(core: Core, secret: string, led: ReadonlySet<string>): Composer<BotContext> {
  const composer = new Composer<BotContext>()
  const vault = dialogueVault(secret)
  /** Updates whose stored conversation cannot be opened, or is of another version. */
  const lost = new WeakSet<BotContext['update']>()
  /** Conversations as they were stored. */
  const asRead = new WeakMap<BotContext['update'], string>()
  const stepOf = ({ chatId = 0, update }: BotContext) => ({ chatId, updateId: update.update_id })

  const adapter: VersionedStateStorage<BotContext, ConversationData> = {
    read: ({ session: { chatId, dialogue }, update }) => {
      if (dialogue === null) return undefined
      const state = vault.open(dialogue, chatId)
      if (state && isCurrent(state)) {
        asRead.set(update, JSON.stringify(state.state))
        return state
      }
      lost.add(update)
      return undefined
    },
    write: async (ctx, state) => {
      // A press may be handled twice, a message may not: writing also records the id of its update.
      if (!ctx.message && asRead.get(ctx.update) === JSON.stringify(state.state)) return
      await core.chats.writeDialogue(stepOf(ctx), vault.seal(state, ctx.session.chatId))
    },
    delete: (ctx) => core.chats.deleteDialogue(stepOf(ctx)),
  }

  composer.use(
    conversations({
      storage: { type: 'context', version: DIALOGUE_VERSION, adapter },
      plugins: [answerInTopic],
    }),
  )
  composer.use(async (ctx, next) => {
    if (!lost.has(ctx.update)) return next()
    await core.chats.deleteDialogue(stepOf(ctx))
    if (!isAnswer(ctx)) return next()
    // It may be a password.
    if (ctx.message) await remove(ctx.api, ctx.message.chat.id, ctx.message.message_id)
    return showHome(ctx, ctx.texts.trouble.dialogueLost)
  })
  composer.use(when((ctx) => !isAnswer(ctx), leave(led)))
  return composer
}

/**
 * Runs the conversations that are active in the chat. The library can enter a conversation only after its middleware has seen the
 * update. For the others that happens when they are entered: there are dozens, of which a chat has one.
 *
 * @param builders of all conversations, by their names, in the order in which they take their turns
 */
export function activeConversations(
  builders: ReadonlyMap<string, ConversationBuilder<BotContext, Context>>,
): MiddlewareFn<BotContext> {
  const all = new Map([...builders].map(([name, builder]) => [name, createConversation(builder, name)]))
  return async (ctx, next) => {
    const active = ctx.conversation.active()
    const seen = new Set(Object.keys(active))
    const enter = ctx.conversation.enter.bind(ctx.conversation)
    ctx.conversation.enter = async (name, ...args) => {
      if (!seen.has(name)) await all.get(name)?.(ctx, async () => {})
      seen.add(name)
      return enter(name, ...args)
    }
    const turns = [...all].flatMap(([name, conversation]) => (name in active ? [conversation] : []))
    await (turns.length === 0 ? next() : new Composer(...turns).middleware()(ctx, next))
  }
}

function isCurrent({ version }: DialogueState): boolean {
  return version[1] === DIALOGUE_VERSION
}

/** Whether an update may answer a question: anything but the bot's commands and the buttons that lead elsewhere. */
function isAnswer({ message, callbackQuery }: BotContext): boolean {
  return message ? !isCommand(message.text) : isAnswerButton(callbackQuery?.data)
}

function leave(led: ReadonlySet<string>) {
  return async (ctx: BotContext, next: NextFunction): Promise<void> => {
    for (const name of Object.keys(ctx.conversation.active()))
      if (!led.has(name)) await ctx.conversation.exit(name)
    await next()
  }
}
