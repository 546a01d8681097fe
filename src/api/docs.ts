import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { ServiceError } from '../core/errors.ts'
import { sendFile, type ServedFile, serveFile } from '../served-file.ts'
import type { Endpoint } from './endpoint.ts'
import { errorPages } from './error-pages.ts'
import { docsPage, docsScript, DOCS_STYLES } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'
import type { BaseAddress } from './variants.ts'

/** The page has its files from this server and needs nothing from outside; the styles that it sets itself are inline. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Files of Swagger UI, with their media types. */
const PROGRAM: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'index.css': 'text/css',
  'favicon-32x32.png': 'image/png',
}

/** Files of Swagger UI by name; the pages of all base addresses share them. */
type DocsProgram = ReadonlyMap<string, ServedFile>

/** Reads the files of Swagger UI. */
export async function loadDocsProgram(): Promise<DocsProgram> {
  const directory = join(
    dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
    'static',
  )
  const files = Object.entries(PROGRAM).map(async ([name, type]) => {
    const content = await readFile(join(directory, name))
    return [name, serveFile(type, content)] as const
  })
  return new Map(await Promise.all(files))
}

/**
 * `GET {base}/docs`, a page to read and try the interface, a page for each error below it (rules 1.21), `GET {base}/openapi.json` (rules
 * 10.14), and `GET {base}`, which leads to the page.
 *
 * @param hooks hooks that each request passes first
 */
export function apiDocs(scope: FastifyInstance, { base, endpoints, program, hooks }: DocsOptions): void {
  const options = { onRequest: [...hooks] }
  const serve = (path: string, file: ServedFile, policy?: string) =>
    scope.get(path, options, (request, reply) => {
      if (policy) void reply.header('content-security-policy', policy)
      return sendFile(request, reply, file)
    })

  const files = `${base.path}/docs/static`
  const page = serveFile('text/html', docsPage(files))
  for (const path of ['/docs', '/docs/']) serve(path, page, PAGE_POLICY)
  for (const [name, file] of program) serve(`/docs/static/${name}`, file)
  serve('/docs/static/page.js', serveFile('text/javascript', docsScript(`${base.path}/openapi.json`)))
  serve('/docs/static/page.css', serveFile('text/css', DOCS_STYLES))
  // The document is made at the first request: making it takes longer than everything else at the start.
  const document = async () => JSON.stringify(await openApiDocument(base, await endpoints()))
  serve('/openapi.json', serveFile('application/json', document))
  const pages = errorPages(base.variant, endpoints)
  scope.get<{ Params: { code: string } }>('/docs/errors/:code', options, (request, reply) => {
    const about = pages.get(request.params.code)
    if (!about) throw new ServiceError('route_not_found')
    void reply.header('content-security-policy', PAGE_POLICY)
    return sendFile(request, reply, about)
  })
  scope.get('/docs/errors', options, (_request, reply) => reply.redirect(`${base.path}/docs/errors/`))
  scope.get('/', options, (_request, reply) => reply.redirect(`${base.path}/docs/`))
}

interface DocsOptions {
  readonly base: BaseAddress
  readonly endpoints: () => Promise<readonly Endpoint[]>
  readonly program: DocsProgram
  readonly hooks: readonly onRequestAsyncHookHandler[]
}
