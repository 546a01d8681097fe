import { expect, test } from 'vitest'
import { type Language, LANGUAGES } from '../../src/core/languages.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { buyStatic } from '../support/bought.ts'
import { asText, type Picture, writeGallery } from '../support/gallery-page.ts'
import { actorFor, startProductInTime } from '../support/notices.ts'
import { AGENT, ANN, BEN, CUSTOMER } from '../support/product.ts'

const OPERATOR = { id: 503, firstName: 'Olivia', languageCode: 'en' }
const VISITOR = { id: 504, firstName: 'Vic', languageCode: 'en' }
const NEWCOMER = { id: 505, firstName: 'Wes', languageCode: 'en' }

/**
 * What is sent or pressed, by whom, and what the picture is called; a screen begins with a command or callback data. `TOKEN` is that of a
 * registration link.
 */
const WALKS: readonly (readonly [who: typeof ANN, screens: readonly string[]])[] = [
  [VISITOR, ['/start', 'guide', 'guidea:curl', 'guidew', 'help', 'lang']],
  [
    ANN,
    [
      '/menu',
      'buy',
      'orders',
      'px',
      'rn',
      'oproxy:1:0',
      'guidea:browser:1:0',
      'guidea:antidetect:1:0',
      'guidea:python:1:0',
      'guidea:iphone:1:0',
      'guidea:android:1:0',
      'dyn',
      'topup',
      'rec',
      'set',
      'setf',
      'prg',
      'prk',
      'acc',
      'dev',
      'devo',
      'logout',
    ],
  ],
  [BEN, ['/menu', 'users', 'dash', '/earnings', 'oa']],
  [
    NEWCOMER,
    ['/start join_TOKEN', 'prices:TOKEN', 'joinn:TOKEN', '/start join_TOKEN', 'joinu!:TOKEN', 'set', 'pwd'],
  ],
  [OPERATOR, ['/operator', '/products', '/agents', '/stock', '/payments']],
]

/** Differs from run to run: numbers of orders and the like, and what the machine measures. */
const RANDOM = /\b(?:[A-Z]{1,4}-?)?\d{6,}[\dA-Z]{4,}\b/g

/**
 * `npm run gallery` writes `screenshots/gallery.html`; with `-- --update`, the texts that this test compares, too. All other screens
 * are in `every-screen.html`, by every-button.test.ts.
 */
test('the screens are as they were looked at', async () => {
  const { product } = await startProductInTime(undefined, { operatorChats: [OPERATOR.id] })
  const { core, telegram } = product
  await core.operator.addProduct(SHELL, {
    productNo: 'FLOW',
    names: { en: 'Dynamic residential', zh: '动态住宅代理', ru: 'Динамические резидентские' },
    price: 3,
    proxyType: 104,
    pool: 'dynamic_1',
    gateway: 'gw.example.com:8000',
  })
  await buyStatic(product, CUSTOMER, [2])
  await product.memberPhone(ANN, CUSTOMER)
  await product.memberPhone({ ...BEN, languageCode: 'en' }, AGENT)
  const { start } = await core.accounts.createJoinLink(await actorFor(product, AGENT), { trial: 5 })
  const token = start.replace('join_', '')
  for (const user of [OPERATOR, VISITOR, NEWCOMER]) {
    const phone = product.phone(user)
    phone.send('/start')
    await phone.waitFor(/./)
  }

  const liveScreen = async (chatId: number): Promise<EmulatedMessage | undefined> => {
    const { screenMessage } = await core.chats.session(chatId, 'en')
    return telegram.messages(chatId).find(({ messageId }) => messageId === screenMessage)
  }
  const screenAfter = async (chatId: number, screenName: string): Promise<EmulatedMessage> => {
    const what = screenName.replace('TOKEN', token)
    if (what.startsWith('/')) telegram.send(chatId, what)
    // The updates of a chat are handled in order: when a press is answered, the command was handled, too.
    const { messageId } = (await liveScreen(chatId)) ?? { messageId: 0 }
    await telegram.pressStale(chatId, messageId, what.startsWith('/') ? 'noop' : what)
    const screen = await liveScreen(chatId)
    if (!screen) throw new Error(`${what} shows nothing`)
    return { ...screen, text: screen.text.replaceAll(RANDOM, '№') }
  }
  const pictures: Picture[] = []
  for (const [{ id, firstName }, screens] of WALKS)
    for (const what of screens) {
      const screens = {} as Record<Language, EmulatedMessage>
      for (const language of LANGUAGES) {
        await core.chats.setLanguage(id, language)
        screens[language] = await screenAfter(id, what)
      }
      pictures.push({ name: `${firstName}: ${what}`, screens })
    }

  await writeGallery('gallery', pictures)
  for (const language of LANGUAGES)
    await expect(asText(pictures, language)).toMatchFileSnapshot(`./gallery/${language}.txt`)
})
