import { describe, expect, it } from 'vitest'
import { SHELL } from '../../../src/core/people/operator.ts'
import { openService } from '../../support/service.ts'

const HEADER = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'

async function shop() {
  const service = await openService()
  await service.product('single')
  await service.product('shared', { shared: true })
  await service.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
  const load = (...lines: string[]) => service.core.operator.importStock(SHELL, [HEADER, ...lines].join('\n'))
  const count = () => service.db.read.stockIp.count()
  return { ...service, load, count }
}

/** What a file with these lines is refused with. */
async function complaints(...lines: string[]): Promise<string[]> {
  return complaintsOf(await shop(), ...lines)
}

async function complaintsOf(
  { load, count }: Awaited<ReturnType<typeof shop>>,
  ...lines: string[]
): Promise<string[]> {
  const error: unknown = await load('single,192.0.2.200,8000,u,p,US,,,', ...lines).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code: 'validation_error' })
  expect(await count()).toBe(0)
  const { errors } = (error as { data: { errors: { line: number; message: string }[] } }).data
  return errors.map(({ line, message }) => `${line}: ${message}`)
}

describe('a good file', () => {
  it('becomes stock, in places that are made as needed', async () => {
    const { load, core, agent } = await shop()
    expect(
      await load(
        'single,192.0.2.1,8000,alice,p-1,US,CA,USLAX,192.0.2.0/24',
        'single,192.0.2.2,8000,alice,p-1,US,CA,USLAX,192.0.2.0/24',
        'single,2001:DB8::1,65535,bob,s3cret,DE,,,2001:db8::/32',
      ),
    ).toMatchObject({ imported: 3, skipped: 0, dryRun: false, namelessCities: [], severalPorts: [] })
    const offers = await core.catalog.query(await agent())
    expect(offers.filter(({ pool }) => !pool)).toMatchObject([
      { productNo: 'single', countryCode: 'DE', state: '', cityCode: '', stock: 1 },
      { productNo: 'single', countryCode: 'US', state: 'CA', cityCode: 'USLAX', stock: 2 },
    ])
  })

  it('may have a byte order mark, Windows line ends, spaces, empty lines, quotation marks, and columns in another order', async () => {
    const { core, db } = await shop()
    const csv =
      '\ufeffpassword,ip,port,username,country_code,state,city_code,cidr,product_no,note\r\n\r\n"p,1", 192.0.2.1 ,8000,u,US,,,,single,hello\r\n'
    await core.operator.importStock(SHELL, csv)
    expect(await db.read.stockIp.findMany()).toMatchObject([{ ip: '192.0.2.1', port: 8000, password: 'p,1' }])
  })

  it.each([
    ['semicolons', ';', ''],
    ['semicolons that its first line names', ';', 'sep=;\r\n'],
    ['commas that its first line names', ',', '\uFEFFsep=,\r\n'],
    ['tabs', '\t', '\uFEFF'],
  ])('may come from any spreadsheet: %s, capitals, empty rows', async (_, divider, before) => {
    const { core, db } = await shop()
    const rows = [
      HEADER.toUpperCase(),
      '',
      'single,192.0.2.1,8000,u,"p;1",US,,,',
      ',,,,,,,,',
      'single,192.0.2.2,8000,u,"p,2",US,,,',
    ]
    const lines = rows.map((row) => row.replaceAll(/,(?!2")/g, divider))
    const csv = before + lines.join('\r\n')
    await core.operator.importStock(SHELL, csv)
    expect(await db.read.stockIp.findMany()).toMatchObject([{ password: 'p;1' }, { password: 'p,2' }])
    await expect(core.operator.importStock(SHELL, csv)).rejects.toMatchObject({
      data: { errors: [3, 5].map((line) => ({ line: line + (before.includes('sep') ? 1 : 0) })) },
    })
  })

  it('may write countries small and name private networks; cities without a name are told', async () => {
    const { load, db } = await shop()
    expect(
      await load('single,10.0.0.1,8000,u,p,us,,USXYZ,', 'single,192.168.1.1,8000,u,p,Us,,USNYC,'),
    ).toMatchObject({ imported: 2, namelessCities: ['USXYZ'] })
    expect(await db.read.location.count({ where: { countryCode: 'US' } })).toBe(2)
  })

  it('may bring proxies that are in the stock already, when they are to be left out', async () => {
    const { core, load, count, db } = await shop()
    await load('single,192.0.2.1,8000,u,p,US,,,')
    const csv = [HEADER, 'single,192.0.2.1,8000,other,q,US,,,', 'single,192.0.2.2,8000,u,p,US,,,'].join('\n')
    expect(await core.operator.importStock(SHELL, csv, { skipExisting: true, dryRun: true })).toMatchObject({
      imported: 1,
      skipped: 1,
    })
    expect(await core.operator.importStock(SHELL, csv, { skipExisting: true })).toMatchObject({
      imported: 1,
      skipped: 1,
    })
    expect(await core.operator.importStock(SHELL, csv, { skipExisting: true })).toMatchObject({
      imported: 0,
      skipped: 2,
    })
    expect(await count()).toBe(2)
    expect(await db.read.stockIp.count({ where: { username: 'other' } })).toBe(0)
  })

  it('is only checked in a dry run', async () => {
    const { core, count, db } = await shop()
    const csv = `${HEADER}\nsingle,192.0.2.1,8000,u,p,US,,,\n`
    expect(await core.operator.importStock(SHELL, csv, { dryRun: true })).toMatchObject({
      imported: 1,
      dryRun: true,
    })
    expect([await count(), await db.read.location.count()]).toEqual([0, 0])
    await core.operator.importStock(SHELL, csv)
    expect(await count()).toBe(1)
  })

  it('may be large', async () => {
    const { load, count } = await shop()
    await load(...Array.from({ length: 5000 }, (_, n) => `single,10.0.${n >> 8}.${n & 255},8000,u,p,US,,,`))
    expect(await count()).toBe(5000)
  })
})

describe('a bad line is named by its number in the file, and nothing is imported', () => {
  it('whatever is wrong with it', async () => {
    const open = await shop()
    for (const [title, line, message] of [
      ['product', 'nothing,192.0.2.1,8000,u,p,US,,,', 'product_no nothing does not exist'],
      ['missing product', ',192.0.2.1,8000,u,p,US,,,', 'product_no is missing'],
      [
        'product sold by traffic',
        'traffic,192.0.2.1,8000,u,p,US,,,',
        'product_no traffic is sold by traffic, not per IP',
      ],
      ['address', 'single,192.0.2.256,8000,u,p,US,,,', 'ip is not an IP address'],
      ['address with zeros in front', 'single,192.0.02.1,8000,u,p,US,,,', 'ip is not an IP address'],
      ['name for an address', 'single,example.com,8000,u,p,US,,,', 'ip is not an IP address'],
      ['port 0', 'single,192.0.2.1,0,u,p,US,,,', 'port must be 1-65535'],
      ['port beyond all ports', 'single,192.0.2.1,65536,u,p,US,,,', 'port must be 1-65535'],
      ['port that is no number', 'single,192.0.2.1,80a,u,p,US,,,', 'port must be 1-65535'],
      [
        'missing username',
        'single,192.0.2.1,8000,,p,US,,,',
        'username must be 1-128 characters without spaces and colons',
      ],
      [
        'colon in the password',
        'single,192.0.2.1,8000,u,p:q,US,,,',
        'password must be 1-128 characters without spaces and colons',
      ],
      [
        'space in the password',
        'single,192.0.2.1,8000,u,p q,US,,,',
        'password must be 1-128 characters without spaces and colons',
      ],
      [
        'country that does not exist',
        'single,192.0.2.1,8000,u,p,XX,,,',
        'country_code is not an ISO 3166 two-letter country code',
      ],
      [
        'state',
        'single,192.0.2.1,8000,u,p,US,New York,,',
        'state must be a code of at most 16 letters, digits and hyphens',
      ],
      [
        'city',
        "single,192.0.2.1,8000,u,p,US,,';--,",
        'city_code must be a code of at most 16 letters, digits and hyphens',
      ],
      [
        'range',
        'single,192.0.2.1,8000,u,p,US,,,192.0.2.0/33',
        'cidr is not a CIDR range that contains the ip',
      ],
      [
        'range of other addresses',
        'single,192.0.2.1,8000,u,p,US,,,198.51.100.0/24',
        'cidr is not a CIDR range that contains the ip',
      ],
      [
        'range of the other kind of address',
        'single,192.0.2.1,8000,u,p,US,,,2001:db8::/32',
        'cidr is not a CIDR range that contains the ip',
      ],
      [
        'address that is in the file already',
        'single,192.0.2.200,8000,v,q,DE,,,',
        'ip 192.0.2.200 port 8000 comes twice in this file',
      ],
    ] as const)
      expect({ title, said: await complaintsOf(open, line) }).toEqual({ title, said: [`3: ${message}`] })
  })

  it('addresses at which nobody can reach a proxy', async () => {
    const ipv4 = ['127.0.0.1', '0.0.0.0', '169.254.1.1', '224.0.0.1', '255.255.255.255']
    const nobodys = ipv4.concat('::', '::1', 'fe80::1', 'ff02::1', '::ffff:127.0.0.1')
    expect(await complaints(...nobodys.map((ip) => `single,${ip},8000,u,p,US,,,`))).toEqual(
      nobodys.map((_ip, index) => `${index + 3}: ip is no address at which customers can reach a proxy`),
    )
  })

  it('another number of columns', async () => {
    expect(await complaints('single,192.0.2.1,8000')).toEqual([
      '3: has another number of columns than the header, or an open quotation mark',
    ])
  })

  it('each of them, with all that is wrong with it', async () => {
    expect(
      await complaints(
        'single,192.0.2.1,8000,u,p,US,,,',
        'single,x,y,u,p,US,,,',
        '',
        'single,192.0.2.3,8000,u,p,UK,,,',
      ),
    ).toEqual([
      '4: ip is not an IP address',
      '4: port must be 1-65535',
      '6: country_code is not an ISO 3166 two-letter country code',
    ])
  })

  it('without repeating its credentials', async () => {
    const messages = await complaints('single,192.0.2.1,8000,top:user,top secret,US,,,')
    expect(messages.join()).not.toMatch(/top/)
  })
})

describe('a bad file', () => {
  it('is refused', async () => {
    const { core } = await shop()
    for (const [title, csv, message] of [
      ['empty', '', 'the file has no proxies'],
      ['only a header', HEADER, 'the file has no proxies'],
      [
        'a header that lacks columns',
        'product_no,ip,port\nsingle,192.0.2.1,8000',
        'the header lacks username, password, country_code, state, city_code, cidr',
      ],
      [
        'no header',
        'single,192.0.2.1,8000,u,p,US,,,x\nsingle,192.0.2.2,8000,u,p,US,,,x',
        `the header lacks ${HEADER.replaceAll(',', ', ')}`,
      ],
    ] as const)
      await expect(core.operator.importStock(SHELL, csv), title).rejects.toMatchObject({
        data: { errors: [{ line: 1, message }] },
      })
  })
})

describe('an address', () => {
  it('has one exclusive proxy on each port, in whatever spelling', async () => {
    const { load, count, order, runJobs, agent, audited } = await shop()
    await load('single,2001:db8::1,8000,u,p,US,,,')
    await expect(load('single,2001:0DB8:0::0001,08000,v,q,US,,,')).rejects.toMatchObject({
      data: { errors: [{ line: 2, message: 'ip 2001:db8::1 port 08000 is in the stock already' }] },
    })
    expect(await load('single,2001:db8::1,8001,u,p,US,,,')).toMatchObject({ severalPorts: ['2001:db8::1'] })
    expect(await count()).toBe(2)
    await order(await agent({ balance: 5 }), { poolId: 'single', ipCount: 2 })
    await runJobs()
    await audited()
  })

  it('has many seats of a shared product, one for each username', async () => {
    const { load, count } = await shop()
    await load(
      'shared,192.0.2.1,8000,u1,p,US,,,',
      'shared,192.0.2.1,8000,u2,p,US,,,',
      'shared,192.0.2.1,8001,u3,p,US,,,',
    )
    await expect(load('shared,192.0.2.1,8000,u2,p,US,,,')).rejects.toMatchObject({ code: 'validation_error' })
    expect(await load('shared,192.0.2.1,9000,u2,p,US,,,')).toMatchObject({ imported: 1, severalPorts: [] })
    expect(await count()).toBe(4)
  })

  it('is either exclusive or shared', async () => {
    const { load } = await shop()
    await load('single,192.0.2.1,8000,u,p,US,,,', 'shared,192.0.2.2,8000,u,p,US,,,')
    await expect(load('shared,192.0.2.1,8000,other,p,US,,,')).rejects.toMatchObject({
      code: 'validation_error',
    })
    await expect(load('single,192.0.2.2,8000,other,p,US,,,')).rejects.toMatchObject({
      code: 'validation_error',
    })
  })

  it('stays taken when it is sold', async () => {
    const { load, order, runJobs, agent } = await shop()
    await load('single,192.0.2.1,8000,u,p,US,,,')
    await order(await agent({ balance: 5 }), { poolId: 'single' })
    await runJobs()
    await expect(load('single,192.0.2.1,8000,u,p,US,,,')).rejects.toMatchObject({ code: 'validation_error' })
  })

  it('that two files bring at the same moment is imported once', async () => {
    const { load, count } = await shop()
    const results = await Promise.allSettled([
      load('single,192.0.2.1,8000,u,p,US,,,'),
      load('single,192.0.2.1,8000,u,p,US,,,'),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await count()).toBe(1)
  })
})
