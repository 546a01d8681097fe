import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly description?: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

async function read(base: string) {
  const { server } = await openApi()
  const document = (await server.inject(`${base}/openapi.json`)).json<Document>()
  return { document, operations: Object.values(document.paths).flatMap((item) => Object.values(item)) }
}

/** Paths of the fields that nothing is said about. */
function undescribed(schema: Schema, path: string, components: Document['components']): string[] {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const target = components.schemas[field.$ref?.split('/').at(-1) ?? '']
    const description = field.description ?? target?.description ?? ''
    return [
      ...(description === '' ? [`${path}.${name}`] : []),
      ...undescribed(field, `${path}.${name}`, components),
    ]
  })
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [...fields, ...parts.flatMap((part) => undescribed(part, path, components))]
}

test.each(['/a/api', '/b/api'])('Every field and parameter of %s is described', async (base) => {
  const { document, operations } = await read(base)
  const contents = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((message) =>
      Object.values(message?.content ?? {}).map(({ schema }) => ({ path: operationId, schema })),
    ),
  )
  const components = Object.entries(document.components.schemas)
  expect(components.length).toBeGreaterThan(50)
  const missing = [...contents, ...components.map(([path, schema]) => ({ path, schema }))].flatMap(
    ({ path, schema }) => undescribed(schema, path, document.components),
  )
  expect([...new Set(missing)]).toEqual([])
  const parameters = operations.flatMap((operation) =>
    operation.parameters
      .filter(({ description = '' }) => description === '')
      .map(({ name }) => `${operation.operationId} ${name}`),
  )
  expect(parameters).toEqual([])
})

test.each(['/a/api', '/b/api'])('Operations of %s are called by names', async (base) => {
  const { operations } = await read(base)
  const names = operations.map(({ operationId }) => operationId)
  for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(expect.arrayContaining(['logIn', 'createStaticOrder', 'listSubUsers']))
})

test('The version of the document is that of the package', async () => {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as Document['info']
  expect((await read('/api')).document.info.version).toBe(version)
})

test('Fields that are taken over from the core keep their texts when they become required', async () => {
  const { document } = await read('/b/api')
  const order = document.components.schemas['CreateStaticOrder']?.properties ?? {}
  expect(order['unitPrice']?.description).toMatch(/^A ceiling, never charged/)
  expect(order['app_order_no']?.description ?? '').not.toBe('')
  expect(order['appOrderNo']?.description).toBe('Same as `app_order_no`')
})
