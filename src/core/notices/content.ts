import { z } from 'zod'
import { InvalidInput } from '../errors.ts'
import type { Audience, BroadcastStatus } from '../../generated/prisma/client.ts'
import type { Language } from '../languages.ts'

/**
 * Maximum number of characters (UTF-16 units, as Telegram counts them) of a text, and of one below a picture: with the name of an agent
 * above it, both fit into a message (Bot API: 4096 and 1024).
 */
export const MAX_TEXT = 4000
export const MAX_CAPTION = 950

/** A part of a text with a format, as Telegram gives it and takes it again; some kinds have more fields, such as an address. */
const Entity = z.looseObject({
  type: z.string().max(64),
  offset: z.int().nonnegative(),
  length: z.int().positive(),
})
export type Entity = z.output<typeof Entity>

/** Schema of a message to many chats. */
export const Content = z.object({
  text: z.string().max(MAX_TEXT),
  entities: z.array(Entity).max(1000),
  /** File id of a picture at Telegram; null: none. */
  photo: z.string().min(1).max(256).nullable(),
})

/** A message as it was written: its formatting is never parsed again. */
export type Content = z.output<typeof Content>

/** Returns the maximum number of characters of the text. */
export function mostCharacters({ photo }: Pick<Content, 'photo'>): number {
  return photo === null ? MAX_TEXT : MAX_CAPTION
}

/** @throws validation_error for an empty message, and for a text that is too long */
export function checkContent(content: Content): void {
  if (content.text.trim() === '' && content.photo === null) throw InvalidInput.of('text', 'required')
  const maximum = mostCharacters(content)
  if (content.text.length > maximum)
    throw new InvalidInput([
      { code: 'too_big', origin: 'string', maximum, path: ['text'], message: 'too long', input: undefined },
    ])
}

/** Returns the message below another line, which is bold; the formatting moves down with the text. */
export function below(line: string, { text, entities, photo }: Content): Content {
  const head = text === '' ? line : `${line}\n\n`
  return {
    text: head + text,
    entities: [
      { type: 'bold', offset: 0, length: line.length },
      ...entities.map((entity) => ({ ...entity, offset: entity.offset + head.length })),
    ],
    photo,
  }
}

/** The chats to which a broadcast goes (rules 10.17). */
export interface Target {
  readonly audience: Audience
  /** The agent whose sub-users get it; null for audiences that are not of one agent. */
  readonly agentId: number | null
  /** Accounts of the audience `picked`; null for others. */
  readonly userIds: readonly number[] | null
  /** Chats in this language only; null: in any. */
  readonly language: Language | null
}

/** A message to many chats, and its progress. */
export interface Broadcast extends Target, Content {
  readonly id: number
  /** The agent that wrote it; null: the shop. */
  readonly senderId: number | null
  /** Username of the agent whose sub-users get it. */
  readonly agent: string | null
  readonly status: BroadcastStatus
  readonly startAt: string | null
  /** When the first chat was told; null before. */
  readonly begunAt: string | null
  /** Numbers of chats: reached, with the bot blocked, and not told yet (or never, when it was cancelled). */
  readonly sent: number
  readonly blocked: number
  readonly left: number
}
