import { expect, test } from 'vitest'
import { expectRefusal, openApi } from '../support/api.ts'

const LOGIN = '/auth/login'
const JSON_TYPE = { 'content-type': 'application/json' }

test('JSON that is 100,000 levels deep does no harm', async () => {
  const { call } = await openApi()
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const started = performance.now()
  const unknownField = await call('POST', LOGIN, {
    payload: `{"username":"nobody","password":"wrong","deep":${deep}}`,
    headers: JSON_TYPE,
  })
  expectRefusal(unknownField, 401, 'invalid_credentials')
  const wholeBody = await call('POST', LOGIN, { payload: deep, headers: JSON_TYPE })
  expectRefusal(wholeBody, 422, 'validation_error')
  const inQuestion = await call('POST', LOGIN, {
    payload: `{"username":${deep},"password":"b\\ud83d\\ude00"}`,
    headers: JSON_TYPE,
  })
  expect(inQuestion.status).toBeGreaterThanOrEqual(400)
  expect(inQuestion.status).toBeLessThan(500)
  expect(performance.now() - started).toBeLessThan(2000)
})
