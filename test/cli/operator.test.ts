import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { productVersion } from '../../src/product-version.ts'
import { beside } from '../support/beside.ts'
import type { Finished } from '../support/children.ts'
import { command } from '../support/command-line.ts'
import { operator } from '../support/processes.ts'
import { databaseFile, openService, temporaryDirectory } from '../support/service.ts'

const json = ({ stdout }: Finished) => JSON.parse(stdout) as Record<string, unknown>

describe('the operator', () => {
  it('says its version', async () => {
    expect(await operator(['--version'])).toMatchObject({
      status: 0,
      stdout: `${productVersion()}\n`,
      stderr: '',
    })
  })

  it('sets up a shop while the service runs, which sells from it at once', async () => {
    const service = await openService()
    const { database } = service
    const stdin = 'typed, not in the history\n'
    const good = async (done: Promise<Finished>) => {
      expect(await done).toMatchObject({ status: 0, stderr: '' })
      return done
    }
    const run = (...args: string[]) => good(command(args, { database }))
    const runAsProcess = (...args: string[]) => good(operator(args, { database, stdin }))
    const created = await runAsProcess(
      'agent',
      'create',
      'Ann',
      '--password',
      '-',
      '--level',
      '2',
      '--balance',
      '100.5',
      '--json',
    )
    expect(json(created)).toEqual({
      id: 1,
      username: 'Ann',
      role: 'agent',
      level: 2,
      balance: 100.5,
      funding: 'transfer',
      currency: 'USD',
    })

    const product = [
      'product',
      'add',
      'us-shared',
      '--name-en',
      'Shared US',
      '--name-zh',
      '美国共享',
      '--price',
      '5',
      '--period',
      '30day',
    ]
    const options = [
      '--shared',
      '--project',
      'shop=A shop',
      '--project',
      'mail=Mail',
      '--refund-hours',
      '48',
      '--cidr',
      '--assign-ip',
    ]
    expect((await run(...product, ...options)).stdout).toBe('Added product us-shared\n')
    const file = join(await temporaryDirectory(), 'stock.csv')
    const lines = [1, 2, 3].map(
      (host) => `us-shared,192.0.2.${host},8000,user,secret,US,NY,USNYC,192.0.2.0/24`,
    )
    await writeFile(
      file,
      ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n'),
    )
    const [price, dryRun, balance] = await Promise.all([
      run('price', 'set', 'us-shared', '4.25', '--level', '2', '--min', '2'),
      runAsProcess('stock', 'import', file, '--dry-run'),
      run('balance', 'ann', '-0.5', '--remark', 'fee'),
    ])
    expect(price.stdout).toBe('us-shared costs 4.25 USD for level 2, from 2 on\n')
    expect(dryRun.stdout).toBe('3 proxies can be imported; nothing was changed\n')
    expect(balance.stdout).toMatch(/^Balance of Ann: 100\.50 USD -> 100\.00 USD \(T\d{17}\w{8}\)\n$/)
    expect((await run('stock', 'import', file)).stdout).toBe('Imported 3 proxies\n')

    const { account } = await service.core.accounts.logIn({
      username: 'ann',
      password: 'typed, not in the history',
      address: 'test',
    })
    const ann = { id: account.id, username: 'Ann', role: 'agent' as const, agentId: null, level: 2 }
    await service.order(ann, { poolId: 'us-shared', projectId: 'mail', ipCount: 2 })
    await service.runJobs()
    expect(await service.balance(ann)).toBe(91.5)

    const [list, audit] = await Promise.all([run('product', 'list'), runAsProcess('--json', 'audit')])
    expect(list.stdout).toBe(
      [
        'NUMBER     NAME       TYPE        BILLED   FREE  SOLD  ON SALE  PRICES',
        'us-shared  Shared US  103 shared  30 days  1     2     yes      4.25 level 2 from 2, 5.00',
        '',
      ].join('\n'),
    )
    expect(json(audit)).toEqual({ balanced: true, differences: [] })
  })

  it('is refused with status 1 and one line, or one JSON document', async () => {
    const database = await databaseFile()
    const refusals: [args: string[], line: string | RegExp][] = [
      [
        ['agent', 'create', 'ab', '--password', 'short'],
        'name must have at least 3 characters; --password must have at least 6 characters',
      ],
      [['stock', 'import', '/does/not/exist.csv'], /^The file cannot be read: ENOENT/],
    ]
    const missing = join(await temporaryDirectory(), 'wrong', 'path.db')
    const [asJson, noDatabase, ...asText] = await Promise.all([
      operator(['balance', 'nobody', '-5', '--remark', 'gift', '--json'], { database }),
      command(['audit'], { database: missing }),
      ...refusals.map(([args]) => command(args, { database })),
    ])
    expect(asJson).toMatchObject({ status: 1, stderr: '' })
    expect(json(asJson)).toEqual({
      error: 'user_not_found',
      message: 'There is no account of this name',
      data: null,
    })
    expect(noDatabase).toEqual({
      status: 1,
      stdout: '',
      stderr: `There is no database at ${missing}; DATABASE_URL says where it is\n`,
    })
    for (const [index, [, line]] of refusals.entries()) {
      expect(asText[index]).toMatchObject({ status: 1, stdout: '' })
      expect(asText[index]?.stderr.trimEnd()).toEqual(
        typeof line === 'string' ? line : expect.stringMatching(line),
      )
      expect(asText[index]?.stderr.match(/\n/g)).toHaveLength(1)
    }
  })

  it('gets status 2 for wrong usage, and 0 for asking for help', async () => {
    const database = await databaseFile()
    const [both, asJson, help] = await Promise.all([
      operator(['price', 'set', 'p', '5', '--level', '1', '--user', 'somebody'], { database }),
      operator(['frobnicate', '--json'], { database }),
      operator(['--help'], { database }),
    ])
    await expect(command(['balance', 'somebody', '-1e3', '--remark', 'x'], { database })).rejects.toThrow(
      'It must be an amount such as 12, 12.5 or -0.000001.',
    )
    expect(both).toEqual({
      status: 2,
      stdout: '',
      stderr: "option '--level <number>' cannot be used with option '--user <name>'\n",
    })
    expect(asJson).toMatchObject({ status: 2, stderr: '' })
    expect(json(asJson)).toEqual({ error: 'usage', message: "unknown command 'frobnicate'", data: null })
    expect(help).toMatchObject({ status: 0, stderr: '' })
  })

  it('is told every bad line of a stock file by its number, twenty at most', async () => {
    const service = await openService()
    await service.product('static')
    const directory = await temporaryDirectory()
    const write = async (name: string, ports: string[]) => {
      const lines = ports.map((port, host) => `static,192.0.2.${host},${port},user,secret,US,,,`)
      await writeFile(
        join(directory, name),
        ['product_no,ip,port,username,password,country_code,state,city_code,cidr', ...lines].join('\n'),
      )
      return join(directory, name)
    }
    const few = await write('few.csv', ['8000', '0', '8000', 'x'])
    const many = await write(
      'many.csv',
      Array.from({ length: 25 }, () => '0'),
    )
    const [asJson, cut] = await Promise.all([
      command(['stock', 'import', few, '--json'], { database: service.database }),
      command(['stock', 'import', many], { database: service.database }),
    ])
    expect(json(asJson)).toEqual({
      error: 'validation_error',
      message: 'The file has bad lines; nothing of it was taken',
      data: {
        errors: [
          { line: 3, message: 'port must be 1-65535', reason: 'bad_port' },
          { line: 5, message: 'port must be 1-65535', reason: 'bad_port' },
        ],
      },
    })
    expect(cut.stderr.trimEnd().split('\n')).toHaveLength(22)
    expect(cut.stderr).toMatch(/^line 2: port must be 1-65535\nline 3: /)
    expect(cut.stderr).toMatch(
      /\nline 21: port must be 1-65535\nand 5 more\nThe file [^\n]+ nothing of it was taken\n$/,
    )
    expect(await service.db.read.stockIp.count()).toBe(0)
  })

  it('sees where the books do not balance', async () => {
    const service = await openService()
    await service.agent({ name: 'ann', balance: 10 })
    const { unwatched } = await beside(service)
    await unwatched('UPDATE accounts SET balance = balance + 1')
    expect(await command(['audit'], { database: service.database })).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'The books do not balance: 1 difference\n  ann: 10.000001 instead of 10.00 (every balance is the sum of its entries)\n',
    })
    await service.core.books.check()
    const fee = ['balance', 'ann', '-1', '--remark', 'fee']
    expect((await command(fee, { database: service.database })).stderr).toBe(
      'The books of this account do not balance, and it spends nothing until they do: `audit` shows the difference\n',
    )
  })

  it('needs only the database, which .env may name, and nothing of the bot', async () => {
    const directory = await temporaryDirectory()
    await writeFile(
      join(directory, '.env'),
      'NODE_ENV=production\nDATABASE_URL=file:./shop.db\nCURRENCY=EUR\nPORT=nonsense\n',
    )
    const created = await operator(['agent', 'create', 'ann', '--password', 'secret', '--balance', '5'], {
      cwd: directory,
    })
    expect(created).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^Warning: this password stays in the log files of npm [^\n]+\n$/),
      stdout: 'Created agent ann (id 1): level 1, balance 5.00 EUR, funding transfer\n',
    })
    const [elsewhere, wrong] = await Promise.all([
      command(['balance', 'ann', '1', '--remark', 'x', '--json'], {
        database: join(directory, 'shop.db'),
        env: { CURRENCY: 'EUR' },
      }),
      command(['audit'], { database: 'shop.db', env: { DATABASE_URL: 'mysql://localhost/shop' } }),
    ])
    expect(json(elsewhere)).toMatchObject({
      username: 'ann',
      amount: 1,
      old_balance: 5,
      new_balance: 6,
      remark: 'x',
      currency: 'EUR',
    })
    expect(wrong).toMatchObject({ status: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/^[^\n]*DATABASE_URL must be a file: URL[^\n]*\n$/)
  })
})
