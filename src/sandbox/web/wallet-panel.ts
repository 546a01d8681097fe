import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { PAYMENT_KINDS, type PayerWallet, WalletRefusal } from '../payer-wallet.ts'
import { PageError } from './page-error.ts'

const paymentBody = z.object({
  to: z.string().trim(),
  amount: z.string().trim(),
  kind: z.enum(PAYMENT_KINDS),
})

/** Registers the routes of the wallet panel; each answers with the state of the wallet after the request. */
export function walletPanel(wallet: PayerWallet): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/wallet', (_request, reply) =>
      reply.header('cache-control', 'no-store').send(wallet.state()),
    )

    app.post('/api/wallet/payments', { schema: { body: paymentBody } }, ({ body }) => {
      try {
        wallet.pay(body)
      } catch (error) {
        if (error instanceof WalletRefusal) throw new PageError(409, error.code, error.message)
        throw error
      }
      return wallet.state()
    })

    app.post('/api/wallet/minutes', () => {
      wallet.letMinutePass()
      return wallet.state()
    })
  }
}
