import { Command, Option } from 'commander'
import type { Person } from '../../core/people/manage-people.ts'
import type { PersonInvite } from '../../core/people/person-invites.ts'
import { SHOP_ROLES, type ShopRole } from '../../core/people/permissions.ts'
import { idArgument, telegramUser } from '../arguments.ts'
import type { Run } from '../run.ts'
import { table } from '../../operator/table.ts'

interface Options {
  readonly name?: string
  readonly role?: ShopRole
  readonly telegram?: number
}

const TELEGRAM = 'id of the person’s Telegram user, which /chatid says in the private chat with the bot'

/** `person …`: those who run the shop (rules 14.2). */
export function personCommands(run: Run): Command[] {
  return [
    addCommand(run),
    inviteCommand(run),
    listCommand(run),
    editCommand(run),
    removeCommand(run),
    revokeInviteCommand(run),
  ]
}

function addCommand(run: Run): Command {
  return new Command('add')
    .description('name somebody who runs the shop; the first one is an owner')
    .argument('<name>', 'at most 40 characters')
    .addOption(role().makeOptionMandatory())
    .option('--telegram <id>', TELEGRAM, telegramUser)
    .action(
      run(async (session, name: string, { role: given, telegram }: Options & { role: ShopRole }) => {
        const core = await session.core('create')
        const person = await core.operator.people.add(session.by, {
          name,
          role: given,
          ...(telegram !== undefined && { telegramId: telegram }),
        })
        return { data: recordOfPerson(person), text: `${person.name} is ${person.role}` }
      }),
    )
}

function inviteCommand(run: Run): Command {
  return new Command('invite')
    .description('make a link by which somebody in Telegram runs the shop; it works once, for 3 days')
    .argument('<name>', 'what the person will be called, at most 40 characters')
    .addOption(role().makeOptionMandatory())
    .action(
      run(async (session, name: string, { role: given }: { role: ShopRole }) => {
        const core = await session.core('create')
        const { start, ...invite } = await core.operator.people.invite(session.by, { name, role: given })
        const { link = null, text } = await session.botLink(core, start)
        return {
          data: { ...inviteRecord(invite), start, link },
          text: `${text} (until ${invite.expiresAt})`,
        }
      }),
    )
}

function revokeInviteCommand(run: Run): Command {
  return new Command('revoke-invite')
    .description('end a link that nobody has opened')
    .argument('<id>', 'as `person list` shows it', idArgument)
    .action(
      run(async (session, id: number) => {
        const { name } = await (await session.core()).operator.people.uninvite(session.by, id)
        return { data: { id, name }, text: `The link for ${name} is revoked` }
      }),
    )
}

function listCommand(run: Run): Command {
  return new Command('list').description('list those who run the shop, and links for others').action(
    run(async (session) => {
      const { people: part } = (await session.core()).operator
      const [people, invites] = [await part.list(), await part.invites()]
      return {
        data: { items: people.map(recordOfPerson), invites: invites.map(inviteRecord) },
        text: [
          people.length === 0
            ? 'Nobody is named: whoever is in the chats of OPERATOR_CHAT_IDS acts as the owner'
            : table([['NAME', 'ROLE', 'TELEGRAM'], ...people.map(rowOfPerson)]),
          ...(invites.length === 0
            ? []
            : ['', table([['LINK', 'FOR', 'ROLE', 'UNTIL'], ...invites.map(inviteRow)])]),
        ].join('\n'),
      }
    }),
  )
}

function editCommand(run: Run): Command {
  return new Command('edit')
    .description('change name, role or Telegram user of a person')
    .argument('<name>', 'as `person list` shows it')
    .option('--name <name>', 'new name')
    .addOption(role())
    .option('--telegram <id>', TELEGRAM, telegramUser)
    .action(
      run(async (session, name: string, { telegram, ...edit }: Options) => {
        const core = await session.core()
        const person = await core.operator.people.edit(session.by, name, {
          ...edit,
          ...(telegram !== undefined && { telegramId: telegram }),
        })
        return { data: recordOfPerson(person), text: `${person.name} is ${person.role}` }
      }),
    )
}

function removeCommand(run: Run): Command {
  return new Command('remove')
    .description('remove a person, who may do nothing from then on; the trail keeps what was done')
    .argument('<name>', 'as `person list` shows it')
    .action(
      run(async (session, name: string) => {
        const core = await session.core()
        const person = await core.operator.people.remove(session.by, name)
        return { data: recordOfPerson(person), text: `Removed ${person.name}` }
      }),
    )
}

const role = () => new Option('--role <role>', 'what the person may do').choices(SHOP_ROLES)

function rowOfPerson({ name, role: has, telegramId }: Person): string[] {
  return [name, has, telegramId === null ? '-' : String(telegramId)]
}

function inviteRow({ id, name, role: has, expiresAt }: PersonInvite): string[] {
  return [String(id), name, has, expiresAt]
}

function inviteRecord({ id, name, role: has, expiresAt }: PersonInvite): object {
  return { id, name, role: has, expires_at: expiresAt }
}

function recordOfPerson({ id, name, role: has, telegramId, createdAt }: Person): object {
  return { id, name, role: has, telegram_id: telegramId, created_at: createdAt }
}
