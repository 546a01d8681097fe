import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'

/** A place in the compiled program, as stacks name it. */
const PLACE = /(file:\/\/\/[^\s()]*?\.js):(\d+):(\d+)/g

/** Source maps by file of the compiled program; undefined for a file without one. */
const maps = new Map<string, SourceMap | undefined>()

/**
 * Rewrites the stacks of errors in a text to name places in the sources instead of those in the compiled program. A map is read when
 * the first error needs it: `node --enable-source-maps` would read all of them at the start, which takes 0.3 s and 40 MB.
 */
export function withSources(text: string): string {
  return text.replaceAll(PLACE, (place, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, mapOf(file))
    const origin = maps.get(file)?.findOrigin(Number(line), Number(column))
    if (!origin || !('fileName' in origin) || !origin.fileName) return place
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function mapOf(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}
