import { z } from 'zod'

const PLACEHOLDERS = ['user', 'country', 'city', 'session', 'lifetime'] as const

/**
 * The username at a vendor's gateway, such as `{user}-country-{country}-session-{session}` (rules 12.5). It has {user}; a colon would
 * end it.
 */
export const ExitTemplate = z
  .string()
  .max(200)
  .regex(/^(?:[\w.@=+~-]|\{(?:user|country|city|session|lifetime)\})+$/, 'not_a_template')
  .refine((text) => text.includes('{user}'), { error: 'template_without_user' })
  .refine((text) => PLACEHOLDERS.every((name) => text.split(`{${name}}`).length <= 2), {
    error: 'not_a_template',
  })

/**
 * The username for a request without place and session: parts without a value are left out, with the word before them and the hyphens
 * between.
 */
export function bareUsername(template: string, user: string): string {
  return template
    .replaceAll(/-?(?:[^-{}]+-)?\{(?:country|city|session|lifetime)\}/g, '')
    .replace('{user}', () => user)
    .replace(/^-/, '')
}
