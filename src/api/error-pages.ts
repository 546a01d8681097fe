import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../core/errors.ts'
import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '../core/languages.ts'
import { type ServedFile, serveFile } from '../served-file.ts'
import type { Endpoint } from './endpoint.ts'
import { ERROR_ADVICE } from './error-advice.ts'
import { ERROR_DATA } from './error-data.ts'
import { ERROR_STATUS } from './errors.ts'
import { codesOf, errorExample } from './openapi.ts'
import { TEXTS } from './texts/index.ts'
import type { Variant } from './variants.ts'

/** Returns the pages about errors (rules 1.21) by code, made from the tables that answers are made from; the empty code is the list. */
export function errorPages(
  variant: Variant,
  endpoints: () => Promise<readonly Endpoint[]>,
): ReadonlyMap<string, ServedFile> {
  const page = (body: () => string | Promise<string>) => serveFile('text/html', async () => body())
  return new Map([
    ['', page(listPage)],
    ...ERROR_CODES.map(
      (code) => [code, page(async () => errorPage(code, variant, await endpoints()))] as const,
    ),
  ])
}

function listPage(): string {
  const rows = ERROR_CODES.toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]).map(
    (code) =>
      `<tr><td>${ERROR_STATUS[code]}</td><td><a href="${code}"><code>${code}</code></a></td><td>${errorText(code, FALLBACK_LANGUAGE)}</td></tr>`,
  )
  return document(
    'Errors',
    `<p><a href="../">API documents</a></p>
<h1>Errors</h1>
<table>
<thead><tr><th scope="col">HTTP</th><th scope="col"><code>error</code></th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`,
  )
}

function errorPage(code: ErrorCode, variant: Variant, endpoints: readonly Endpoint[]): string {
  const others = LANGUAGES.filter((language) => language !== FALLBACK_LANGUAGE).map(
    (language) => ` <span lang="${language}">${errorText(code, language)}</span>`,
  )
  return document(
    code,
    `<p><a href="../">API documents</a> › <a href="./">Errors</a></p>
<h1><code>${code}</code></h1>
<p>HTTP ${ERROR_STATUS[code]}. ${errorText(code, FALLBACK_LANGUAGE)}.${others.join('')}</p>
<h2>What to do</h2>
<p>${withCode(ERROR_ADVICE[code])}</p>
<h2>What <code>data</code> holds</h2>
${dataTable(code)}
<h2>Example</h2>
<pre tabindex="0">${escaped(JSON.stringify(errorExample(code, variant.language), undefined, 2))}</pre>
<h2>Who answers it</h2>
${operations(
  endpoints.filter((endpoint) => codesOf(endpoint).has(code)),
  endpoints.length,
)}`,
  )
}

const errorText = (code: ErrorCode, language: Language) => escaped(TEXTS[language].errors[code])

function dataTable(code: ErrorCode): string {
  const { data } = ERROR_DATA[code] ?? {}
  if (!data) return '<p>Nothing: it is null.</p>'
  const rows = fieldsOf(z.toJSONSchema(data, { unrepresentable: 'any' })).map(
    ([name, description]) => `<tr><td><code>${name}</code></td><td>${withCode(description)}</td></tr>`,
  )
  return `<table>
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table>`
}

/** Returns fields with their descriptions, also those of a nullable object. */
function fieldsOf({
  properties,
  anyOf,
}: z.core.JSONSchema.BaseSchema): [name: string, description: string][] {
  const own = Object.entries(properties ?? {}).map(([name, field]): [string, string] => [
    name,
    typeof field === 'object' ? (field.description ?? '') : '',
  ])
  return [...own, ...(anyOf ?? []).flatMap((each) => (typeof each === 'object' ? fieldsOf(each) : []))]
}

function operations(answering: readonly Endpoint[], all: number): string {
  if (answering.length === 0) return '<p>The service itself, before it is known which operation is meant.</p>'
  if (answering.length > all / 2) return '<p>Most operations.</p>'
  const items = answering.map(
    ({ name, tag, summary }) =>
      `<li><a href="../#/${encodeURIComponent(tag)}/${name}"><code>${name}</code></a>: ${escaped(summary)}</li>`,
  )
  return `<ul>${items.join('\n')}</ul>`
}

/** Escapes a text, and marks what stands in backticks as code. */
function withCode(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const document = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Proxy reseller API</title>
<style>
:root { color-scheme: light dark; background: Canvas }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid #8884; padding: .4rem; text-align: left; vertical-align: top }
pre { overflow: auto; padding: .8rem; border: 1px solid #8884; border-radius: 6px }
</style>
</head>
<body><main>
${body}
</main></body>
</html>
`
