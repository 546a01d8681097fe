import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeClients } from '../../scripts/client/write.ts'
import { isIn } from '../../src/api/endpoint.ts'
import { VARIANTS } from '../../src/api/variants.ts'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { projectUrl } from '../../src/project-url.ts'
import { temporaryDirectory } from '../support/service.ts'

const CLIENTS = projectUrl('clients').pathname
const MADE = ['typescript/src/generated', 'collection']
const COLLECTION = 'collection/proxy-reseller.postman_collection.json'

/** All files below, by name. */
async function contentOf(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file.slice(directory.length), await readFile(file, 'utf8')]),
    ),
  ) as Record<string, string>
}

test('Client library and collection are those of the API document: run "npm run client" after a change', async () => {
  const directory = await temporaryDirectory()
  await writeClients(directory)
  for (const made of MADE) {
    const [now, then] = await Promise.all([contentOf(join(directory, made)), contentOf(join(CLIENTS, made))])
    const changed = Object.keys({ ...now, ...then }).filter((file) => now[file] !== then[file])
    expect(changed, `${made}: npm run client`).toEqual([])
  }
})

interface CollectionFolder {
  readonly item: readonly {
    readonly request: { readonly description: string; readonly url: { readonly raw: string } }
  }[]
}

test('The collection has every operation once, with the example as its body', async () => {
  const { item } = JSON.parse(await readFile(join(CLIENTS, COLLECTION), 'utf8')) as {
    item: CollectionFolder[]
  }
  const requests = item.flatMap((folder) => folder.item)
  const named = requests.map(({ request }) => /^`(\w+)`/.exec(request.description)?.[1] ?? '')
  expect(named.toSorted()).toEqual(
    ENDPOINTS.filter(isIn(VARIANTS.B))
      .map(({ name }) => name)
      .toSorted(),
  )
})
