import { z } from 'zod'

/** Kinds of secrets that give a right to whoever holds them (rules 2.28). */
const SecretKind = z.enum([
  'api_key',
  'webhook',
  'activation_link',
  'invitation',
  'person_link',
  'web_log_in',
  'join_link',
  'proxy_link',
  'extraction_link',
  'allowed_address',
  'gateway_password',
  'password',
  'log_in',
])
export type SecretKind = z.infer<typeof SecretKind>

/** Number of ended secrets by kind; kinds without any are missing. */
export const EndedSecrets = z.partialRecord(SecretKind, z.int())
export type EndedSecrets = Readonly<z.infer<typeof EndedSecrets>>
