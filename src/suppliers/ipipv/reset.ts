import { z } from 'zod'
import type { Ended, ResetRequest } from '../../core/supply/driver.ts'
import { type Api, shaped } from './api.ts'
import { readInstances } from './instances.ts'

const DONE = 3
const FAILED = 4

const Reset = z.object({
  list: z.array(z.object({ instanceNo: z.string(), newPassword: z.string().default(''), status: z.int() })),
})

/**
 * Asks for new passwords, or what became of them: both by one method, which processes each number once and repeats the first result
 * afterwards. So the look-up of a request that never arrived carries it out.
 *
 * @param method `act` to send it, `look` to ask again
 * @returns undefined while it is under way
 */
export async function resetPasswords(
  api: Api,
  method: 'act' | 'look',
  request: ResetRequest,
  signal: AbortSignal,
): Promise<Ended | undefined> {
  const numbers = request.instances.map(({ providerInstanceNo }) => providerInstanceNo)
  const parameters = { instanceNoList: numbers, resetNo: request.callNo }
  const { list } = shaped(
    Reset,
    'instance/reset/password',
    await api[method]('instance/reset/password', parameters, signal),
  )
  const results = new Map(list.map((result) => [result.instanceNo, result]))
  if (!numbers.every((number) => isFinal(results.get(number)))) return undefined

  const passwords = new Map(
    list.flatMap(({ instanceNo, newPassword, status }) =>
      status === DONE && newPassword !== '' ? [[instanceNo, newPassword] as const] : [],
    ),
  )
  const shown = await readInstances(api.look, [...passwords.keys()], signal)
  const instances = shown.flatMap((instance) => {
    const password = passwords.get(instance.providerInstanceNo)
    return password === undefined ? [] : { ...instance, password }
  })
  // The passwords are there, but not all of the proxies are shown.
  if (instances.length < passwords.size) return undefined
  return {
    status: 'ended',
    instances,
    ...(instances.length < numbers.length && {
      reason: `the supplier changed ${instances.length} of ${numbers.length} passwords`,
    }),
  }
}

function isFinal(result: { readonly status: number } | undefined): boolean {
  return result?.status === DONE || result?.status === FAILED
}
