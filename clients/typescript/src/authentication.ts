import { ResellerError } from './refusal.ts'

type Send = (request: Request) => Promise<Response>

interface Login {
  readonly username: string
  readonly password: string
}

/**
 * Sends requests with an API key (`prk_…`) or an access token, or with the token of a log-in, which is made when it is needed first
 * and again when the service does not take its token any more.
 *
 * @throws ResellerError, from a request that needs a log-in which is refused
 */
export function authenticated(send: Send, baseUrl: string, credentials: string | Login): Send {
  if (typeof credentials === 'string') return (request) => send(withToken(request, credentials))

  let current: Promise<string> | undefined
  const token = () =>
    (current ??= logIn(send, baseUrl, credentials).catch((error: unknown) => {
      current = undefined
      throw error
    }))
  return async (request) => {
    const used = token()
    const response = await send(withToken(request.clone(), await used))
    if (response.status !== 401) return response
    // Unless another request has noticed it before.
    if (current === used) current = undefined
    return send(withToken(request, await token()))
  }
}

function withToken(request: Request, token: string): Request {
  request.headers.set('authorization', `Bearer ${token}`)
  return request
}

async function logIn(send: Send, baseUrl: string, login: Login): Promise<string> {
  const response = await send(
    new Request(`${baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    }),
  )
  if (!response.ok) throw await ResellerError.of(response)
  const { data } = (await response.json()) as { data: { token: string } }
  return data.token
}
