import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../src/config.ts'

const BASE = { JWT_SECRET: 'a-secret-of-the-tests-that-is-long-enough' }

function problemsOf(environment: Record<string, string>): string {
  try {
    loadConfig({ ...BASE, ...environment })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('mail', () => {
  it('is off without settings', () => {
    expect(loadConfig({ ...BASE, SMTP_URL: '', MAIL_FROM: '' })).toMatchObject({
      mail: undefined,
      publicUrl: undefined,
    })
  })

  it('needs a server and a sender', () => {
    const SMTP_URL = 'smtps://user:pass%20word@mail.example.com:465'
    const settings = {
      SMTP_URL,
      MAIL_FROM: 'The Shop <shop@example.com>',
      PUBLIC_URL: 'https://shop.example.com/',
    }
    expect(loadConfig({ ...BASE, ...settings })).toMatchObject({
      mail: { url: SMTP_URL, from: 'The Shop <shop@example.com>' },
      publicUrl: 'https://shop.example.com',
    })
    expect(problemsOf({ SMTP_URL })).toContain('MAIL_FROM is missing')
    expect(problemsOf({ MAIL_FROM: 'shop@example.com' })).toContain('SMTP_URL is missing')
  })

  it('names all that is wrong at once', () => {
    const problems = problemsOf({
      SMTP_URL: 'mail.example.com',
      MAIL_FROM: 'a@b.example>\r\nBcc: x@y.example',
      PUBLIC_URL: 'shop.example.com',
    })
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_URL']) expect(problems).toContain(name)
  })
})
