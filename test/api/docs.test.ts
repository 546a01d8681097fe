import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { answerSchema, exampleData, isIn } from '../../src/api/endpoint.ts'
import { successExample } from '../../src/api/envelope.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { VARIANTS } from '../../src/api/variants.ts'
import { openApi } from '../support/api.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, Examples>> }>>
}

interface Examples {
  readonly example?: object
}

async function document(base: string) {
  const { server } = await openApi()
  const response = await server.inject(`${base}/openapi.json`)
  expect(response.headers['content-type']).toContain('application/json')
  return response.json<{
    openapi: string
    servers: { url: string }[]
    paths: Record<string, Record<string, Operation>>
  }>()
}

test.each(['/api', '/a/api', '/b/api'])('%s/openapi.json describes every endpoint in full', async (base) => {
  const { openapi, servers, paths } = await document(base)
  const endpoints = ENDPOINTS.filter(isIn(VARIANTS[base === '/b/api' ? 'B' : 'A']))
  expect(openapi).toBe('3.1.0')
  expect(servers).toEqual([{ url: base }])
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  )
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual(
    endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`),
  )
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const [index, { operationId, summary, tags, responses, security }] of operations.entries()) {
    const endpoint = endpoints[index]
    const { public: open, gateway, mediaType } = endpoint ?? {}
    const scope = endpoint && 'scope' in endpoint ? endpoint.scope : null
    expect(summary).not.toBe('')
    expect(tags).toHaveLength(1)
    const own = open ? [] : gateway ? [{ gateway: [] }] : undefined
    // Where no API key is taken, the document's own security holds: an access token.
    expect(security).toEqual(own ?? (scope ? [{ bearer: [] }, { apiKey: [scope].flat() }] : undefined))
    expect(responses['200']?.content[mediaType ?? 'application/json']?.example).toEqual(
      mediaType
        ? expect.any(String)
        : expect.objectContaining({ code: 0, data: operationId === 'logOut' ? null : expect.anything() }),
    )
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...(open ? [] : ['401']), '500', '503']))
  }
})

test('Every reference of the document leads somewhere', async () => {
  const text = JSON.stringify(await document('/b/api'))
  const { components } = JSON.parse(text) as { components: Record<string, Record<string, object>> }
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target)
  expect(references.length).toBeGreaterThan(0)
  for (const target of references) {
    const [kind = '', name] = target?.replace('#/components/', '').split('/') ?? []
    expect(Object.keys(components[kind] ?? {})).toContain(name)
  }
})

test('dyn3_balance is documented in variant B only', async () => {
  expect(JSON.stringify(await document('/a/api'))).not.toContain('dyn3_balance')
  expect(JSON.stringify(await document('/b/api'))).toContain('dyn3_balance')
})

test('The examples fit the schemas that they illustrate', () => {
  for (const endpoint of ENDPOINTS) {
    const { query, body, example } = endpoint
    if (!example) throw new Error(`${endpoint.name} has no example`)
    const texts = Object.fromEntries(
      Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]),
    )
    query?.parse(texts)
    body?.parse(example.body)
    for (const variant of Object.values(VARIANTS)) {
      const { data } = successExample('{"code":0,"data":', exampleData(endpoint, variant)) as {
        data: unknown
      }
      answerSchema(endpoint, variant).parse(data)
    }
  }
})

test.each(['/api', '/a/api', '/b/api'])(
  '%s/docs is a page that needs nothing from other servers',
  async (base) => {
    const { server } = await openApi()
    for (const path of [`${base}/docs`, `${base}/docs/`]) {
      const page = await server.inject(path)
      expect(page.statusCode).toBe(200)
      expect(page.headers['content-type']).toContain('text/html')
      expect(page.body).toContain('<title>Proxy reseller API</title>')
      expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
      const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '')
      expect(files.length).toBeGreaterThan(3)
      for (const file of files) {
        const url = new URL(file, `http://host${base}/docs/`)
        expect(url.host).toBe('host')
        expect((await server.inject(url.pathname)).statusCode).toBe(200)
      }
    }
  },
)

test('A base address leads to its docs page', async () => {
  const { server } = await openApi()
  for (const base of ['/api', '/a/api', '/b/api']) {
    const { statusCode, headers } = await server.inject(base)
    expect([statusCode, headers.location]).toEqual([302, `${base}/docs/`])
  }
})

const FILES = ['/api/docs/', '/api/docs/static/swagger-ui.css', '/b/api/openapi.json']

test.each(FILES)('%s is sent compressed to whom takes it, and once', async (url) => {
  const { server } = await openApi()
  const get = (headers: Record<string, string> = {}) => server.inject({ url, headers })
  const plain = await get()
  expect(plain.headers).toMatchObject({
    vary: 'Accept-Encoding',
    'cache-control': 'no-cache',
    'content-length': String(plain.rawPayload.length),
    etag: expect.stringMatching(/^"[\w-]+"$/),
  })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  for (const accepted of ['gzip', 'br, gzip;q=0.5', '*', 'GZIP, deflate']) {
    const zipped = await get({ 'accept-encoding': accepted })
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(zipped.headers.etag).not.toBe(plain.headers.etag)
    const etag = String(zipped.headers.etag)
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const known = await get({ 'accept-encoding': accepted, 'if-none-match': condition })
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
    }
  }
  for (const refused of ['identity', 'gzip;q=0', 'br', '*;q=0.0', 'gzip;q=0, *'])
    expect((await get({ 'accept-encoding': refused })).headers).not.toHaveProperty('content-encoding')
  expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  const head = await server.inject({ method: 'HEAD', url })
  expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', plain.headers.etag])
})

test('What clients get wrong about the files of the docs page is no failure of ours', async () => {
  const { server, log } = await openApi()
  const script = '/api/docs/static/swagger-ui-bundle.js'
  for (const path of ['%00', '..%2f..%2fpackage.json', '..%5cx', '%ff', '%', 'none.js', '']) {
    const { statusCode, headers } = await server.inject(`/api/docs/static/${path}`)
    expect([path, statusCode]).toEqual([path, 404])
    expect(headers['content-type']).toContain('application/json')
  }
  const status = async (headers: Record<string, string>) =>
    (await server.inject({ url: script, headers })).statusCode
  expect(await status({ 'if-match': '"other"' })).toBe(412)
  expect(await status({ 'if-match': '*' })).toBe(200)
  // Ranges are not offered: whoever asks for one gets the whole.
  for (const range of ['bytes=9999999-', 'bytes=x', 'bytes=0-1', 'x'.repeat(500)])
    expect(await status({ range })).toBe(200)
  expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([])
})
