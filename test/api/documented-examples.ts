import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { addressOf, type Operation, type Parameter, parseDocument } from '../support/openapi.ts'
import { startProcess } from '../support/process.ts'
import { temporaryDirectory } from '../support/service.ts'

/** The example of the log-in. */
const AGENT = { username: 'agent', password: 'agent-demo' }

function examplesOf(operation: Operation, place: Parameter['in']): Record<string, string> {
  const examples = operation.parameters.filter(
    ({ in: where, example }) => where === place && example !== undefined,
  )
  return Object.fromEntries(examples.map(({ name, example }) => [name, String(example)]))
}

/** All of it happens in one sandbox: what takes something away comes after what needs it, and what takes all away last. */
const ORDER_OF_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
function turn({ method, path }: Operation): number {
  if (path === '/open/app/user/password') return 8
  if (path === '/auth/logout') return 9
  if (path.endsWith('/cancel')) return 2.5
  if (method === 'GET' && path.includes('{webhook_id}')) return 1.5
  return ORDER_OF_METHODS.indexOf(method) + (method === 'DELETE' && !path.endsWith('}') ? 1 : 0)
}

/** The sandbox mails nobody: the page says that the link is not good. No transfer has the id of the example. Numbers of its proxies, payouts and deliveries are random. */
const EXPECTED_STATUS: Readonly<Record<string, number>> = {
  'GET /auth/activate': 410,
  'POST /auth/activate': 410,
  'POST /open/app/agent/payouts/{payout_no}/cancel': 404,
  'GET /open/app/static/instances/{instance_no}': 404,
  'POST /open/app/static/instances/{instance_no}/check': 404,
  'POST /open/app/user/webhooks/{webhook_id}/deliveries/{message_id}/replay': 404,
  'POST /usdt/claim-transfer': 422,
  'POST /open/app/static/renew': 404,
  'PATCH /open/app/static/auto-renew': 404,
  'POST /open/app/static/instances/{instance_no}/replace': 404,
  'GET /open/app/static/instances/{instance_no}/replacements': 404,
  'POST /open/app/static/instances/{instance_no}/reset-credentials': 404,
}

/**
 * Makes every documented request of a variant as it stands, in a new sandbox.
 *
 * @param base such as `/a/api`
 */
export async function expectExamplesWork(base: string): Promise<void> {
  const directory = await temporaryDirectory()
  const environment = { PORT: '0', DATABASE_URL: `file:${join(directory, 'reseller.db')}` }
  const { address } = await startProcess(environment, directory)
  const { operations } = parseDocument(await (await fetch(`${address}${base}/openapi.json`)).text())
  expect(operations.length).toBeGreaterThan(30)

  const logIn = await fetch(`${address}${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(AGENT),
  })
  const gatewayToken = await readFile(join(directory, 'gateway-token'), 'utf8')
  let { data } = (await logIn.json()) as { data: { token: string } }
  for (const operation of operations.toSorted((a, b) => turn(a) - turn(b))) {
    const { name, method, path, open, gateway, body } = operation
    const token = gateway ? gatewayToken : data.token
    const response = await fetch(
      address + base + addressOf(path, examplesOf(operation, 'path'), examplesOf(operation, 'query')),
      {
        method,
        headers: {
          ...examplesOf(operation, 'header'),
          ...(open ? {} : { authorization: `Bearer ${token}` }),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body.example) } : {}),
      },
    )
    const text = await response.text()
    const { status } = response
    // It ends the token that was used until now.
    if (path === '/open/app/user/password') ({ data } = JSON.parse(text) as { data: { token: string } })
    expect({ name, status, text }).toMatchObject({ name, status: EXPECTED_STATUS[name] ?? 200 })
    const [mediaType = ''] = String(response.headers.get('content-type')).split(';')
    expect({ name, complaint: operation.complaint(status, mediaType, text) }).toEqual({
      name,
      complaint: undefined,
    })
  }
}
