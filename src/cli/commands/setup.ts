import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import type { Choice } from '../../core/operator/choices.ts'
import type { ChoiceState } from '../../core/operator/setup.ts'
import type { Run, Session } from '../run.ts'
import { table } from '../../operator/table.ts'

/** The word that stands for no value. */
const NONE = 'none'
/** Each setting with its description in help and questions, by the name of its option. */
const OPTIONS = {
  currency: [
    'CURRENCY',
    'code of the currency in which the shop counts, before there are accounts or products',
  ],
  wallet: ['USDT_WALLET', 'address of the shop’s TRON wallet, where people pay USDT'],
  rate: ['USDT_RATE', 'what one USDT adds to a balance'],
  publicUrl: ['PUBLIC_URL', 'where people reach this server, such as https://shop.example.com'],
  support: [
    'SUPPORT_CONTACT',
    'where customers find support, such as @shop_support; none: tickets in the bot',
  ],
} as const satisfies Readonly<Record<string, readonly [Choice, string]>>
type Options = Partial<Record<keyof typeof OPTIONS, string>>

/** `setup`: the settings that need no file (rules 9.11). */
export function setupCommand(run: Run): Command {
  const command = new Command('setup').description(
    'the settings that need no file; without options it asks for them at a terminal. A server that runs uses them within seconds',
  )
  for (const [option, [name, description]] of Object.entries(OPTIONS)) {
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    command.option(
      `--${flag} <value>`,
      `${description}${name === 'CURRENCY' ? '' : `; "${NONE}" removes it`}`,
    )
  }
  return command.action(
    run(async (session, options: Options) => {
      const { setup } = (await session.core('create')).operator
      const given = Object.keys(options).length > 0 ? options : await askFor(session, await setup.list())
      for (const [option, text] of Object.entries(given)) {
        const [name] = OPTIONS[option as keyof Options]
        await setup.choose(session.by, { name, value: text === NONE ? null : text })
      }
      const states = await setup.list()
      return {
        data: Object.fromEntries(states.map(({ name, value }) => [name, value ?? null])),
        text: table([['SETTING', 'VALUE', 'FROM'], ...states.map(rowOfChoice)]),
      }
    }),
  )
}

function rowOfChoice({ name, value, fixed }: ChoiceState): string[] {
  return [name, value ?? '-', fixed ? 'the environment' : value === undefined ? '-' : 'setup']
}

/** Asks at a terminal for all settings that the environment does not fix; an empty answer leaves a setting as it is. */
async function askFor(
  { interactive, stdin, stderr }: Session,
  states: readonly ChoiceState[],
): Promise<Options> {
  if (!interactive) return {}
  const terminal = createInterface({ input: stdin, output: stderr })
  const answers: [string, string][] = []
  for (const [option, [name, description]] of Object.entries(OPTIONS)) {
    const state = states.find((known) => known.name === name)
    if (!state || state.fixed) continue
    const answer = await terminal.question(`${description} [${state.value ?? NONE}]: `)
    if (answer.trim()) answers.push([option, answer.trim()])
  }
  terminal.close()
  return Object.fromEntries(answers)
}
