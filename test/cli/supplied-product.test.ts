import { describe, expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'
import { connection, LOS_ANGELES, NEW_YORK, offers } from '../support/supplied-product.ts'

describe('products of a supplier at the command line', () => {
  it('are added with offers and a margin, listed with cost and margin, and changed', async () => {
    const service = await openService()
    await offers(service, await connection(service), [LOS_ANGELES, NEW_YORK])
    const run = (...args: string[]) => command(args, { database: service.database })
    const add = ['product', 'add', 'isp', '--name-en', 'ISP', '--name-zh', '住宅', '--supplier', 'upstream']

    // Stale: the command line has the time of this machine.
    await service.db.write((tx) => tx.supplierOffer.updateMany({ data: { seenAt: new Date() } }))
    expect(
      await run(...add, '--offer', 'LA', '--offer', 'NY', '--margin-percent', '50', '--replace', 'auto'),
    ).toEqual({ status: 0, stdout: 'Added product isp\n', stderr: '' })
    const [edited, listed, stock] = [
      await run('product', 'edit', 'isp', '--place', 'US/USNYC', '--margin', '0.25'),
      await run('product', 'list'),
      await run('stock', 'list'),
    ]
    expect(edited).toEqual({ status: 0, stdout: 'Changed product isp\n', stderr: '' })
    expect(listed.stdout).toBe(
      [
        'NUMBER  NAME  TYPE  BILLED   FREE  SOLD  ON SALE  SUPPLIER  COST       PRICES',
        'isp     ISP   103   1 month  200   -     yes      upstream  2.00-3.00  3.00-3.25, cost + 50%, US/USNYC + 0.25',
        '',
      ].join('\n'),
    )
    expect(stock.stdout).toBe(
      [
        'PRODUCT  COUNTRY  STATE  CITY   FREE  HELD  RESTING  OFF SALE  SUPPLIER',
        'isp      US       CA     USLAX  100   -     -        -         upstream',
        'isp      US       NY     USNYC  100   -     -        -         upstream',
        '',
      ].join('\n'),
    )
    const listedAsJson = JSON.parse((await run('product', 'list', '--json')).stdout)
    expect(listedAsJson.items[0]).toMatchObject({
      supplier: 'upstream',
      margin_percent: 50,
      margin: null,
      min_margin_percent: 0,
      replace: 'auto',
      replace_limit: 1,
      places: [
        { city_code: 'USLAX', offer: 'LA', cost: 2, stock: 100, margin: null, price: 3 },
        { city_code: 'USNYC', offer: 'NY', cost: 3, stock: 100, margin: 0.25, price: 3.25 },
      ],
    })
    const fixed = await run('product', 'edit', 'isp', '--price', '1.5')
    expect(fixed).toMatchObject({ status: 0, stdout: 'Changed product isp\n' })
    expect(fixed.stderr).toContain(
      'offers that are not sold, because the price does not cover their cost: LA',
    )
  })

  it('are refused in one clear line', async () => {
    const service = await openService()
    await offers(service, await connection(service), [LOS_ANGELES])
    const add = ['product', 'add', 'isp', '--name-en', 'ISP', '--name-zh', '住宅']
    const run = (...args: string[]) => command([...add, ...args], { database: service.database })
    const supplied = ['--supplier', 'upstream', '--offer']
    for (const [status, args, message] of [
      [
        1,
        [...supplied, 'nowhere', '--margin', '1'],
        '--offer nowhere is no offer of this supplier: `supplier offers` shows those that there are',
      ],
      [
        1,
        [...supplied, 'LA'],
        'price is one or the other: a fixed price, or a margin (--margin, --margin-percent)',
      ],
      [2, ['--price', '1', '--margin', '1'], '--margin is for products with --supplier'],
      [2, [], 'Add the price with --price'],
    ] as const)
      expect(await run(...args)).toEqual({ status, stdout: '', stderr: `${message}\n` })
    await expect(run(...supplied, 'LA', '--margin', '1', '--period', '1month')).rejects.toThrow(
      "option '--supplier <name>' cannot be used with option '--period <length>'",
    )
    expect(await service.db.read.product.count()).toBe(0)
  })
})
