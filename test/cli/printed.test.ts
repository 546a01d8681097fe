import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { startBusyOperator } from '../support/busy-operator.ts'
import { command } from '../support/command-line.ts'
import { withoutIdentifiers } from '../support/masked.ts'

/** All commands that only read; those that write say one sentence, which their tests know. */
const READS = [
  'agent list',
  'find customer',
  'customer show customer',
  'customer entries customer',
  'topup list',
  'product list',
  'promo list',
  'stock list',
  'stock resting',
  'payments list',
  'payout list',
  'supplier list',
  `supplier offers ${'a'.repeat(32)}`,
  'supplier calls',
  'exit list',
  'gateway status',
  'gateway allowed',
  'person list',
  'trail',
  'profit',
  'replacements',
  'jobs list',
  'currency',
  'audit',
]

test('The commands print what they printed: tables, documents and helps', async () => {
  const { database } = await startBusyOperator()
  const printed = async (args: readonly string[]) => {
    const { status, stdout, stderr } = await command(args, { database, drivers: {} })
    return withoutIdentifiers(`## ${args.join(' ')} (${status})\n${stderr}${stdout}`)
  }
  const texts: string[] = []
  for (const args of READS.map((line) => line.split(' ')))
    texts.push(await printed(args), await printed(['--json', ...args]))
  await expect(texts.join('\n')).toMatchFileSnapshot('./printed/answers.txt')

  const helps = withDescendants(createProgram(process, {})).map((each) => each.helpInformation())
  await expect(helps.join('\n\n')).toMatchFileSnapshot('./printed/helps.txt')
})

const withDescendants = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap((each) => withDescendants(each)),
]
