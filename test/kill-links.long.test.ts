import { expect, test, vi } from 'vitest'
import { SHELL } from '../src/core/people/operator.ts'
import { type KillPoint, killPoints } from './support/kill-points.ts'
import { PATIENCE } from './support/patience.ts'
import { AGENT } from './support/product.ts'
import { openShopToKill } from './support/shop-to-kill.ts'

const LINK = '^insert into "proxy_links"'
const KEY = '^insert into "request_keys"'
const END = '^delete from "proxy_links"'

/** Where the process ends while a link is made. */
const POINTS: readonly KillPoint[] = [
  { statement: LINK, count: 1, moment: 'before' },
  { statement: KEY, count: 1, moment: 'before' },
  { statement: KEY, count: 1, moment: 'committed' },
]

test('a kill while a link to proxies is made or revoked leaves one link, or none', async () => {
  const points = await killPoints()
  const shop = await openShopToKill([{ ...AGENT, balance: 10 }], points.settings, async ({ operator }) => {
    await operator.addProduct(SHELL, { productNo: 'ISP', names: { en: 'ISP', zh: 'ISP' }, price: 1 })
    const head = 'product_no,ip,port,username,password,country_code,state,city_code,cidr'
    await operator.importStock(SHELL, `${head}\nISP,192.0.2.1,8000,user,secret,US,NY,USNYC,`)
  })
  let running = await shop.start()
  let token = ''
  const call = async (method: string, path: string, body?: object, key = '') => {
    const headers = {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(key !== '' && { 'idempotency-key': key }),
    }
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(`${running.address}/api${path}`, { method, headers, ...sent })
    return (await answer.json()) as { code: number; data: { token: string; id: number; url: string } }
  }
  const restart = async () => {
    await vi.waitUntil(() => !points.isSet(), PATIENCE)
    await running.kill()
    running = await shop.start()
  }
  token = (await call('POST', '/auth/login', AGENT)).data.token
  const order = { poolId: 'ISP', userId: shop.ids[0], ipCount: 1, duration: 1, unit: 3 }
  const terms = { orderType: 'static_proxy', unitPrice: 0, totalAmount: 0, cycleTimes: 1, ...order }
  await call('POST', '/open/app/static/order/create-standard/v2', terms)
  const count = async (table: string) => (await shop.beside.rows(`SELECT 1 FROM ${table}`)).length
  await vi.waitUntil(async () => (await count('instances')) === 1, PATIENCE)

  const links: { id: number; url: string }[] = []
  for (const [index, point] of POINTS.entries()) {
    const make = () => call('POST', '/open/app/static/links', { format: 'colon' }, `link ${index}`)
    points.set(point)
    // The answer is lost.
    await Promise.allSettled([make()])
    await restart()
    links.push((await make()).data)
    expect(await count('proxy_links')).toBe(index + 1)
  }
  const open = async (url: string) => {
    const answer = await fetch(running.address + new URL(url).pathname)
    return `${answer.status} ${await answer.text()}`
  }
  for (const { url } of links) expect(await open(url)).toBe('200 192.0.2.1:8000:user:secret')

  const [first, second] = links
  points.set({ statement: END, count: 1, moment: 'before' })
  await Promise.allSettled([call('DELETE', `/open/app/static/links/${first?.id}`)])
  await restart()
  expect(await open(first?.url ?? '')).toContain('200 ')
  points.set({ statement: END, count: 1, moment: 'committed' })
  await Promise.allSettled([call('DELETE', `/open/app/static/links/${second?.id}`)])
  await restart()
  expect(await open(second?.url ?? '')).toContain('404 ')
  expect(await count('proxy_links')).toBe(2)
})
