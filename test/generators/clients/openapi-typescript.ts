import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript.ts'

/** Logs in, asks for more than there is, and buys one static proxy; answers the number of the order. */
export async function buy(baseUrl: string, login: { username: string; password: string }): Promise<string> {
  const client = createClient<paths>({ baseUrl })
  const loggedIn = await client.POST('/auth/login', { body: login })
  if (!loggedIn.data) throw new Error(loggedIn.error.message)
  const { token, user } = loggedIn.data.data
  const order = (ipCount: number) =>
    client.POST('/open/app/static/order/create-standard/v2', {
      headers: { authorization: `Bearer ${token}` },
      body: {
        orderType: 'static_proxy',
        poolId: 'static',
        userId: user.id,
        ipCount,
        duration: 1,
        unit: 3,
        cycleTimes: 1,
        unitPrice: 0,
        totalAmount: 0,
      },
    })
  const { error } = await order(200)
  if (error?.error !== 'out_of_stock') throw new Error('200 proxies were sold')
  const available: number = error.data.available
  const bought = await order(Math.min(available, 1))
  if (!bought.data) throw new Error(bought.error.message)
  return bought.data.data.order_no
}
