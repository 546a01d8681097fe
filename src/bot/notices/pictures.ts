import { type Api, InputFile } from 'grammy'
import type { Content } from '../../core/notices/content.ts'
import { downloadFile, fileOf } from '../dialogue/download.ts'
import { sendContent } from '../kit/content.ts'
import type { Screen } from '../kit/screen.ts'
import type { BotContext } from '../session/context.ts'

/** Pictures that are remembered, the latest ones. */
const REMEMBERED = 1_000

/** Sends pictures that the shop's bot has got by the bots of agents: to those, the file ids of another bot mean nothing (Bot API). */
export class Pictures {
  readonly #shop: Pick<BotContext, 'api' | 'files' | 'logger'>
  /** The file ids of pictures that a bot has sent, by its token and the id that the shop's bot has. */
  readonly #known = new Map<string, string>()

  constructor(shop: Pick<BotContext, 'api' | 'files' | 'logger'>) {
    this.#shop = shop
  }

  /**
   * @returns whether the picture could be read
   * @throws Telegram's refusal, or that it cannot be reached
   */
  async send(api: Api, chatId: number, content: Content, buttons: Screen['buttons']): Promise<boolean> {
    const name = `${api.token} ${content.photo}`
    const known = this.#known.get(name)
    const photo = known ?? (await this.#read(content.photo ?? ''))
    if (photo === undefined) return false
    const sent = await sendContent(api, chatId, { ...content, photo }, buttons)
    const own = sent.photo?.at(-1)?.file_id
    if (own !== undefined) this.#known.set(name, own)
    const [oldest] = this.#known.keys()
    if (this.#known.size > REMEMBERED && oldest !== undefined) this.#known.delete(oldest)
    return true
  }

  async #read(fileId: string): Promise<InputFile | undefined> {
    const file = await fileOf(this.#shop.api, { file_id: fileId })
    const read = 'problem' in file ? file : await downloadFile(this.#shop, file.file)
    return 'problem' in read ? undefined : new InputFile(read.content, 'picture.jpg')
  }
}
