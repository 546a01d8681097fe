import { describe, expect, it, vi } from 'vitest'
import { dialogueVault } from '../../src/bot/dialogue/vault.ts'
import type { Core } from '../../src/core/core.ts'
import type { TelegramEmulator } from '../../src/emulators/telegram/types.ts'
import { BOT_TOKEN, gate, MEMBER, startBot } from '../support/bot.ts'
import { ANN, BEN, logIn, startProduct } from '../support/product.ts'
import { JWT_SECRET } from '../support/service.ts'
import { HANG_MS, PATIENCE } from '../support/patience.ts'
import { onPostgres } from '../support/postgres.ts'

type RunningBot = Awaited<ReturnType<typeof startBot>>
type Phone = ReturnType<RunningBot['phone']>

const CID = { id: 503, firstName: 'Cid', languageCode: 'en' }

/** A service in which logging in at a chat does what the test says. */
const withLogIn = (logIn: Core['chats']['logIn']) => (core: Core) => ({
  ...core,
  chats: { ...core.chats, logIn },
})

/** Types the member's credentials; what becomes of them is the test's business. */
async function typeCredentials(phone: Phone): Promise<void> {
  phone.send('/login')
  await phone.waitFor('your username')
  phone.send(MEMBER.username)
  await phone.waitFor('your password')
  phone.send(MEMBER.password)
}

const callsOf = (telegram: TelegramEmulator, method: string) =>
  telegram.calls().filter((call) => call.method === method)
const refusals = (telegram: TelegramEmulator) => telegram.calls().flatMap(({ refused }) => refused ?? [])

describe('chats are independent', () => {
  it('nobody waits for a chat that hangs, and a kill loses nothing of it', async () => {
    const [hanging, end] = [gate(), gate()]
    const { telegram, phone } = await startBot({
      change: withLogIn(async () => {
        hanging.open()
        await end.opened
        throw new Error('it hung')
      }),
      patience: 10 * HANG_MS,
    })
    const [ann, ben, cid] = [phone(ANN), phone(BEN), phone(CID)]
    await typeCredentials(ann)
    await hanging.opened
    const offsets = () => callsOf(telegram, 'getUpdates').map(({ parameters }) => parameters['offset'])
    /** What is not confirmed yet: Telegram would deliver it again after a kill. */
    const unconfirmed = async () => {
      const { length } = offsets()
      await vi.waitUntil(() => offsets().length > length + 1, PATIENCE)
      return offsets().at(-1)
    }
    const oldest = await unconfirmed()
    ben.send('/help')
    await ben.waitFor('帮助')
    ben.send('/language')
    await ben.waitFor('语言')
    expect(await unconfirmed()).toBe(oldest)

    // Telegram shows the oldest hundred only.
    for (let number = 0; number < 120; number += 1) ben.send('/help')
    cid.send('/help')
    await cid.waitFor('Help')
    expect(ann.screen().text).toContain('your password')
    end.open()
    await ann.waitFor('Something went wrong')
  })

  it('a flood is cut off, told so once, and slows nobody else', async () => {
    const { telegram, phone, bugs } = await startBot({ chatLimit: 20 })
    const [ann, ben] = [phone(ANN), phone(BEN)]
    for (let number = 1; number <= 400; number += 1) ann.send(`flood ${number}`)
    ben.send('/help')
    await ben.waitFor('帮助')
    const { messageId } = await ann.waitFor('too fast')
    const toAnn = callsOf(telegram, 'sendMessage').filter(
      ({ parameters }) => parameters['chat_id'] === ANN.id,
    )
    expect(toAnn).toHaveLength(21)
    // A press that is turned away says so, and does nothing.
    const presses = [1, 2, 3].map(() => telegram.pressStale(ANN.id, messageId, 'home'))
    const turnedAway = { text: expect.stringContaining('was not done') as string, showAlert: false }
    expect(await Promise.all(presses)).toEqual([turnedAway, turnedAway, turnedAway])
    expect(ann.screen().text).toContain('too fast')

    const later = performance.now() + 11_000
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu').finally(() => clock.mockRestore())
    expect(bugs()).toEqual([])
  })
})

describe('a bug in a dialogue', () => {
  it('that throws costs the dialogue, and nothing else', async () => {
    const { phone, log } = await startBot({ change: withLogIn(() => Promise.reject(new Error('a bug'))) })
    const ann = phone(ANN)
    await typeCredentials(ann)
    const [, reference = '-'] = /Reference: (\w{8})/.exec(await ann.read('Something went wrong')) ?? []
    expect(log.filter((line) => line.includes(reference) && line.includes('a bug'))).toHaveLength(1)
    ann.send('hello')
    await ann.waitFor('use the buttons')
  })

  it('that hangs is given up, and what it does later brings it back to nobody', async () => {
    const late = gate()
    const { phone, core } = await startBot({
      change: withLogIn(async () => {
        await late.opened
        throw new Error('too late')
      }),
      patience: 3_000,
    })
    const ann = phone(ANN)
    await typeCredentials(ann)
    await ann.waitFor('longer than it should')
    ann.send('hello')
    await ann.waitFor('use the buttons')
    late.open()
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    expect(await core.chats.session(ANN.id, 'en')).toMatchObject({ dialogue: null })
  })
})

describe('an update of the bot in the middle of dialogues', () => {
  it('drops them and says so; a password that was on its way is not left in the chat', async () => {
    const { phone, core, telegram } = await startBot()
    const ann = phone(ANN)
    ann.send('/login')
    await ann.waitFor('your username')
    // As a version with other steps has left it.
    const vault = dialogueVault(JWT_SECRET)
    const { state, lastUpdate } = await vi.waitFor(async () => {
      const { lastUpdate, dialogue } = await core.chats.session(ANN.id, 'en')
      return { state: vault.open(dialogue ?? '', ANN.id) ?? expect.fail('nothing stored'), lastUpdate }
    }, PATIENCE)
    const older = vault.seal({ ...state, version: [0, 1] }, ANN.id)
    await core.chats.writeDialogue({ chatId: ANN.id, updateId: lastUpdate - 20_000 }, older)
    ann.send('my-password')
    await ann.waitFor('was updated')
    expect(telegram.messages(ANN.id).map(({ text }) => text)).not.toContain('my-password')
    expect(await core.chats.session(ANN.id, 'en')).toMatchObject({ dialogue: null })
    await logIn(ann, MEMBER)
  })
})

describe("Telegram's troubles", () => {
  it('pauses and lost connections are sat out, and no message comes twice', async () => {
    const { phone, telegram, log } = await startBot()
    const ann = phone(ANN)
    telegram.inject({ method: 'sendMessage', kind: 'too-many-requests', retryAfter: 1 })
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    expect(telegram.messages(ANN.id).filter(({ from }) => from === 'bot')).toHaveLength(1)
    telegram.inject({ method: 'editMessageText', kind: 'drop-before' })
    telegram.inject({ method: 'answerCallbackQuery', kind: 'drop-before', times: 5 })
    await expect(ann.press('🏠 Menu', 1_500)).rejects.toThrow('did not answer')
    await ann.waitFor('Log in with the username')
    // Whether it arrived is not known: it is not sent again, but the person is told.
    telegram.clearFaults()
    telegram.inject({ method: 'sendMessage', kind: 'drop-after' })
    ann.send('/help')
    await ann.waitFor('Something went wrong')
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    expect(log.join('')).not.toContain(BOT_TOKEN)
    expect(log.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  it('a person who blocks the bot in a dialogue is let go', async () => {
    const { phone, telegram, core, bugs } = await startBot()
    const ann = phone(ANN)
    ann.send('/login')
    await ann.waitFor('your username')
    // A new screen is sent; what is there already could still be edited.
    ann.send('/login')
    telegram.setBlocked(ANN.id, true)
    await vi.waitUntil(() => refusals(telegram).includes('Forbidden: bot was blocked by the user'), PATIENCE)
    await vi.waitUntil(async () => (await core.chats.session(ANN.id, 'en')).dialogue === null, PATIENCE)
    telegram.setBlocked(ANN.id, false)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    expect(bugs()).toEqual([])
  })

  it('a press that is too old to be answered still does what it says', async () => {
    const { phone, telegram, bugs } = await startBot()
    const ann = phone(ANN)
    ann.send('/help')
    const { messageId } = await ann.waitFor('takes you to the main menu')
    const answer = telegram.pressStale(ANN.id, messageId, 'home')
    telegram.expireCallbacks()
    await expect(answer).rejects.toThrow('expired')
    await ann.waitFor('Log in with the username')
    await vi.waitUntil(
      () => refusals(telegram).some((reason) => reason.includes('query is too old')),
      PATIENCE,
    )
    expect(bugs()).toEqual([])
  })

  it('a start does not wait for a Telegram that is down; the bot joins in when it is back', async () => {
    const product = await startProduct()
    await product.stop()
    product.telegram.inject({ method: 'getMe', kind: 'drop-before', times: 1_000 })
    await product.start()
    const ready = () => fetch(product.app.addresses['api']?.replace('/api', '/readyz') ?? '')
    // One of several servers is ready without the bot, which another one may serve.
    const state = onPostgres ? 'degraded' : 'down'
    await expect
      .poll(async () => (await ready()).json(), PATIENCE)
      .toMatchObject({ status: state, checks: { bot: state, jobs: 'ok' } })
    const ann = product.phone(ANN)
    ann.send('/help')
    product.telegram.clearFaults()
    await ann.waitFor('takes you to the main menu')
    expect((await ready()).status).toBe(200)
  })
})

describe('what a chat can send besides text', () => {
  it('stickers, contacts, photos, forwarded and very long messages get an answer; the rest is passed over', async () => {
    const { phone, telegram, bugs } = await startBot()
    const ann = phone(ANN)
    const chat = { id: ANN.id, type: 'private', first_name: 'Ann' } as const
    const from = { id: ANN.id, is_bot: false, first_name: 'Ann', language_code: 'en' }
    const message = (content: object) => ({ message_id: 1, date: 1, chat, from, ...content })
    const file = { file_id: 'f', file_unique_id: 'u' }
    const odd = [
      { sticker: { ...file, type: 'regular', width: 1, height: 1, is_animated: false, is_video: false } },
      { contact: { phone_number: '1', first_name: 'X' } },
      { photo: [{ ...file, width: 1, height: 1 }] },
      { text: 'hi', forward_origin: { type: 'hidden_user', sender_user_name: 'X', date: 1 } },
    ]
    ann.send('/help')
    for (const content of odd) {
      await ann.waitFor('')
      telegram.receive({ message: message(content) })
      await ann.waitFor('use the buttons')
      ann.send('/help')
    }
    await ann.waitFor('takes you to the main menu')

    const quiet = [
      { edited_message: message({ text: '/help', edit_date: 2 }) },
      { channel_post: { message_id: 1, date: 1, chat: { id: -1, type: 'channel', title: 'X' }, text: 'x' } },
      { inline_query: { id: '1', from, query: 'x', offset: '' } },
      { message: message({ pinned_message: message({ text: 'x' }) }) },
      { message: message({ message_auto_delete_timer_changed: { message_auto_delete_time: 86_400 } }) },
    ]
    const before = callsOf(telegram, 'sendMessage').length
    for (const content of quiet) telegram.receive(content as never)
    ann.send('/login')
    await ann.waitFor('your username')
    expect(callsOf(telegram, 'sendMessage')).toHaveLength(before + 1)

    ann.send('<'.repeat(4096))
    await ann.waitFor('your password')
    telegram.receive({ message: message(odd[0] ?? {}) })
    await ann.waitFor('as a text message')
    ann.send('&'.repeat(4096))
    await ann.waitFor('Wrong username or password')
    expect(refusals(telegram).filter((reason) => !reason.includes('message to delete not found'))).toEqual([])
    expect(bugs()).toEqual([])
  })
})

describe('groups', () => {
  const GROUP = { id: -1001, title: 'Friends' }
  const OFFICE = { id: -1002, title: 'Office' }
  const BACKUPS = { id: -1003, title: 'Backups' }

  it('are told once to write privately, and left; the chats of the operator and that of backups are not', async () => {
    const { phone, telegram, bugs } = await startBot({ operatorChats: [OFFICE.id], backupChat: BACKUPS.id })
    const ann = phone(ANN)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    for (const group of [BACKUPS, GROUP, OFFICE]) {
      telegram.addToGroup(group, ANN.id)
      telegram.sendInGroup(group.id, ANN.id, 'hello everybody')
    }
    await vi.waitUntil(() => telegram.isBlocked(GROUP.id), PATIENCE)
    ann.send('/help')
    await ann.waitFor('takes you to the main menu')
    const said = telegram.messages(GROUP.id).filter(({ from }) => from === 'bot')
    expect(said.map(({ text }) => text)).toEqual([expect.stringContaining('private chats only')])
    expect(said[0]?.text).toContain(String(GROUP.id))
    expect(said[0]?.keyboard.flat()).toEqual([
      { text: 'Write to me privately', kind: 'url', value: 'https://t.me/shop_bot' },
    ])
    for (const { id } of [OFFICE, BACKUPS]) {
      expect(telegram.isBlocked(id)).toBe(false)
      expect(telegram.messages(id).filter(({ from }) => from === 'bot')).toEqual([])
    }
    expect(bugs()).toEqual([])
  })
})
