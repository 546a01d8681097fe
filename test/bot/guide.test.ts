import { expect, test, vi } from 'vitest'
import { APPLICATIONS } from '../../src/bot/actions/guide.ts'
import { LANGUAGES } from '../../src/core/languages.ts'
import { LOCALES } from '../../src/bot/texts/index.ts'
import { PATIENCE } from '../support/patience.ts'
import { buyStatic } from '../support/bought.ts'
import { ANN, BEN, CUSTOMER, startProduct } from '../support/product.ts'

test('shows every application how to use the proxy from which it was opened', async () => {
  const product = await startProduct()
  await buyStatic(product, CUSTOMER, [2, 1])
  const ann = await product.memberPhone(ANN)
  ann.send('/proxies')
  await ann.press(/192\.0\.2\.2 /)
  await ann.press('📖 How to use it')
  for (const application of APPLICATIONS) {
    await ann.press(LOCALES.en.guide.applications[application])
    const text = await ann.read('your own proxy')
    expect(text).toContain('192.0.2.2')
    expect(text).toContain('pass2')
    await ann.press('‹ Back')
  }
  await ann.press('⌨️ curl')
  const { message } = await ann.waitForButton('📋 Copy')
  expect(message.keyboard[0]?.[0]?.value).toBe(
    "curl -x 'http://user2:pass2@192.0.2.2:8000' https://api.ipify.org",
  )
  await ann.press('‹ Back')
  await ann.press('❓ Static, dynamic, sticky…')
  await ann.waitFor(/Exclusive[^]*Sticky/)
  await ann.press('‹ Back')
  await ann.press('‹ Back')
  await ann.waitFor('IP: 192.0.2.2')

  ann.send('/guide')
  await ann.press('🐍 Python')
  await ann.waitFor(/http:\/\/user3:pass3@192\.0\.2\.3:8000/)
})

test('explains with an example to somebody who has no proxy, or is not logged in', async () => {
  const product = await startProduct()
  const ben = product.phone(BEN)
  ben.send('/start')
  await ben.press('📖 使用教程')
  await ben.press('🎭 指纹浏览器')
  await ben.waitFor(/203\.0\.113\.10:8000:user:password[^]*以上为示例/)
  // Somebody else's order explains nothing.
  await buyStatic(product, CUSTOMER, [1])
  await product.telegram.pressStale(BEN.id, ben.screen().message.messageId, 'guidea:curl:1:0')
  expect(ben.screen().text).toContain('203.0.113.10')
})

test('the bot says in every language what it is for; what the operator has written stays', async () => {
  const product = await startProduct()
  const { apiRoot, token } = product.config.telegram as { apiRoot: string; token: string }
  const call = async (method: string, parameters: object) => {
    const answer = await fetch(`${apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(parameters),
    })
    return ((await answer.json()) as { result: Record<string, string> }).result
  }
  /** Waits until the bot has set what it says for each language. */
  const untilSet = async () => {
    const asked = () => product.telegram.calls().filter(({ method }) => method === 'getMyShortDescription')
    await vi.waitUntil(() => asked().length === LANGUAGES.length, PATIENCE)
    const short_description = LOCALES.zh.profile.short
    await expect
      .poll(() => call('getMyShortDescription', { language_code: 'zh' }), PATIENCE)
      .toEqual({ short_description })
  }
  await untilSet()
  expect(await call('getMyDescription', {})).toEqual({ description: LOCALES.en.profile.description })
  await product.stop()
  await call('setMyDescription', { description: 'Own words' })
  product.telegram.clearCalls()
  await product.start()
  await untilSet()
  expect(await call('getMyDescription', {})).toEqual({ description: 'Own words' })
})
