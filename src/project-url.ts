import { existsSync } from 'node:fs'

/** Where package.json is: above this file as it is written, and above the one into which it was compiled. */
function projectRoot(): URL {
  let directory = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', directory))) directory = new URL('..', directory)
  return directory
}

const root = projectRoot()

/**
 * A file or folder that is read as it is: a migration, a page.
 *
 * @param path from the project's root; that of a folder ends with a slash
 */
export function projectUrl(path: string): URL {
  return new URL(path, root)
}

/** A program of its own, such as `backup/worker`: compiled where this one is. */
export function programUrl(path: string): URL {
  return import.meta.url.endsWith('.ts') ? projectUrl(`src/${path}.ts`) : projectUrl(`dist/${path}.js`)
}
