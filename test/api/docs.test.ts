import { expect, test } from 'vitest'
import { answerSchema, exampleData, isIn } from '../../src/api/endpoint.ts'
import { success } from '../../src/api/envelope.ts'
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
  readonly examples?: Readonly<Record<string, { value: object }>>
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
  for (const [index, { summary, tags, responses, security }] of operations.entries()) {
    const { public: open, mediaType } = endpoints[index] ?? {}
    expect(summary).not.toBe('')
    expect(tags).toHaveLength(1)
    expect(security).toEqual(open ? [] : undefined)
    expect(responses['200']?.content[mediaType ?? 'application/json']?.example).toEqual(
      mediaType ? expect.any(String) : expect.objectContaining({ code: 0, data: expect.anything() }),
    )
    expect(Object.keys(responses)).toEqual(expect.arrayContaining([...(open ? [] : ['401']), '500', '503']))
    for (const [status, { content }] of Object.entries(responses)) {
      for (const [code, { value }] of Object.entries(content['application/json']?.examples ?? {})) {
        expect(value).toMatchObject({ code: Number(status), error: code, message: expect.any(String) })
      }
    }
  }
})

test('Every reference of the document leads somewhere', async () => {
  const text = JSON.stringify(await document('/b/api'))
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } }
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target)
  expect(references.length).toBeGreaterThan(0)
  for (const target of references) {
    expect(Object.keys(components.schemas)).toContain(target?.replace('#/components/schemas/', ''))
  }
})

test('dyn3_balance is documented in variant B only', async () => {
  expect(JSON.stringify(await document('/a/api'))).not.toContain('dyn3_balance')
  expect(JSON.stringify(await document('/b/api'))).toContain('dyn3_balance')
})

test('The examples fit the schemas that they illustrate', () => {
  for (const endpoint of ENDPOINTS) {
    const { query, body, example } = endpoint
    const texts = Object.fromEntries(
      Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]),
    )
    query?.parse(texts)
    body?.parse(example.body)
    for (const variant of Object.values(VARIANTS)) {
      const { data } = JSON.parse(success('{"code":0,"data":', exampleData(endpoint, variant))) as {
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
    expect((await server.inject(`${base}/docs/json`)).json().servers).toEqual([{ url: base }])
  },
)
