import type { z } from 'zod'
import type { BotContext } from './context.ts'

/**
 * A value in the chat's draft: what was chosen so far and does not fit into buttons.
 *
 * @param name under which it is kept; unique
 */
export function draft<Schema extends z.ZodType>(name: string, schema: Schema) {
  return {
    /** Undefined when there is none, or only one that another version of the bot wrote. */
    async read({ core, session }: BotContext): Promise<z.output<Schema> | undefined> {
      const values = await core.chats.readDraft(session.chatId)
      return schema.safeParse(values[name]).data
    },
    /** @param resume callback data: where it goes on when the balance suffices */
    write({ core, session }: BotContext, value: z.output<Schema>, resume?: string): Promise<void> {
      return core.chats.changeDraft(session.chatId, { [name]: value, ...(resume && { resume }) })
    },
  }
}
