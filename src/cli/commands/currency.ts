import { Command, InvalidArgumentError } from 'commander'
import { lockInstance } from '../../core/database/instance-lock.ts'
import type { Run } from '../run.ts'

/** `currency [CODE]`: prints the currency of the amounts in the database, or changes it. */
export function currencyCommand(run: Run): Command {
  return new Command('currency')
    .description(
      'the currency of all amounts in the database; with a code: they are in that one, nothing is converted',
    )
    .argument('[code]', 'what the amounts are in, such as CNY; no server may be running', code)
    .action(
      run(async (session, wanted: string | undefined) => {
        const core = await session.core('any currency')
        if (wanted === undefined) {
          const currency = (await core.database.currency()) ?? null
          return { data: { currency }, text: currency ?? 'No start has said it yet' }
        }
        const unlock = lockInstance(`file:${session.database}`)
        try {
          await core.operator.changeCurrency(session.by, wanted)
        } finally {
          unlock()
        }
        return {
          data: { currency: wanted },
          text: `All amounts are in ${wanted} from now on, and none was converted. Set CURRENCY=${wanted} before the next start.`,
        }
      }),
    )
}

function code(text: string): string {
  if (!/^[A-Z]{3,4}$/.test(text)) throw new InvalidArgumentError('It must be a currency code such as CNY.')
  return text
}
