import { readFileSync } from 'node:fs'
import { projectUrl } from './project-url.ts'

/** Returns the version of the service, which is also that of its API. */
export function productVersion(): string {
  const text = readFileSync(projectUrl('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
