import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/api/routes/index.ts'
import { CREATE, expectRefusal, LIST, openApi, orderBody } from '../support/api.ts'
import { shared } from '../support/clean-up.ts'

async function shop() {
  const api = await openApi()
  await api.product()
  await api.stock('static', 1)
  const agent = await api.agent({ balance: 10 })
  return { ...api, agent, client: await api.as(agent) }
}

/** For cases that change nothing. */
const standing = shared(shop)

test('An unknown name in a query string is refused and named, in both languages', async () => {
  const { client, agent, core } = await shop()
  const { status, body } = await client.get(`${LIST}?userId=5&page=1&nope=x`)
  expect({ status, error: body.error }).toEqual({ status: 422, error: 'validation_error' })
  expect(body.data.errors).toEqual([
    { field: 'userId', rule: 'unknown_parameter', message: 'is no parameter of this endpoint' },
    { field: 'nope', rule: 'unknown_parameter', message: 'is no parameter of this endpoint' },
  ])
  const chinese = await client.get(`${LIST}?nope=x`, { headers: { 'accept-language': 'zh' } })
  expect(chinese.body.data.errors[0]?.message).toBe('不是该接口的参数')
  // What belongs into the body does nothing in the address, and so must not seem to.
  expectRefusal(await client.post(`${CREATE}?userId=5`, orderBody(agent.id)), 422, 'validation_error')
  expect((await core.orders.listStatic(agent)).total).toBe(0)
})

test.each(
  ENDPOINTS.filter(({ method, public: open, gateway }) => method === 'GET' && !open && !gateway).map(
    ({ path }) => [path],
  ),
)('GET %s refuses unknown names', async (path) => {
  const { client } = standing()
  const answer = await client.get(`${path.replaceAll(/:\w+/g, '1')}?no_such_name=1`, { base: '/b/api' })
  expectRefusal(answer, 422, 'validation_error')
})

test('Pages for browsers take whatever others add to a link', async () => {
  const { server } = standing()
  const page = await server.inject({ url: '/api/auth/activate?token=abc&utm_source=mail' })
  expect(page.body).not.toContain('utm_source')
  expect(page.statusCode).toBe((await server.inject({ url: '/api/auth/activate?token=abc' })).statusCode)
})

test('Every spelling that is documented is accepted', async () => {
  const { client, agent } = await shop()
  const day = '2026-01-01'
  const paths = [
    `${LIST}?page=1&page_size=5&status=active&filter=all&orderNo=x&user_id=${agent.id}&search=x&region=x`,
    `${LIST}?pageSize=5&order_no=x&created_start=${day}&created_end=${day}&expire_start=${day}&expire_end=${day}&show_recycle_bin=true`,
    '/open/app/agent/sub-users?page=1&pageSize=5&search=x&status=active&includeDeleted=true',
    '/open/app/agent/sub-users?page_size=5',
    '/open/app/product/ip-ranges/v2?proxyType=103&productNo=x&areaCode=x&countryCode=US&cityCode=x&includeDisabled=true&language=zh',
    `/dynamic?page=1&page_size=5&user_id=${agent.id}&order_no=x&pool_type=dynamic_1&username=x&status=active&start_date=${day}&end_date=${day}&keyword=x`,
    `/open/app/user/transactions?page=1&page_size=5&type=all&order_type=static&start_date=${day}&end_date=${day}&username=x&order_no=x&keyword=x&target_user_id=${agent.id}`,
    `/transaction/agent/transactions?pageSize=5&type=all&start_date=${day}&end_date=${day}`,
    `/open/app/static/order/statistics?user_id=${agent.id}`,
    `/open/app/dashboard/info/v2?target_user_id=${agent.id}`,
    `/usdt/orders?page=1&page_size=5&status=pending&start_date=${day}&end_date=${day}&user_id=${agent.id}`,
  ]
  for (const path of paths)
    expect({ path, status: (await client.get(path)).status }).toEqual({ path, status: 200 })
  for (const name of ['order_no', 'orderNo', 'order_id'])
    expectRefusal(await client.get(`/usdt/check-status?${name}=x`), 404, 'order_not_found')
})
