import { badRequest } from '../api-error.ts'
import { countCharacters } from '../characters.ts'
import type { CommandScope } from '../command-menu.ts'
import { imageSize } from '../image-size.ts'
import type { TelegramState } from '../state.ts'
import type { BotCommandEntry, BotTexts } from '../types.ts'
import type { Call, Method } from './method.ts'

interface InLanguage {
  readonly language_code?: string
}

interface CommandsInput extends InLanguage {
  readonly scope?: CommandScope
}

interface MenuButtonInput {
  readonly chat_id?: number
  readonly menu_button?: unknown
}

/** `InputProfilePhoto` after the table check. */
interface PictureInput {
  readonly type: 'static' | 'animated'
  readonly photo?: string
  readonly animation?: string
}

/** What the bot tells about itself: profile, command menus, menu button. */
export function profileMethods({ about, bot, change, log, menu, menuButtons }: TelegramState) {
  /** Refuses a scope for a chat that does not exist. */
  function checkScope(scope: CommandScope | undefined): void {
    if (scope?.chat_id !== undefined) log.resolve(scope.chat_id)
  }

  /** Carries out a change of the command lists and tells every phone whose menu looks different afterwards. */
  function changeCommands(change: () => unknown): true {
    const seen = () => log.chats().map(({ user }) => menu.visibleTo(user.id, user.languageCode))
    const before = seen()
    change()
    const after = seen()
    log.chats().forEach(({ user }, index) => {
      const commands = after[index] ?? []
      if (commands !== before[index]) log.emit({ type: 'commands', chatId: user.id, commands })
    })
    return true
  }

  /** Sets a text of a language; an empty one removes it. */
  function setText(
    field: keyof BotTexts,
    { language_code = '' }: InLanguage,
    text: string,
    limit: [number, string],
  ): true {
    if (countCharacters(text) > limit[0]) throw badRequest(limit[1])
    const { texts } = about()
    const { [language_code]: _, ...others } = texts[field]
    change({ texts: { ...texts, [field]: text === '' ? others : { ...others, [language_code]: text } } })
    return true
  }

  const getText = (field: keyof BotTexts, { language_code = '' }: InLanguage) =>
    about().texts[field][language_code] ?? about().texts[field]['']

  /** Reads a new picture: a JPG, or a video in the MPEG4 format, that comes with the call (Bot API, InputProfilePhoto). */
  function readPicture({ type, photo, animation }: PictureInput, { uploads }: Call) {
    const value = (type === 'static' ? photo : animation) ?? ''
    const content = uploads.get(value.replace('attach://', ''))?.content
    // Telegram: "Profile photos can't be reused and can only be uploaded as a new file".
    if (!value.startsWith('attach://') || !content) throw badRequest('there is no photo in the request')
    const isRight =
      type === 'static'
        ? imageSize(content)?.type === 'image/jpeg'
        : content.toString('latin1', 4, 8) === 'ftyp'
    if (!isRight) throw badRequest('IMAGE_PROCESS_FAILED')
    const mimeType = type === 'static' ? 'image/jpeg' : 'video/mp4'
    return { mimeType, content: content.toString('base64') }
  }

  return {
    getMe: () => ({
      ...bot(),
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
      can_manage_bots: about().canManageBots,
      supports_join_request_queries: false,
    }),
    setMyCommands({
      scope,
      language_code,
      commands,
    }: CommandsInput & { readonly commands: readonly BotCommandEntry[] }) {
      checkScope(scope)
      return changeCommands(() => menu.set(scope, language_code, commands))
    },
    deleteMyCommands({ scope, language_code }: CommandsInput) {
      checkScope(scope)
      return changeCommands(() => menu.delete(scope, language_code))
    },
    getMyCommands({ scope, language_code }: CommandsInput) {
      checkScope(scope)
      return menu.get(scope, language_code)
    },
    setMyName(input: InLanguage & { readonly name?: string }) {
      if (!input.name && !input.language_code) throw badRequest('BOT_TITLE_INVALID')
      return setText('name', input, input.name ?? '', [64, 'BOT_TITLE_INVALID'])
    },
    getMyName: (input: InLanguage) => ({ name: getText('name', input) ?? bot().first_name }),
    setMyDescription: (input: InLanguage & { readonly description?: string }) =>
      setText('description', input, input.description ?? '', [512, 'BOT_DESC_INVALID']),
    getMyDescription: (input: InLanguage) => ({ description: getText('description', input) ?? '' }),
    setMyShortDescription: (input: InLanguage & { readonly short_description?: string }) =>
      setText('shortDescription', input, input.short_description ?? '', [120, 'BOT_SHARETEXT_INVALID']),
    getMyShortDescription: (input: InLanguage) => ({
      short_description: getText('shortDescription', input) ?? '',
    }),
    setMyProfilePhoto({ photo }: { readonly photo: PictureInput }, call: Call) {
      change({ picture: readPicture(photo, call) })
      return true
    },
    removeMyProfilePhoto() {
      change({ picture: undefined })
      return true
    },
    setChatMenuButton({ chat_id, menu_button = { type: 'default' } }: MenuButtonInput) {
      menuButtons.set(chat_id === undefined ? 0 : log.resolve(chat_id).user.id, menu_button)
      return true
    },
    getChatMenuButton({ chat_id }: MenuButtonInput) {
      const own = chat_id === undefined ? undefined : menuButtons.get(log.resolve(chat_id).user.id)
      return own ?? menuButtons.get(0) ?? { type: 'commands' }
    },
  } satisfies Record<string, Method>
}
