import { expect, test } from 'vitest'
import { expectRefusal, openApi } from '../support/api.ts'
import { fastestOf } from '../support/times.ts'

const LOGIN = '/auth/login'
const JSON_TYPE = { 'content-type': 'application/json' }

test('JSON that is 100,000 levels deep does no harm', async () => {
  const { call } = await openApi()
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const post = (payload: string) => call('POST', LOGIN, { payload, headers: JSON_TYPE })
  const unknownField = (value: string) => post(`{"username":"nobody","password":"wrong","deep":${value}}`)
  expectRefusal(await unknownField(deep), 401, 'invalid_credentials')
  expectRefusal(await post(deep), 422, 'validation_error')
  const inQuestion = await post(`{"username":${deep},"password":"b\\ud83d\\ude00"}`)
  expect(inQuestion.status).toBeGreaterThanOrEqual(400)
  expect(inQuestion.status).toBeLessThan(500)
  // What takes time is the password; reading a body of this size takes next to none, whatever it looks like.
  const flat = `"${'x'.repeat(deep.length)}"`
  const [ofDeep = 0, ofFlat = 0] = await fastestOf(
    3,
    () => post(`[${deep}]`),
    () => unknownField(flat),
  )
  expect(ofDeep).toBeLessThan(5 * ofFlat)
})
