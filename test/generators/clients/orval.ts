import { createStaticOrder, logIn } from './orval.ts'

/** Logs in, asks for more than there is, and buys one static proxy; answers the number of the order. */
export async function buy(_baseUrl: string, login: { username: string; password: string }): Promise<string> {
  const loggedIn = await logIn(login)
  if (loggedIn.status !== 200) throw new Error(loggedIn.data.message)
  const { token, user } = loggedIn.data.data
  const order = (ipCount: number) =>
    createStaticOrder(
      {
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
      { headers: { authorization: `Bearer ${token}` } },
    )
  const refused = await order(200)
  if (refused.status !== 409 || refused.data.error !== 'out_of_stock')
    throw new Error('200 proxies were sold')
  const available: number = refused.data.data.available
  const bought = await order(Math.min(available, 1))
  if (bought.status !== 200) throw new Error(bought.data.message)
  return bought.data.data.order_no
}
