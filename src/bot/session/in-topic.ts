import type { Context, NextFunction } from 'grammy'
import { refusalOf } from '../transport/telegram-error.ts'

/** Methods that put something into a topic. */
const SENDS = /^(?:send|copy|forward)/

/**
 * What answers a message or a press of a topic goes into this topic, in forums and in private chats with topics; into the general one
 * where the topic takes nothing any more (rules 18.11). Inside and outside of dialogues.
 */
export async function answerInTopic(ctx: Context, next: NextFunction): Promise<void> {
  const { chatId, msg } = ctx
  const threadId = msg?.is_topic_message ? msg.message_thread_id : undefined
  if (threadId !== undefined)
    ctx.api.config.use(async (call, method, payload, signal) => {
      const isAnswer = SENDS.test(method) && 'chat_id' in payload && payload.chat_id === chatId
      if (!isAnswer) return call(method, payload, signal)
      const answer = await call(method, { ...payload, message_thread_id: threadId }, signal)
      if (answer.ok || refusalOf(answer) !== 'topic') return answer
      const { message_thread_id: _, ...general } = payload as typeof payload & { message_thread_id?: number }
      return call(method, general as typeof payload, signal)
    })
  await next()
}
