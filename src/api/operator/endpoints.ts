import { z } from 'zod'
import { InvalidInput, parseInput, ServiceError } from '../../core/errors.ts'
import { type Acting, type Action, conflictIn } from '../../operator/action.ts'
import { linkToBot } from '../../operator/bot-link.ts'
import { ACTIONS } from '../../operator/index.ts'
import { Refusal } from '../../operator/refusal.ts'
import { type Endpoint, operatorEndpoint } from '../endpoint.ts'
import { queryOf } from './query-of-input.ts'

/**
 * Returns an endpoint for each action of those who run the shop (rules 14.11).
 *
 * @param publicUrl URL at which people reach this server
 */
export function endpointsOfActions(publicUrl: string | undefined): readonly Endpoint[] {
  return ACTIONS.map((action) => endpointOf(action, publicUrl))
}

function endpointOf(action: Action, publicUrl: string | undefined): Endpoint {
  const { name, summary, input = {}, answer, reads, idempotent, run } = action
  const words = name.split(' ')
  const schema = z.object(input)
  const id = words.join('-').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const described = {
    name: id,
    path: `/${words.join('/')}`,
    tag: words[0] ?? '',
    summary: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    answer: z.strictObject({
      result: answer.meta({ description: 'What the command prints with `--json`' }),
      text: z.string().meta({ description: 'What it prints without, in English' }),
      warnings: z.array(z.string()).meta({ description: 'Possible mistakes, in English' }),
    }),
    ...(idempotent && { idempotent }),
  }
  const carryOut = async (
    { core, idempotencyKey }: Pick<Acting, 'core'> & { readonly idempotencyKey: string | undefined },
    by: Acting['by'],
    given: Readonly<Record<string, unknown>>,
  ) => {
    const conflict = conflictIn(input, given)
    if (conflict !== undefined) throw InvalidInput.of(conflict, 'conflicting')
    const acting: Acting = {
      core,
      by,
      currency: core.currency,
      publicUrl,
      requestKey: idempotencyKey,
      botLink: async (start) =>
        linkToBot((await core.bots.ofLink(start)) ?? (await core.database.bot())?.username, start),
    }
    const { data, text, warnings = [] } = await refusing(() => run(acting, parseInput(schema, given)))
    return { result: data, text, warnings: [...warnings] }
  }
  return reads
    ? operatorEndpoint({
        ...described,
        method: 'GET',
        query: queryOf(schema),
        handle: (call, { operator }) =>
          carryOut(call, operator, call.query as Readonly<Record<string, unknown>>),
      })
    : operatorEndpoint({
        ...described,
        method: 'POST',
        ...(Object.keys(input).length > 0 && { body: schema }),
        handle: (call, { operator }) =>
          carryOut(call, operator, (call.body ?? {}) as Readonly<Record<string, unknown>>),
      })
}

/** Answers a refusal that only actions know as a wrong input. */
async function refusing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message, data } = error
    throw new ServiceError('validation_error', {
      data: { errors: [{ field: 'body', rule: code, message }], ...data },
    })
  }
}
