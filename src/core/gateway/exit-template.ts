import { z } from 'zod'

const PLACEHOLDERS = ['user', 'country', 'city', 'session', 'lifetime'] as const

/**
 * Template of the username at a vendor's gateway, such as `{user}-country-{country}-session-{session}` (rules 12.5). {user} is
 * required; a colon is refused, as it would end the username.
 */
export const ExitTemplate = z
  .string()
  .max(200)
  .regex(/^(?:[\w.@=+~-]|\{(?:user|country|city|session|lifetime)\})+$/, 'not_a_template')
  .refine((text) => text.includes('{user}'), { error: 'template_without_user' })
  .refine((text) => PLACEHOLDERS.every((name) => text.split(`{${name}}`).length <= 2), {
    error: 'not_a_template',
  })
