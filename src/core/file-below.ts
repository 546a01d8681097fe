import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'

/**
 * Returns the real path of a file, with links resolved.
 *
 * @param folder in which it must stand, at any depth
 * @returns undefined when there is no such file there
 */
export async function fileBelow(folder: string, file: string): Promise<string | undefined> {
  try {
    const [base, path] = [await realpath(folder), await realpath(file)]
    return relative(base, path).startsWith('..') ? undefined : path
  } catch {
    return undefined
  }
}
