import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import { projectUrl } from '../../src/project-url.ts'
import { finished, startChild } from './children.ts'

/**
 * Installs the tools of developers who use the API, unless they are there: they are a fifth of all packages, and only long tests need them.
 *
 * @returns their folder
 */
export async function installedGenerators(): Promise<string> {
  const folder = projectUrl('test/generators/').pathname
  if (!existsSync(`${folder}node_modules/.package-lock.json`)) {
    const installing = startChild('npm', ['ci', '--silent', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
    })
    expect(await finished(installing)).toMatchObject({ status: 0 })
  }
  return folder
}
