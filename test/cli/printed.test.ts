import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { startBusyOperator } from '../support/busy-operator.ts'
import { command } from '../support/command-line.ts'
import { withoutIdentifiers } from '../support/masked.ts'
import { READS } from './reads.ts'

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
