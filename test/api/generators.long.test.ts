import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { projectUrl } from '../../src/project-url.ts'
import { openApi } from '../support/api.ts'
import { finished, startChild } from '../support/children.ts'
import { installedGenerators } from '../support/generators.ts'
import { PASSWORD, temporaryDirectory } from '../support/service.ts'
import { root } from '../support/tethered.ts'

const CLIENTS = ['openapi-typescript', 'hey-api', 'orval'] as const

/** What developers set for a new project, with all of `lib` and no types but those of the generated code. */
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
}

interface Client {
  readonly buy: (baseUrl: string, login: { username: string; password: string }) => Promise<string>
}

test('Clients generated from the served documents compile strictly, and each buys a proxy', async () => {
  const generators = await installedGenerators()
  const { server, core, agent, product, stock } = await openApi()
  await product()
  await stock('static', CLIENTS.length * 2)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const buyer = await agent({ balance: 1000 })
  const directory = await temporaryDirectory()
  const variants = ['a', 'b'].map((name) => ({
    name,
    folder: join(directory, name),
    address: `${origin}/${name}/api`,
  }))

  for (const { folder, address } of variants)
    await writeFile(`${folder}.json`, await (await fetch(`${address}/openapi.json`)).text())
  const generating = startChild(
    process.execPath,
    [join(generators, 'generate.mjs'), directory, ...variants.map(({ address }) => address)],
    // Nothing but what a generator needs, and no place to write to but this one.
    { cwd: directory, env: { PATH: process.env['PATH'] ?? '', HOME: directory, TMPDIR: directory } },
  )
  expect(await finished(generating)).toMatchObject({ status: 0, stderr: '' })

  // Clients find their library where the generators are installed.
  await symlink(join(generators, 'node_modules'), join(directory, 'node_modules'))
  for (const { folder } of variants) {
    for (const client of CLIENTS)
      await copyFile(join(generators, 'clients', `${client}.ts`), join(folder, `buy-with-${client}.ts`))
  }
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['a', 'b'] }),
  )
  const tsc = projectUrl('node_modules/typescript/bin/tsc').pathname
  const compiling = startChild(process.execPath, [tsc, '-p', directory])
  expect(await finished(compiling)).toMatchObject({ status: 0, stdout: '' })

  const bought: string[] = []
  for (const { name, folder, address } of variants) {
    const outdir = join(directory, `${name}-compiled`)
    await mkdir(outdir)
    await build({
      entryPoints: CLIENTS.map((client) => join(folder, `buy-with-${client}.ts`)),
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    })
    for (const client of CLIENTS) {
      const compiled = pathToFileURL(join(outdir, `buy-with-${client}.mjs`)).href
      const { buy } = (await import(compiled)) as Client
      bought.push(await buy(address, { username: buyer.username, password: PASSWORD }))
    }
  }
  const { items } = await core.orders.listStatic(buyer, {})
  expect(items.map(({ orderNo }) => orderNo).toSorted()).toEqual(bought.toSorted())
  expect(items).toHaveLength(CLIENTS.length * variants.length)
})

interface Report {
  readonly problems: readonly { ruleId: string; message: string; location: readonly { pointer?: string }[] }[]
}

/** What `npx redocly lint` has to say about a document. It is told to call nobody. */
async function lint(redocly: string, file: string): Promise<string[]> {
  const args = ['lint', file, '--config', join(root, 'redocly.yaml'), '--format', 'json']
  const { stdout } = await finished(
    startChild(process.execPath, [redocly, ...args], {
      cwd: dirname(file),
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    }),
  )
  const { problems } = JSON.parse(stdout) as Report
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  )
}

test('Linters of OpenAPI documents have nothing to say about either variant', async () => {
  const redocly = join(await installedGenerators(), 'node_modules/@redocly/cli/bin/cli.js')
  const { server } = await openApi()
  const directory = await temporaryDirectory()
  for (const variant of ['a', 'b']) {
    const file = join(directory, `${variant}.json`)
    await writeFile(file, (await server.inject(`/${variant}/api/openapi.json`)).body)
    expect(await lint(redocly, file)).toEqual([])
  }
})
