import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectUrl } from '../../src/project-url.ts'
import { collectionOf } from './collection.ts'
import { type OpenApi, widestDocument } from './document.ts'

/**
 * Writes everything in `clients` that is made of the API document.
 *
 * @param clients the folder `clients`, or one that is to be compared with it
 */
export async function writeClients(clients: string): Promise<void> {
  const document = await widestDocument()
  const generated = join(clients, 'typescript', 'src', 'generated')
  const scratch = await mkdtemp(join(tmpdir(), 'reseller-client-'))
  try {
    const input = join(scratch, 'openapi.json')
    await writeFile(input, JSON.stringify(document))
    await rm(generated, { recursive: true, force: true })
    execFileSync(process.execPath, [projectUrl('scripts/client/library.mjs').pathname, input, generated], {
      stdio: 'inherit',
    })
  } finally {
    await rm(scratch, { recursive: true })
  }
  await writeFile(join(generated, 'refusals.gen.ts'), refusalsOf(document))
  await mkdir(join(clients, 'collection'), { recursive: true })
  await writeFile(
    join(clients, 'collection', 'proxy-reseller.postman_collection.json'),
    `${JSON.stringify(collectionOf(document), null, 2)}\n`,
  )
}

/** The union of all errors, which hey-api does not write. */
function refusalsOf({ components }: OpenApi): string {
  const names = Object.entries(components.schemas).flatMap(([name, { properties }]) =>
    (properties?.['error'] as { const?: string } | undefined)?.const === undefined ? [] : name,
  )
  return `import type { ${names.join(', ')} } from './types.gen.ts'

/** Every refusal of the service; \`error\` tells them apart. */
export type Refusal = ${names.join(' | ')}
`
}
