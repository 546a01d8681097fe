/**
 * `node library.mjs DOCUMENT DIRECTORY`: writes the part of the client library that hey-api makes of the document. It has
 * the types of each operation's errors, and a method with the description for each, without a library at run time.
 */
import { createClient } from '@hey-api/openapi-ts'

const [input = '', path = ''] = process.argv.slice(2)

await createClient({
  input,
  output: { path, importFileExtension: '.ts' },
  plugins: [
    '@hey-api/typescript',
    { name: '@hey-api/client-fetch', throwOnError: true },
    {
      name: '@hey-api/sdk',
      operations: { strategy: 'single', containerName: 'ResellerApi' },
      // The library authenticates all requests by itself.
      auth: false,
      responseStyle: 'data',
    },
  ],
  logs: { level: 'silent', file: false },
})
