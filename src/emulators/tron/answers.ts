import { STATUS_CODES } from 'node:http'

/** What a server sends. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = 'application/json'

export function json(content: unknown, status = 200): Answer {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(content) }
}

/** The texts of TronGrid and java-tron, word for word where a real answer is known (README.md). */

export const badKey = json({ Error: 'ApiKey not exists' }, 401)

/** The text of the refusal names the seconds, and the connection is closed; there is no Retry-After. */
const suspended = (Error: string): Answer => ({
  ...json({ Error }, 429),
  headers: { connection: 'close' },
})

export const suspendedWithoutKey = (method: string, seconds: number) =>
  suspended(
    `request rate of (${method}) exceeded the allowed_rps(1), and the query server is suspended for ${seconds} s. ` +
      'To obtain higher request quotas and a more stable service, it is recommended to authenticate with an API Key. ' +
      'Please refer to the documentation: https://developers.tron.network/reference/select-network#how-to-get-an-api-key',
  )

export const suspendedWithKey = (seconds: number) =>
  suspended(`The key exceeds the frequency limit(15), and the query server is suspended for ${seconds} s`)

/** A refusal of the `/v1` interface, whose field is `error`; that of nodes is `Error`. */
export const v1Refusal = (error: string, statusCode = 400) =>
  json({ success: false, statusCode, error }, statusCode)

export const invalidAddress = v1Refusal('A valid account address is required.')
export const fingerprintMismatch = v1Refusal(
  'Invalid query filter(s)!: [fingerprint does not match current set of params]',
)
/** A limit that is too high is refused with an empty body. */
export const limitTooHigh: Answer = { status: 400, contentType: JSON_TYPE, body: '' }

/** A node's refusal has the status 200, and names a Java class. */
export const nodeError = (error: string) => json({ Error: error })
export const invalidHex = nodeError(
  'class org.tron.core.services.http.JsonFormat$ParseException : 1:12: invalid hex',
)
export const LACK_OF_RESOURCES = 'class java.lang.IllegalAccessException : lack of computing resources'
export const liteNode: Answer = {
  status: 200,
  contentType: 'text/plain',
  body: 'this API is closed because this node is a lite fullnode',
}

/** Returns the usual answer of each interface with a status. */
export function failure(status: number, v1: boolean): Answer {
  if (status === 401) return badKey
  if (status === 403)
    return json(
      { Error: 'The key exceeds the frequency limit(15), and the query server is suspended for 30s' },
      403,
    )
  if (status === 404)
    return v1 ? v1Refusal('Not Found', 404) : json({ Error: 'this API is unavailable due to config' }, 404)
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  return status >= 500 ? { ...webPage(title), status } : json({ Error: title }, status)
}

/** Returns a page of the gateway in front of the servers. */
export function webPage(title: string): Answer {
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>openresty</center>\r\n</body>\r\n</html>\r\n`
  return { status: 200, contentType: 'text/html', body }
}
