import { describe, expect, test } from 'vitest'
import { createPhone } from '../../support/phone.ts'
import { ANN, BEN, startTelegram } from './server.ts'

/** A phone, and the bot's side as bare calls. */
async function startPhone() {
  const { emulator, call } = await startTelegram()
  const phone = createPhone(emulator, ANN)
  const say = (text: string, more: object = {}) => call('sendMessage', { chat_id: ANN.id, text, ...more })
  return { emulator, call, phone, say }
}

const menu = (...labels: string[]) => ({
  reply_markup: { inline_keyboard: labels.map((text) => [{ text, callback_data: text.toLowerCase() }]) },
})

describe('waitFor', () => {
  test('resolves with what is there already, and with what comes later', async () => {
    const { phone, say } = await startPhone()
    await say('early')
    expect(await phone.read('early')).toBe('early')
    const later = phone.waitFor(/^la/)
    await say('late')
    expect(await later).toMatchObject({ text: 'late', from: 'bot' })
  })

  test('passes over what was there before the last act of the person, unless it changes', async () => {
    const { call, phone, say } = await startPhone()
    const { message_id } = (await say('Balance 1')).result
    phone.send('/balance')
    expect((await phone.waitFor('Balance', { evenOld: true })).text).toBe('Balance 1')
    const changed = phone.waitFor('Balance')
    await call('editMessageText', { chat_id: ANN.id, message_id, text: 'Balance 2' })
    expect((await changed).text).toBe('Balance 2')
  })

  test('gives up after its deadline with the whole chat, and what was refused', async () => {
    const { call, phone, say } = await startPhone()
    await say('Pick one', menu('Buy', 'Sell'))
    await call('sendMessage', { chat_id: ANN.id, text: '<b>', parse_mode: 'HTML' })
    const problem = await phone.waitFor('Paid', { timeoutMs: 5 }).catch((error: Error) => error.message)
    expect(problem).toContain('Ann waited 5 ms for a message like Paid')
    expect(problem).toMatch(/user \d+: hello/)
    expect(problem).toMatch(/bot \d+: Pick one\n {4}\[Buy\]\n {4}\[Sell\]/)
    expect(problem).toContain("Refused: sendMessage: Bad Request: can't parse entities: Can't find end tag")
  })
})

describe('press', () => {
  test('waits for the button, takes the newest message that has it, and returns the answer', async () => {
    const { call, phone, say } = await startPhone()
    const pressed = phone.press(/^Bu/)
    await say('old', menu('Buy'))
    const [update] = (await call('getUpdates', { timeout: 5 })).result
    expect(update?.callback_query).toMatchObject({ data: 'buy', message: { text: 'old' } })
    await call('answerCallbackQuery', { callback_query_id: update?.callback_query?.id, text: 'ok' })
    expect(await pressed).toEqual({ text: 'ok', showAlert: false })
    const second = (await say('new', menu('Buy'))).result.message_id
    expect((await phone.waitForButton('Buy')).message.messageId).toBe(second)
  })

  test('is refused for buttons that do nothing with the bot', async () => {
    const { phone, say } = await startPhone()
    await say('x', { reply_markup: { inline_keyboard: [[{ text: 'Copy', copy_text: { text: 'T1' } }]] } })
    await expect(phone.press('Copy')).rejects.toThrow('is of the kind copy')
    expect((await phone.waitForButton('Copy')).button.value).toBe('T1')
    await expect(phone.press('Buy', 5)).rejects.toThrow('for a button Buy')
  })
})

test('screen and buttons show the newest message of the bot; a chat without one says so', async () => {
  const { emulator, phone, say } = await startPhone()
  await say('Menu', menu('Buy', 'Sell'))
  phone.send('ok')
  expect(phone.screen()).toMatchObject({ text: 'Menu', keyboard: [['Buy'], ['Sell']] })
  expect(phone.buttons()).toEqual(['Buy', 'Sell'])
  await expect(phone.file(phone.screen().message)).rejects.toThrow('has no file')
  expect(() => createPhone(emulator, BEN).screen()).toThrow('the bot has sent nothing to Ben')
})
