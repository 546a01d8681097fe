/** Kinds of secrets that give a right to whoever holds them (rules 2.28). */
export type SecretKind =
  | 'api_key'
  | 'webhook'
  | 'activation_link'
  | 'invitation'
  | 'person_link'
  | 'web_log_in'
  | 'join_link'
  | 'proxy_link'
  | 'extraction_link'
  | 'allowed_address'
  | 'gateway_password'
  | 'password'
  | 'log_in'

/** Number of ended secrets by kind; kinds without any are missing. */
export type EndedSecrets = { readonly [Kind in SecretKind]?: number }
