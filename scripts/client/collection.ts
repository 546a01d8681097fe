import type { Json, JsonOperation, OpenApi } from './document.ts'

/** Sent with each log-in: its token serves all other requests. */
const KEEP_TOKEN = [
  'const { data } = pm.response.json()',
  "if (data && data.token) pm.collectionVariables.set('token', data.token)",
]

/**
 * The document as a collection of requests in the format that Postman, Bruno, Insomnia and Hoppscotch import (Postman 2.1): a folder per
 * tag, the examples as bodies, and the token of the last log-in sent by itself. As it stands it is for a sandbox on this machine.
 */
export function collectionOf({ info, servers, tags, paths }: OpenApi): Json {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )
  return {
    info: {
      name: 'Proxy reseller API',
      description: info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('{{token}}'),
    variable: [
      { key: 'baseUrl', value: `http://127.0.0.1:3000${servers[0]?.url ?? ''}` },
      { key: 'token', value: '' },
      { key: 'gatewayToken', value: '' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => request(path, method.toUpperCase(), operation)),
    })),
  }
}

function request(path: string, method: string, operation: JsonOperation): Json {
  const { operationId, summary, description, security, parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json']
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const entry = ({ name, description: text, example }: (typeof parameters)[number]) => ({
    key: name,
    value: example === undefined ? '' : String(example),
    ...(text !== undefined && { description: text }),
  })
  return {
    name: summary,
    request: {
      method,
      description: [`\`${operationId}\``, description].filter(Boolean).join('\n\n'),
      ...(security && { auth: security.length === 0 ? { type: 'noauth' } : bearer('{{gatewayToken}}') }),
      header: [
        { key: 'Accept-Language', value: 'en' },
        // A key of its own for each request, unless somebody writes another one.
        ...of('header').map((parameter) =>
          parameter.name === 'Idempotency-Key'
            ? { ...entry(parameter), value: '{{$guid}}' }
            : entry(parameter),
        ),
        ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{baseUrl}}'],
        path: path
          .replace(/\{(\w+)\}/g, ':$1')
          .split('/')
          .slice(1),
        // Only what has an example is sent until somebody chooses more.
        query: of('query').map((parameter) => ({
          ...entry(parameter),
          ...(parameter.example === undefined && { disabled: true }),
        })),
        variable: of('path').map(entry),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body.example ?? {}, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    ...(operationId === 'logIn' && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_TOKEN } }],
    }),
  }
}

function bearer(token: string): Json {
  return { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] }
}
