import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test, vi } from 'vitest'
import { createLogger } from '../src/logger.ts'
import { finished, startChild } from './support/children.ts'
import { temporaryDirectory } from './support/service.ts'
import { root } from './support/tethered.ts'

test('An error that repeats itself is one line, and a second one that says how often', () => {
  vi.useFakeTimers()
  try {
    const lines: Record<string, unknown>[] = []
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
    const logger = createLogger({ level: 'info', format: 'pino' }, [], { write })
    const fault = () => new Error('the disk is full')
    for (let times = 1; times <= 5; times += 1) logger.error({ err: fault(), id: times }, 'a request failed')
    logger.error({ err: fault() }, 'a sweep failed')
    logger.error({ err: new Error('the disk is gone') }, 'a request failed')
    const told = () => lines.splice(0).map(({ msg, err, times }) => [msg, (err as Error)?.message, times])
    expect(told()).toEqual([
      ['a request failed', 'the disk is full', undefined],
      ['a sweep failed', 'the disk is full', undefined],
      ['a request failed', 'the disk is gone', undefined],
    ])
    vi.advanceTimersByTime(60_000)
    expect(lines[0]).toMatchObject({ level: 50, reason: 'the disk is full' })
    expect(told()).toEqual([['again: a request failed', undefined, 4]])
    logger.error({ err: fault() }, 'a request failed')
    expect(told()).toEqual([['a request failed', 'the disk is full', undefined]])
  } finally {
    vi.useRealTimers()
  }
})

test('The token of a bot is no part of a line, although it was added after the start', () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', format: 'pino' }, [], {
    write: (line) => void lines.push(line),
  })
  const token = '7000000001:AAE-a_token-of-thirty-five-characters'
  logger.error({ err: new Error(`GET https://api.telegram.org/bot${token}/getMe failed`) }, `for ${token}`)
  expect(lines.join('')).toContain('/bot[secret]/getMe failed')
  expect(lines.join('')).not.toContain('AAE-')
})

test('A stack of the compiled program names the lines of its sources', async () => {
  const directory = await temporaryDirectory()
  const program = `import { createLogger } from '${root}src/logger.ts'
    interface Made { readonly fault: Error }
    function faulty(): Made {
      return { fault: new Error('a fault') }
    }
    createLogger({ level: 'info', format: 'pino' }).error({ err: faulty().fault }, 'it failed')`
  await writeFile(join(directory, 'program.ts'), program)
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module' }))
  const outfile = join(directory, 'program.js')
  await build({
    entryPoints: [join(directory, 'program.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['pino'],
    sourcemap: true,
  })
  const { stdout } = await finished(startChild(process.execPath, [outfile]))
  const { err } = JSON.parse(stdout) as { err: { stack: string } }
  expect(err.stack).toMatch(/at faulty \(.*program\.ts:4:23\)\n/)
})
