import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApi } from '../support/api.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, Response> }>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    readonly examples: Readonly<Record<string, { value: ErrorBody }>>
  }
}

interface Response {
  readonly content: Readonly<
    Record<string, { readonly schema: Reference & Choice; readonly examples?: Record<string, Reference> }>
  >
}

interface Reference {
  readonly $ref?: string
}

interface Choice {
  readonly oneOf?: readonly Reference[]
  readonly discriminator?: {
    readonly propertyName: string
    readonly mapping: Readonly<Record<string, string>>
  }
}

interface ErrorBody {
  readonly code: number
  readonly error: string
  readonly message: string
}

async function read(base: string) {
  const api = await openApi()
  const text = (await api.server.inject(`${base}/openapi.json`)).body
  return { ...api, document: JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Document }
}

const nameIn = (reference: Reference | undefined) => reference?.$ref?.split('/').at(-1) ?? ''

test.each(['/a/api', '/b/api'])(
  'Each error of %s has a schema of its own, which its example fits',
  async (base) => {
    const { document } = await read(base)
    const { schemas, examples } = document.components
    const schemaOf = new Map<string, string>()
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { responses } of Object.values(item)) {
        for (const [status, { content }] of Object.entries(responses)) {
          const answer = content['application/json']
          if (Number(status) < 400 || !answer) continue
          const { schema } = answer
          const codes = Object.keys(answer.examples ?? {})
          expect(codes, `${path} ${status}`).not.toEqual([])
          const refs = schema.oneOf ?? [schema]
          expect(refs).toHaveLength(codes.length)
          if (schema.oneOf)
            expect(schema.discriminator).toEqual({
              propertyName: 'error',
              mapping: Object.fromEntries(codes.map((code, index) => [code, refs[index]?.$ref])),
            })
          for (const [index, code] of codes.entries()) {
            expect(examples[nameIn(answer.examples?.[code])]?.value.code).toBe(Number(status))
            const name = nameIn(refs[index])
            expect(schemaOf.get(code) ?? name).toBe(name)
            schemaOf.set(code, name)
          }
        }
      }
    }
    expect(schemaOf.size).toBeGreaterThan(35)
    for (const [code, name] of schemaOf) {
      const { value } = examples[code] ?? {}
      const described = z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: schemas })
      expect(described.safeParse(value).error?.message).toBeUndefined()
      expect(described.safeParse({ ...value, error: 'other' }).success).toBe(false)
    }
  },
)

test.each([['/a/api', 'must be at most 100'] as const, ['/b/api', '必须不超过 100'] as const])(
  'What %s documents as the example of an error is what it answers, in its language',
  async (base, words) => {
    const { document, agent, as, call } = await read(base)
    const { examples } = document.components
    const somebody = await as(await agent())
    const refusals = [
      await somebody.get('/open/app/static/order/list/v2?page_size=1000', { base }),
      await somebody.get('/dynamic/order-info/none', { base }),
      await call('GET', '/dynamic', { base }),
    ]
    for (const { body } of refusals)
      expect(body).toEqual({ ...examples[body.error ?? '']?.value, request_id: body.request_id })
    expect(JSON.stringify(examples['validation_error'])).toContain(words)
  },
)
