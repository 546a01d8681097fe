/**
 * `node generate.mjs DIRECTORY A B`: makes the clients that developers would make, of the documents `a.json` and `b.json` in
 * DIRECTORY, and writes nowhere else. A and B are the addresses at which the two variants are served.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { generate as orval } from 'orval'

const [directory = '', ...addresses] = process.argv.slice(2)

// A generator that calls somebody fails.
Socket.prototype.connect = () => {
  throw new Error('a generator opens a connection')
}

for (const [index, variant] of ['a', 'b'].entries()) {
  const input = join(directory, `${variant}.json`)
  const output = join(directory, variant)
  await mkdir(output)
  await writeFile(
    join(output, 'openapi-typescript.ts'),
    astToString(await openapiTS(new URL(`file://${input}`))),
  )
  await createClient({ input, output: join(output, 'hey-api'), logs: { level: 'silent', file: false } })
  await orval(
    {
      input: { target: input },
      output: { target: join(output, 'orval.ts'), client: 'fetch', baseUrl: addresses[index] },
    },
    directory,
  )
}
