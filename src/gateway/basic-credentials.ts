export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Username and password of a `Proxy-Authorization` header; undefined without any. */
export function basicCredentials(header: string | undefined): Credentials | undefined {
  const [, encoded] = /^basic +([a-z0-9+/_=-]+)$/i.exec(header?.trim() ?? '') ?? []
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const [username = ''] = text.split(':', 1)
  return { username, password: text.slice(username.length + 1) }
}
