import { Command } from 'commander'
import type { CustomerChange } from '../../core/accounts/because.ts'
import { INVITE_MARK } from '../../core/accounts/invites.ts'
import type { Core } from '../../core/core.ts'
import { toNumber, toText } from '../../core/money.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Answer, Run, Session } from '../run.ts'

interface Change {
  readonly description: string
  /** Returns the question that is asked at a terminal before the change. */
  readonly asks?: (username: string) => string
  readonly done: (core: Core, session: Session, change: CustomerChange) => Promise<Answer>
}

/** Changes that take a username and a reason. */
const CHANGES: Readonly<Record<string, Change>> = {
  disable: {
    description: 'keep a customer out; its proxies go on',
    asks: (username) => `Disable ${username}?`,
    done: async ({ operator: { customers } }, { by }, change) => ({
      data: { username: change.username, changed: await customers.disable(by, change) },
      text: `${change.username} is disabled`,
    }),
  },
  enable: {
    description: 'let a customer in again',
    done: async ({ operator: { customers } }, { by }, change) => ({
      data: { username: change.username, changed: await customers.enable(by, change) },
      text: `${change.username} is enabled`,
    }),
  },
  link: {
    description: 'make a link to the bot by which a customer logs in and sets a password; it works once',
    done: async (core, { by, botLink }, change) => {
      const { username, token, expiresAt } = await core.operator.customers.link(by, change)
      const start = `${INVITE_MARK}${token}`
      const { link = null, text } = await botLink(core, start)
      const until = expiresAt.toISOString()
      return { data: { username, start, link, expires_at: until }, text: `${text} (until ${until})` }
    },
  },
  logout: {
    description: 'end all tokens, chat log-ins and links of an account; the password stays',
    done: async ({ operator: { customers } }, { by }, change) => {
      await customers.logOut(by, change)
      return { data: { username: change.username }, text: `${change.username} is logged out everywhere` }
    },
  },
  delete: {
    description: 'delete a customer for good; its proxies work until they expire',
    asks: (username) => `Delete ${username} for good?`,
    done: async ({ operator: { customers } }, { by, currency }, change) => {
      const { id, returnedBalance } = await customers.delete(by, change)
      return {
        data: { id, username: change.username, returned_balance: toNumber(returnedBalance) },
        text: `Deleted ${change.username}; ${toText(returnedBalance)} ${currency} went back to the agent`,
      }
    },
  },
}

const REASON = 'why, 1-255 characters; kept in the trail'

/** `customer disable | enable | link | logout | delete | move NAME --reason TEXT` (rules 16.2, 16.3). */
export function customerChangeCommands(run: Run): Command[] {
  return [
    ...Object.entries(CHANGES).map(([name, change]) => changeCommand(run, name, change)),
    moveCommand(run),
  ]
}

interface Options {
  readonly reason: string
  readonly yes?: true
}

function changeCommand(run: Run, name: string, { description, asks, done }: Change): Command {
  const command = new Command(name)
    .description(description)
    .argument('<name>', 'username')
    .requiredOption('--reason <text>', REASON)
  if (asks) command.option('--yes', YES_HELP)
  return command.action(
    run(async (session, username: string, { reason, yes }: Options) => {
      const core = await session.core()
      if (asks) await confirm(session, asks(username), yes)
      return done(core, session, { username, reason })
    }),
  )
}

function moveCommand(run: Run): Command {
  return new Command('move')
    .description(
      'move a customer to another agent, whose prices hold from then on; what the old one could hold of it ends',
    )
    .argument('<name>', 'username')
    .option('--agent <name>', 'username of the new agent')
    .option('--no-agent', 'to none: a customer of the shop')
    .requiredOption('--reason <text>', REASON)
    .option('--yes', YES_HELP)
    .action(
      run(
        async (session, username: string, { agent, reason, yes }: Options & { agent?: string | boolean }) => {
          if (agent === undefined || agent === true) throw new OperatorError('Say --agent NAME or --no-agent')
          const to = agent === false ? null : agent
          const { customers } = (await session.core()).operator
          await confirm(session, `Move ${username} to ${to ?? 'no agent'}?`, yes)
          const moved = await customers.move(session.by, { username, agent: to, reason })
          return {
            data: { id: moved.id, username, from: moved.from, to: moved.to, ended: moved.ended },
            text: [
              `Moved ${username} from ${moved.from ?? 'no agent'} to ${moved.to ?? 'no agent'}`,
              ...(moved.ended.password === undefined
                ? []
                : [
                    'Its old agent had chosen its password, which has ended: make it a link by `customer link`',
                  ]),
            ].join('\n'),
          }
        },
      ),
    )
}
