import { z } from 'zod'
import type { Api } from './api.ts'

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
  readonly example?: string | number | boolean
}

/** An operation as the OpenAPI document describes it, and nothing else: what a stranger who has only the document knows. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for its parameters. */
  readonly path: string
  /** `POST /auth/login`. */
  readonly name: string
  readonly open: boolean
  /** Wants the token of the gateways. */
  readonly gateway: boolean
  readonly parameters: readonly Parameter[]
  readonly body:
    | { readonly schema: Schema; readonly example: unknown; readonly required: boolean }
    | undefined
  /** What is wrong with an answer; undefined when it is as documented. */
  readonly complaint: (status: number, mediaType: string, text: string) => string | undefined
}

interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

interface Described {
  readonly parameters: readonly Parameter[]
  readonly security?: readonly object[]
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Content> }
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Content>> }>>
}

export interface Document {
  readonly operations: readonly Operation[]
  /** Schemas that others refer to, by `#/$defs/` and their names. */
  readonly definitions: Readonly<Record<string, Schema>>
}

/** Reads `{base}/openapi.json`. */
export async function readDocument(server: Api['server'], base: string): Promise<Document> {
  return parseDocument((await server.inject(`${base}/openapi.json`)).body)
}

/** @param text of an OpenAPI document */
export function parseDocument(text: string): Document {
  const document = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as {
    paths: Record<string, Record<string, Described>>
    components: { schemas: Record<string, Schema> }
  }
  const definitions = document.components.schemas
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]) => {
      const method = verb.toUpperCase() as Operation['method']
      const body = described.requestBody
      const content = body?.content['application/json']
      return {
        method,
        path,
        name: `${method} ${path}`,
        open: described.security?.length === 0,
        gateway: described.security?.some((scheme) => 'gateway' in scheme) ?? false,
        parameters: described.parameters,
        body: body &&
          content && { schema: content.schema, example: content.example, required: body.required },
        complaint: complaints(described.responses, definitions),
      }
    }),
  )
  return { operations, definitions }
}

function complaints(
  responses: Described['responses'],
  definitions: Document['definitions'],
): Operation['complaint'] {
  const validators = new Map<string, z.ZodType>()
  return (status, mediaType, text) => {
    const contents = responses[status]?.content
    if (!contents) return `${status} is not documented`
    const content = contents[mediaType]
    if (!content) return `${mediaType} is not documented for ${status}`
    if (mediaType !== 'application/json') return undefined
    const key = `${status} ${mediaType}`
    let validator = validators.get(key)
    if (!validator) {
      validator = z.fromJSONSchema({ ...content.schema, $defs: definitions })
      validators.set(key, validator)
    }
    const result = validator.safeParse(JSON.parse(text))
    return result.success ? undefined : z.prettifyError(result.error)
  }
}

/** The address of an operation. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams(query).toString()
  return search === '' ? filled : `${filled}?${search}`
}
