import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { SHELL } from '../../src/core/people/operator.ts'
import { startChild } from '../support/children.ts'
import { command } from '../support/command-line.ts'
import { urlOf } from '../support/postgres.ts'
import { openService } from '../support/service.ts'
import { root } from '../support/tethered.ts'

const hasTerminals = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

/** A shop, and the operator's commands on it: what is printed when it is done, or the reason when it is refused. */
async function openShop() {
  const service = await openService()
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await command(args, { database: service.database })
    return (status === 0 ? stdout : stderr).trimEnd()
  }
  return { service, run }
}

test('nothing is given away for nothing unless it is said, and refusals name what was typed', async () => {
  const { service, run } = await openShop()
  const add = ['product', 'add', 'A', '--name-en', 'A', '--name-zh', 'A', '--price', '0']
  const refusal = 'A price of 0 gives it away for nothing: add --free if that is meant; nothing was changed'
  expect(await run(...add)).toBe(refusal)
  expect(await run(...add, '--free')).toBe('Added product A')
  expect(await run('price', 'set', 'A', '0', '--level', '1')).toBe(refusal)
  expect(await run('price', 'set', 'A', '0', '--level', '1', '--free')).toBe('A costs 0.00 USD for level 1')
  expect(await run('price', 'set', 'A', '1', '--min', '0')).toBe('--min must be at least 1')
  expect(await service.db.read.price.count()).toBe(2)
})

test('the operator changes what is known of a person, and nothing else of the account', async () => {
  const { service, run } = await openShop()
  await service.customer(await service.agent({ name: 'boss' }), { name: 'ann' })
  const read = (username: string) => service.db.read.account.findFirstOrThrow({ where: { username } })
  const before = await read('ann')
  expect(await run('account', 'edit', 'ANN', '--email', 'ann@example.com', '--remark', 'met in Berlin')).toBe(
    'Changed account ANN',
  )
  expect(await run('account', 'edit', 'ann', '--phone', '13800138000')).toBe('Changed account ann')
  expect(await read('ann')).toEqual({
    ...before,
    email: 'ann@example.com',
    phone: '13800138000',
    remark: 'met in Berlin',
    updatedAt: expect.any(Date),
  })
  expect(await run('agent', 'edit', 'boss', '--remark', 'pays late', '--email', 'nowhere')).toMatch(
    /^--email /,
  )
  expect(await run('agent', 'edit', 'boss', '--remark', 'pays late')).toBe('Changed agent boss')
  expect(await read('boss')).toMatchObject({ remark: 'pays late', email: '', level: 1, status: 'active' })
  expect(await run('account', 'edit', 'ann')).toBe('account has nothing to change: name at least one option')
})

test.skipIf(!hasTerminals)('whoever sits at a terminal is asked before something is disabled', async () => {
  const { service, run } = await openShop()
  await service.product('static')
  const disable = async (keys: string, ...more: string[]) => {
    const command = [
      process.execPath,
      `${root}dist/cli/operator.js`,
      'product edit static --disable',
      ...more,
    ]
    const terminal = startChild('script', ['-qec', command.join(' '), '/dev/null'], {
      env: { DATABASE_URL: urlOf(service.database) },
    })
    let shown = ''
    terminal.stdout.on('data', (chunk: Buffer) => {
      shown += chunk.toString()
      if (keys === '' || !shown.includes('[y/N] ')) return
      terminal.stdin.write(keys)
      keys = ''
    })
    const [status] = (await once(terminal, 'close')) as [number]
    const { enabled } = await service.db.read.product.findFirstOrThrow()
    await service.core.operator.editProduct(SHELL, 'static', { enabled: true })
    return { status, enabled, asked: shown.includes('Stop selling the product static? [y/N]') }
  }
  expect(await disable('n\r')).toEqual({ status: 1, enabled: true, asked: true })
  expect(await disable('\x03')).toEqual({ status: 1, enabled: true, asked: true })
  expect(await disable('y\r')).toEqual({ status: 0, enabled: false, asked: true })
  expect(await disable('', '--yes')).toEqual({ status: 0, enabled: false, asked: false })
  expect(await run('product', 'edit', 'static', '--disable')).toBe('Changed product static')
})
