import type { Api } from 'grammy'
import type { Message, MessageEntity } from 'grammy/types'
import { type Content, mostCharacters } from '../../core/notices/content.ts'
import type { Texts } from '../texts/index.ts'
import { keyboard, type Screen } from './screen.ts'

/** What a person has written, for others: the text with its formatting, perhaps with a picture; a problem for anything else. */
export function contentOf(
  texts: Texts,
  message: Message | undefined,
): Content | { readonly problem: string } {
  const { textOrPicture, tooLong } = texts.input
  const { text, entities, photo, caption, caption_entities } = message ?? {}
  // Sizes of a picture are sorted: the last one is the largest.
  const picture = photo?.at(-1)
  if (!picture && text === undefined) return { problem: textOrPicture }
  const content = {
    text: (picture ? caption : text) ?? '',
    entities: ((picture ? caption_entities : entities) ?? []).map((entity) => ({ ...entity })),
    photo: picture?.file_id ?? null,
  }
  const most = mostCharacters(content)
  return content.text.length > most ? { problem: tooLong(most) } : content
}

/**
 * Sends content as it was written: Telegram gets back the formatting that it gave, and parses nothing.
 *
 * @param sendPhoto for a picture that another bot has got
 */
export async function sendContent(
  api: Api,
  chatId: number,
  { text, entities: given, photo }: Content,
  buttons: Screen['buttons'] = [],
  sendPhoto: SendPhoto = (id, options) => api.sendPhoto(chatId, id, options).then(() => true),
): Promise<void> {
  const markup = { reply_markup: { inline_keyboard: keyboard(buttons) } }
  // They were an array of such entities when Telegram gave them.
  const entities = given as unknown as MessageEntity[]
  if (photo !== null && (await sendPhoto(photo, { caption: text, caption_entities: entities, ...markup })))
    return
  await api.sendMessage(chatId, text, { entities, ...markup })
}

/** Sends a picture by its id; resolves with false when it cannot be had any more. */
type SendPhoto = (id: string, options: object) => Promise<boolean>

/** Returns the beginning of content, for a screen that only has to name it. */
export function excerpt({ text, photo }: Pick<Content, 'text' | 'photo'>, most: number): string {
  const characters = Array.from(text)
  const cut = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
  return [...(photo === null ? [] : ['🖼']), ...(cut === '' ? [] : [cut])].join(' ')
}
