import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService, temporaryDirectory } from '../support/service.ts'

const NOTHING_TAKEN = 'The file has bad lines; nothing of it was taken'

/** A shop, and the operator's `stock …` on it: what is printed when it is done, or the reasons when it is refused. */
async function openStock() {
  const service = await openService()
  const directory = await temporaryDirectory()
  const stock = async (...args: string[]) => {
    const { status, stdout, stderr } = await command(['stock', ...args], { database: service.database })
    return (status === 0 ? stdout : stderr).trimEnd().split('\n')
  }
  const file = async (...lines: string[]) => {
    const path = join(directory, 'update.csv')
    await writeFile(path, ['ip,port,username,password', ...lines].join('\n'))
    return path
  }
  return { service, stock, file }
}

it('An address that is taken off sale is sold to nobody, stays with whoever has it, and comes back when it is put on sale', async () => {
  const { service, stock } = await openStock()
  expect(await stock('list')).toEqual(['The stock is empty'])
  await service.product('static', { refundHours: 24, assignIpSupported: true })
  await service.stock('static', 3, { ips: ['198.51.100.1', '198.51.100.2', '2001:db8::3'] })
  const buyer = await service.agent({ balance: 100 })
  const { orderNo } = await service.order(buyer, { assignedIp: '198.51.100.1' })
  await service.runJobs()

  expect(await stock('disable', '198.51.100.1', '2001:DB8:0::3')).toEqual([
    '2 proxies are off sale, 1 of them when the order that has it gives it back',
  ])
  expect(await stock('list')).toEqual([
    'PRODUCT  COUNTRY  STATE  CITY  FREE  HELD  RESTING  OFF SALE',
    'static   US       -      -     1     1     0        1',
  ])
  await expect(service.order(buyer, { ipCount: 2 })).rejects.toMatchObject({
    code: 'out_of_stock',
    data: { available: 1 },
  })
  expect(await service.core.orders.getStatic(buyer, { orderNo })).toMatchObject({
    instances: [{ ip: '198.51.100.1', status: 'active' }],
  })
  await service.core.orders.cancelStatic(buyer, { orderNo })
  await service.runJobs()
  expect(await stock('list', '--json')).toEqual([
    JSON.stringify({
      items: [
        {
          product_no: 'static',
          country_code: 'US',
          state: '',
          city_code: '',
          supplier: 'inventory',
          free: 1,
          held: 0,
          resting: 0,
          disabled: 2,
          least_cost: null,
          most_cost: null,
        },
      ],
    }),
  ])

  expect(await stock('enable', '198.51.100.1', '203.0.113.9')).toEqual(['203.0.113.9 is not in the stock'])
  await expect(stock('enable', 'nowhere')).rejects.toThrow('It must be an IP address')
  expect(await stock('enable', '198.51.100.1', '2001:db8::3')).toEqual([
    '2 proxies are on sale, 1 of them when it has other credentials',
  ])
  await service.order(buyer, { ipCount: 2 })
  expect(await service.core.operator.audit()).toEqual([])
})

it('Several ports of an address are proxies of their own: sold, taken off sale and changed one by one', async () => {
  const { service, stock, file } = await openStock()
  await service.product('static')
  const directory = await temporaryDirectory()
  const csv = join(directory, 'stock.csv')
  const header = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
  const line = (port: number) => `static,198.51.100.1,${port},u,p,us,,USXYZ,`
  await writeFile(csv, [header, line(8001), line(8002)].join('\n'))
  expect(await stock('import', csv, '--json')).toEqual([
    JSON.stringify({
      imported: 2,
      checked: 2,
      skipped: 0,
      dry_run: false,
      monthly_cost: 0,
      cost_unknown: 2,
      warnings: [
        'city codes without a name, which customers see as they are: USXYZ',
        'addresses with several ports, each of which is sold by itself: 198.51.100.1',
      ],
    }),
  ])
  await writeFile(csv, [header, line(8002), line(8003)].join('\n'))
  expect(await stock('import', csv, '--skip-existing')).toEqual([
    'Imported 1 proxy; 1 is in the stock already',
  ])
  expect(await stock('disable', '198.51.100.1:9')).toEqual(['198.51.100.1:9 is not in the stock'])
  expect(await stock('disable', '198.51.100.1:8001')).toEqual(['1 proxy is off sale'])

  expect(await stock('update', await file('198.51.100.1,9000,u,changed'))).toEqual([
    'line 2: may mean several proxies on this address: the port must be that of one',
    NOTHING_TAKEN,
  ])
  expect(await stock('update', await file('198.51.100.1,8002,u,changed'))).toEqual(['Updated 1 proxy'])
  expect(await service.db.read.stockIp.findMany({ where: { password: 'changed' } })).toMatchObject([
    { port: 8002 },
  ])
})

it('Proxies that come back get other credentials, which the next customer is given', async () => {
  const { service, stock, file } = await openStock()
  await service.product('static')
  await service.stock('static', 2, { ips: ['198.51.100.1', '198.51.100.2'] })
  await service.product('shared', { shared: true })
  await service.stock('shared', 1, { ips: ['203.0.113.1'], seats: 2 })
  const [seat] = await service.db.read.stockIp.findMany({ where: { ip: '203.0.113.1' } })
  const buyer = await service.agent({ balance: 100 })

  const update = await file('198.51.100.2,9001,next,changed', `203.0.113.1,9002,${seat?.username},changed`)
  expect(await stock('update', update, '--dry-run')).toEqual([
    '2 proxies can be updated; nothing was changed',
  ])
  expect(await service.db.read.stockIp.count({ where: { password: 'changed' } })).toBe(0)
  expect(await stock('update', update)).toEqual(['Updated 2 proxies'])
  expect(await service.db.read.stockIp.findMany({ where: { password: 'changed' } })).toMatchObject([
    { ip: '198.51.100.2', port: 9001, username: 'next' },
    { ip: '203.0.113.1', port: 9002, username: seat?.username },
  ])

  const { orderNo } = await service.order(buyer)
  await service.runJobs()
  const refused = await stock(
    'update',
    await file(
      '198.51.100.1,1,a,a-secret',
      '198.51.100.2,1,a,a-secret',
      '198.51.100.2,1,b,b-secret',
      '203.0.113.1,1,a-new-name,c-secret',
      '203.0.113.7,1,a,d-secret',
    ),
  )
  expect(refused).toEqual([
    `line 2: is in use by the order ${orderNo}`,
    'line 4: comes twice',
    'line 5: is no proxy of the stock',
    'line 6: is no proxy of the stock',
    NOTHING_TAKEN,
  ])
  expect(await stock('update', await file('198.51.100.2,0,a b,'))).toEqual([
    'line 2: port must be 1-65535',
    'line 2: username must be 1-128 characters without spaces and colons',
    'line 2: password must be 1-128 characters without spaces and colons',
    NOTHING_TAKEN,
  ])
  expect(await service.db.read.stockIp.count({ where: { password: { contains: '-secret' } } })).toBe(0)
})

it('What customers have had is listed as a file that, completed, puts it on sale again', async () => {
  const { service, stock, file } = await openStock()
  await service.product('static')
  await service.stock('static', 2, { ips: ['198.51.100.1', '198.51.100.2'] })
  await service.product('shared', { shared: true })
  await service.stock('shared', 1, { ips: ['203.0.113.1'], seats: 2 })
  const buyer = await service.agent({ balance: 100 })
  for (const change of [{}, { poolId: 'shared', projectId: 'p' }]) {
    const { orderNo } = await service.order(buyer, { ipCount: 2, ...change })
    await service.runJobs()
    await service.core.orders.cancelStatic(buyer, { orderNo })
  }

  const [heading, ...lines] = await stock('resting')
  expect(heading).toBe('ip,port,username,password')
  expect(lines).toEqual([
    '203.0.113.1,8000,u0,',
    '203.0.113.1,8001,u1,',
    '198.51.100.1,8000,u0,',
    '198.51.100.2,8000,u0,',
  ])
  expect(await stock('resting', '--product', 'static')).toEqual([heading, ...lines.slice(2)])
  expect(await stock('resting', '--product', 'none')).toEqual(['There is no product of this number'])
  expect(await stock('update', await file(...lines.map((line) => `${line}secret`)))).toEqual([
    ...[2, 3, 4, 5].map(
      (line) =>
        `line ${line}: has credentials that a customer has had: change them where you buy it, and then here`,
    ),
    NOTHING_TAKEN,
  ])
  expect(await stock('update', await file(...lines.slice(0, 3).map((line) => `${line}fresh`)))).toEqual([
    'Updated 3 proxies',
  ])

  const path = await file('203.0.113.9,1,u,p')
  await writeFile(
    path,
    'product_no,ip,port,username,password,country_code,state,city_code,cidr\nstatic,198.51.100.2,8000,u,p,US,,,\nstatic,198.51.100.2,8001,u0,secret,US,,,',
  )
  expect(await stock('import', path)).toEqual([
    'line 2: ip 198.51.100.2 port 8000 is in the stock and waits for other credentials: give it some by stock update',
    'line 3: has credentials that a customer has had: change them where you buy it, and then here',
    NOTHING_TAKEN,
  ])
  expect(await stock('release-resting')).toEqual(['Name addresses, or a product with --product'])
  expect(await stock('release-resting', '198.51.100.1')).toEqual([
    '198.51.100.1 is no address that waits for other credentials',
  ])
  await expect(stock('release-resting', '198.51.100.2', 'nonsense')).rejects.toThrow(
    'It must be an IP address, or IP:PORT.',
  )
  expect(await stock('release-resting', '--product', 'static')).toEqual([
    'On sale as they are: 1 proxy; whoever had them before knows their credentials',
  ])
  expect(await stock('resting')).toEqual(['No proxy waits for other credentials'])
  await service.order(buyer, { ipCount: 2 })
})

it('What proxies cost per month is said for a file, a line, an address or a product, and the profit says for how many it is unknown', async () => {
  const { service, stock } = await openStock()
  await service.product('static', { price: 3 })
  const heading = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
  const path = join(await temporaryDirectory(), 'stock.csv')
  const line = (at: number) => `static,198.51.100.${at},8000,u,secret,US,,,`
  await writeFile(path, [`${heading},cost`, `${line(1)},`, `${line(2)},1.5.0`].join('\n'))
  expect(await stock('import', path, '--cost', '1.20')).toEqual([
    'line 3: cost is no amount such as 1.20',
    NOTHING_TAKEN,
  ])
  await writeFile(path, [`${heading},cost`, `${line(1)},`, `${line(2)},1.50`].join('\n'))
  expect(await stock('import', path, '--cost', '1.20')).toEqual([
    'Imported 2 proxies; they cost 2.70 a month',
  ])
  await writeFile(path, [heading, line(3)].join('\n'))
  expect(await stock('import', path, '--cost', '1000001')).toEqual(['cost must be at most 1000000'])
  expect(await stock('import', path)).toEqual(['Imported 1 proxy'])
  expect(await stock('list')).toEqual([
    'PRODUCT  COUNTRY  STATE  CITY  FREE  HELD  RESTING  OFF SALE  COST/MONTH',
    'static   US       -      -     3     0     0        0         1.20-1.50',
  ])
  const buyer = await service.customer(null, { balance: 100 })
  await service.order(buyer, { ipCount: 3 })
  await service.runJobs()
  const day = service.clock.now().toISOString().slice(0, 10)
  const profit = await command(['profit', '--from', day, '--to', day], { database: service.database })
  expect(profit.stdout).toMatch(/^static +inventory +9\.00 +0\.00 +0\.00 +2\.70 \(unknown: 1\) +6\.30$/m)
  expect(profit.stderr).toBe(
    'Warning: cost unknown for 1 proxy of the own stock, which the margin counts as 0: say it by `stock cost`\n',
  )
  expect(await stock('cost', '2', '198.51.100.3')).toEqual(['Cost per month set for 1 proxy'])
  expect(await stock('cost', '1', '--product', 'static')).toEqual(['Cost per month set for 3 proxies'])
  expect(await stock('cost', '1', '203.0.113.9')).toEqual(['203.0.113.9 is not in the stock'])
  expect(await stock('cost', '1')).toEqual([expect.stringContaining('Name addresses, or a product')])
})

it('A file that is "-" is read from the standard input', async () => {
  const service = await openService()
  await service.product('static')
  const heading = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
  const take = (stdin: string | undefined) =>
    command(['stock', 'import', '-'], { database: service.database, ...(stdin && { stdin }) })
  expect((await take(`${heading}\nstatic,198.51.100.1,8000,user,secret,US,,,\n`)).stdout).toBe(
    'Imported 1 proxy\n',
  )
  expect((await take(undefined)).status).toBe(1)
})
