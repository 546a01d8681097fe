import { expect, it } from 'vitest'
import { providers, TronWeb, utils } from 'tronweb'
import { startTron, WALLET } from './server.ts'

it('is read by tronweb', async () => {
  const { chain, clock, origin } = await startTron()
  const provider = new providers.HttpProvider(`${origin}/tron`, 5000)
  const tronWeb = new TronWeb({ fullNode: provider, solidityNode: provider, eventServer: provider })
  const txid = chain.transfer({ units: 42_003_700n })

  expect(await tronWeb.trx.getTransactionInfo(txid)).toEqual({})
  expect(await tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toMatchObject({ id: txid })
  const transaction = await tronWeb.trx.getTransaction(txid)
  expect(transaction.raw_data_hex).toBeTruthy()
  expect(utils.transaction.txCheck(transaction), 'raw data, its bytes and the txid belong together').toBe(
    true,
  )

  clock.advance(57_000)
  const { receipt, log } = await tronWeb.trx.getTransactionInfo(txid)
  expect(receipt.result).toBe('SUCCESS')
  expect(log).toHaveLength(1)
  const current = await tronWeb.trx.getConfirmedCurrentBlock()
  expect(current.block_header.raw_data.number).toBe(chain.solidHead())
  const { constant_result: balance } = await tronWeb.transactionBuilder.triggerConfirmedConstantContract(
    chain.contract,
    'balanceOf(address)',
    {},
    [{ type: 'address', value: WALLET }],
    WALLET,
  )
  expect(BigInt(`0x${balance[0]}`)).toBe(42_003_700n)
  const contract = tronWeb.contract(
    [
      {
        type: 'function',
        name: 'balanceOf',
        stateMutability: 'view',
        inputs: [{ name: 'who', type: 'address' }],
        outputs: [{ name: '', type: 'uint256' }],
      },
    ],
    chain.contract,
  )
  expect(await contract['balanceOf'](WALLET).call({ from: WALLET, confirmed: true })).toBe(42_003_700n)
  const list = await provider.request(`v1/accounts/${WALLET}/transactions/trc20`, { only_to: true }, 'get')
  expect(list).toMatchObject({ data: [{ transaction_id: txid, to: WALLET }] })
  const events = await tronWeb.event.getEventsByTransactionID(txid)
  expect(events.data).toMatchObject([{ event_name: 'Transfer', result: { value: '42003700' } }])
})
