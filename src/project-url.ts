import { existsSync } from 'node:fs'

/** Returns the folder of package.json, which is above this file both in `src` and, compiled, in `dist`. */
function projectRoot(): URL {
  let directory = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', directory))) directory = new URL('..', directory)
  return directory
}

const root = projectRoot()

/**
 * Returns the URL of a file or folder that is not compiled: a migration, a page.
 *
 * @param path from the project's root; that of a folder ends with a slash
 */
export function projectUrl(path: string): URL {
  return new URL(path, root)
}

/** Returns the URL of a program of its own, such as `backup/worker`: compiled where this module is. */
export function programUrl(path: string): URL {
  return import.meta.url.endsWith('.ts') ? projectUrl(`src/${path}.ts`) : projectUrl(`dist/${path}.js`)
}
