import { badRequest } from './api-error.ts'
import { checkUrl } from './urls.ts'

/** A formatted piece of text; offset and length in UTF-16 units, which are also the units of JavaScript strings. */
export interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
  readonly language?: string
  readonly user?: { readonly id: number }
  readonly custom_emoji_id?: string
  readonly unix_time?: number
  readonly date_time_format?: string
}

/** Text without markup, and its formatting. */
export interface FormattedText {
  readonly text: string
  readonly entities: readonly Entity[]
}

/** Formatting that can contain other formatting; inside all other kinds Telegram looks for nothing. */
const NESTABLE = new Set(
  'bold italic underline strikethrough spoiler blockquote expandable_blockquote'.split(' '),
)
/** Formatting that a bot may send. */
const STYLES = new Set([...NESTABLE, ...'code pre text_link text_mention custom_emoji date_time'.split(' ')])
/** What Telegram finds by itself in the text. */
const FOUND_BY_TELEGRAM = new Set(
  'mention hashtag cashtag bot_command url email phone_number bank_card_number'.split(' '),
)

/**
 * Checks entities that a bot sent along with plain text; kinds that Telegram finds by itself are left out, as Telegram does.
 *
 * @throws ApiError with Telegram's text for an unknown type, a missing field, a bad address or a wrong range
 */
export function checkEntities(text: string, entities: readonly Entity[]): Entity[] {
  for (const entity of entities) checkFields(entity)
  const own = entities
    .filter((entity) => STYLES.has(entity.type))
    .map((entity) =>
      entity.type === 'text_link' ? { ...entity, url: checkEntityUrl(entity.url ?? '') } : entity,
    )
  for (const { offset, length } of own) {
    if (offset < 0 || offset > 1_000_000)
      throw badRequest(`receive an entity with incorrect offset ${offset}`)
    if (length < 0 || length > 1_000_000)
      throw badRequest(`receive an entity with incorrect length ${length}`)
    if (offset > text.length) {
      throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`)
    }
    if (offset + length > text.length) {
      throw badRequest(
        `entity beginning at UTF-16 offset ${offset} ends after the end of the text at UTF-16 offset ${offset + length}`,
      )
    }
  }
  return own.filter(({ length }) => length > 0)
}

function checkFields(entity: Entity): void {
  const fail = (reason: string) => badRequest(`can't parse MessageEntity: ${reason}`)
  if (!STYLES.has(entity.type) && !FOUND_BY_TELEGRAM.has(entity.type))
    throw fail('Unsupported type specified')
  const needed = {
    text_link: 'url',
    text_mention: 'user',
    custom_emoji: 'custom_emoji_id',
    date_time: 'unix_time',
  } as const
  const field = needed[entity.type as keyof typeof needed]
  if (field !== undefined && entity[field] === undefined) throw fail(`Can't find field "${field}"`)
  if (entity.custom_emoji_id !== undefined && !/^\d+$/.test(entity.custom_emoji_id)) {
    throw fail('Field "custom_emoji_id" must be a valid Number')
  }
}

function checkEntityUrl(url: string): string {
  try {
    return checkUrl(url)
  } catch (error) {
    throw badRequest(`entity URL '${url}' is invalid: ${(error as Error).message}`)
  }
}

/** Sorts entities as Telegram reports them: by position, the longer one first. */
export function sortEntities(entities: readonly Entity[]): Entity[] {
  return entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)
}

/**
 * Removes white space around the text as Telegram does: all of it at the end, and at the beginning spaces and line
 * breaks up to the first formatted piece. Entities are moved and cut to fit.
 */
export function trimText({ text, entities }: FormattedText): FormattedText {
  const leading = Math.min(/^[ \n]*/.exec(text)?.[0].length ?? 0, ...entities.map(({ offset }) => offset))
  const trimmed = text.trimEnd().slice(leading)
  const moved = entities.map((entity) => ({ ...entity, offset: entity.offset - leading }))
  return {
    text: trimmed,
    entities: sortEntities(
      moved
        .map((entity) => ({ ...entity, length: Math.min(entity.length, trimmed.length - entity.offset) }))
        .filter(({ length }) => length > 0),
    ),
  }
}

/** What Telegram finds in any text by itself. The order decides which one wins where two would overlap. */
const FINDERS: readonly { type: string; pattern: RegExp }[] = [
  { type: 'url', pattern: /(?<![\w@])https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'»]/giu },
  { type: 'email', pattern: /(?<![\w.+-])[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?!\w)/giu },
  { type: 'bot_command', pattern: /(?<![\w/<>])\/\w{1,64}(?:@\w{3,32})?(?![\w/<>])/gu },
  { type: 'mention', pattern: /(?<![\w@])@[a-z]\w{2,31}(?!\w)/giu },
  { type: 'hashtag', pattern: /(?<![\p{L}\d_#])#(?=[\d_]*\p{L})[\p{L}\d_]{1,256}/gu },
]

/** Adds the commands, addresses, mentions, e-mail addresses and hashtags that Telegram finds in the text by itself. */
export function withFoundEntities({ text, entities }: FormattedText): FormattedText {
  const all = [...entities]
  for (const { type, pattern } of FINDERS) {
    for (const match of text.matchAll(pattern)) {
      const found = { type, offset: match.index, length: match[0].length }
      if (!all.some((entity) => !NESTABLE.has(entity.type) && overlap(entity, found))) all.push(found)
    }
  }
  return { text, entities: sortEntities(all) }
}

function overlap(a: Entity, b: Entity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length
}
