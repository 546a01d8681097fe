import { describe, expect, it } from 'vitest'
import { command } from '../support/command-line.ts'
import { openService } from '../support/service.ts'

describe('product edit', () => {
  it('changes what is named and nothing else, and what is disabled is not sold', async () => {
    const service = await openService()
    await service.product('static', { refundHours: 24, cidrSupported: true })
    await service.stock('static', 5)
    const buyer = await service.agent({ balance: 10 })
    const { orderNo } = await service.order(buyer)
    const edit = (...args: string[]) =>
      command(['product', 'edit', 'static', ...args], { database: service.database })
    const read = () => service.db.read.product.findUniqueOrThrow({ where: { productNo: 'static' } })
    const before = await read()

    const renamed = await edit(
      '--name-en',
      'US static',
      '--refund-hours',
      '48',
      '--no-cidr',
      '--assign-ip',
      '--disable',
    )
    expect(renamed).toEqual({ status: 0, stderr: '', stdout: 'Changed product static\n' })
    expect(await read()).toEqual({
      ...before,
      names: JSON.stringify({ en: 'US static', zh: '静态' }),
      refundHours: 48,
      cidrSupported: false,
      assignIpSupported: true,
      enabled: false,
      updatedAt: expect.any(Date),
    })
    expect(await service.core.catalog.query(buyer)).toEqual([])
    await expect(service.order(buyer)).rejects.toMatchObject({ code: 'product_not_found' })
    await service.runJobs()
    expect(await service.core.orders.getStatic(buyer, { orderNo })).toMatchObject({ status: 'active' })

    expect((await edit('--enable')).status).toBe(0)
    expect(await service.core.catalog.query(buyer)).toMatchObject([
      { names: { en: 'US static', zh: '静态' } },
    ])
  })

  it('changes projects of shared products and gateways of dynamic ones, and refuses what makes no sense', async () => {
    const service = await openService()
    await service.product('static')
    await service.product('shared', { shared: true, projects: [{ code: 'shop', name: 'Shop' }] })
    await service.product('traffic', { proxyType: 104, pool: 'dynamic_1' })
    const answers: string[] = []
    for (const args of [
      ['shared', '--project', 'mail=Mail', '--project', 'game=Game'],
      ['traffic', '--gateway', 'gw2.example.com:9000'],
      ['static'],
      ['missing', '--enable'],
      ['static', '--gateway', 'gw.example.com:1'],
      ['static', '--project', 'a=A'],
      ['traffic', '--cidr'],
      ['static', '--name-en', ''],
    ]) {
      const { status, stderr } = await command(['product', 'edit', ...args], { database: service.database })
      answers.push(status === 0 ? 'ok' : stderr.trimEnd())
    }
    expect(answers).toEqual([
      'ok',
      'ok',
      'product has nothing to change: name at least one option',
      'There is no product of this number',
      '--gateway is for dynamic products only',
      expect.stringMatching(/^--project /),
      '--cidr is for static products only',
      '--name-en must not be empty',
    ])
    expect(await service.core.operator.listProducts()).toMatchObject([
      { productNo: 'static' },
      {
        projects: [
          { code: 'mail', name: 'Mail' },
          { code: 'game', name: 'Game' },
        ],
      },
      { gateway: 'gw2.example.com:9000' },
    ])
  })
})
