import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService, temporaryDirectory } from '../support/service.ts'

it('the operator adds a product with its gateway and feeds what the gateway reports, while the service runs', async () => {
  const service = await openService()
  const run = (...args: string[]) => command(args, { database: service.database })
  const product = ['product', 'add', 'dyn', '--name-en', 'Dynamic', '--name-zh', '动态', '--price', '2']
  const traffic = ['--type', '104', '--pool', 'dynamic_1']
  const refused = await run(...product, ...traffic)
  expect(refused).toEqual({
    status: 1,
    stdout: '',
    stderr: '--gateway belongs to the types 104 and 105, and to no other: add --gateway host:port\n',
  })
  expect((await run(...product, ...traffic, '--gateway', 'gw.example.com')).stderr).toBe(
    '--gateway must be host:port, such as gw.example.com:8000\n',
  )
  expect((await run(...product, ...traffic, '--gateway', 'gw.example.com:8000')).stdout).toBe(
    'Added product dyn\n',
  )
  expect((await run('product', 'list')).stdout).toContain('GB of dynamic_1 at gw.example.com:8000')
  expect(JSON.parse((await run('product', 'list', '--json')).stdout)).toMatchObject({
    items: [{ product_no: 'dyn', pool: 'dynamic_1', gateway: 'gw.example.com:8000' }],
  })

  const buyer = await service.agent({ balance: 10 })
  await service.buyTraffic(buyer, { poolId: 'dyn', trafficAmount: 2 })
  const { username } = await service.db.read.traffic.findFirstOrThrow()
  const file = join(await temporaryDirectory(), 'usage.csv')
  await writeFile(
    file,
    `account,bytes,report_id\n${username}-country-us,1500000000,r1\n${username},1000000000,r2\n`,
  )
  expect(await run('usage', 'import', file)).toEqual({
    status: 0,
    stderr: '',
    stdout: 'Counted 2 GB of 2 reports; 0.5 GB went beyond what was left\n',
  })
  expect((await run('usage', 'import', file)).stdout).toBe('Counted 0 GB of 0 reports; 2 had come before\n')
  expect(JSON.parse((await run('usage', 'import', file, '--json')).stdout)).toEqual({
    imported: 0,
    known: 2,
    counted_bytes: 0,
    uncounted_bytes: 0,
  })
  expect(await service.core.traffic.remainingFlow(buyer, buyer.id, 'dyn')).toMatchObject({ remaining: 0 })

  await writeFile(file, `account,bytes,report_id\n${username},1,r3\nnobody,1,r4\n`)
  expect(await run('usage', 'import', file)).toMatchObject({
    status: 1,
    stderr: 'line 3: account nobody does not exist\nThe file has bad lines; nothing of it was taken\n',
  })
  expect((await run('usage', 'import', 'missing.csv')).stderr).toMatch(/^The file cannot be read: /)
  expect((await run('audit')).stdout).toBe('The books balance\n')
})
