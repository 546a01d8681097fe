import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectUrl } from '../../src/project-url.ts'
import { finished, startChild } from '../support/children.ts'
import { startProcess } from '../support/process.ts'
import { temporaryDirectory } from '../support/service.ts'

const PACKAGE = projectUrl('clients/typescript').pathname
/** What developers set for a new project. */
const COMPILER_OPTIONS = { strict: true, target: 'es2022', module: 'nodenext', types: ['node'] }

test('The programs of the README compile strictly, and the first one buys proxies in the sandbox', async () => {
  const directory = await temporaryDirectory()
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const [buy = '', receive = ''] = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code = '']) => code)
  expect(buy.trim().split('\n').length).toBeLessThanOrEqual(30)
  await mkdir(join(directory, 'node_modules', '@types'), { recursive: true })
  await symlink(PACKAGE, join(directory, 'node_modules', 'proxy-reseller-client'))
  await symlink(
    projectUrl('node_modules/@types/node').pathname,
    join(directory, 'node_modules', '@types', 'node'),
  )
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  await writeFile(join(directory, 'buy.ts'), buy)
  await writeFile(join(directory, 'receive.ts'), receive)
  const tsc = projectUrl('node_modules/typescript/bin/tsc').pathname
  const compiling = startChild(process.execPath, [tsc, '-p', directory])
  expect(await finished(compiling)).toMatchObject({ status: 0, stdout: '' })

  const { address } = await startProcess(
    { PORT: '0', DATABASE_URL: `file:${directory}/reseller.db` },
    directory,
  )
  const buying = startChild(process.execPath, [join(directory, 'buy.js')], {
    cwd: directory,
    env: { RESELLER_URL: address },
  })
  const { status, stdout, stderr } = await finished(buying)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(/^(\d+\.\d+\.\d+\.\d+:\d+:\w+:\w+\n){2}$/)
})
