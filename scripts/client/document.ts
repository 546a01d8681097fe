import { isIn } from '../../src/api/endpoint.ts'
import { openApiDocument } from '../../src/api/openapi.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { baseAddresses } from '../../src/api/variants.ts'

export type Json = Readonly<Record<string, unknown>>

export interface JsonOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly example?: string | number | boolean
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

export interface OpenApi {
  readonly info: { readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: Json }>> }
}

/** The document of the variant that has everything, at the address at which every service serves it (rules 1.1). */
export async function widestDocument(): Promise<OpenApi> {
  const base = baseAddresses('B').find(({ path }) => path === '/b/api')
  if (!base) throw new Error('no service serves the variant with everything')
  return (await openApiDocument(base, ENDPOINTS.filter(isIn(base.variant)))) as unknown as OpenApi
}
