import { z } from 'zod'
import { NewPerson, type Person, PersonEdit, PersonRecord } from '../core/people/manage-people.ts'
import { type PersonInvite, PersonInviteRecord } from '../core/people/person-invites.ts'
import { action, typed } from './action.ts'
import { idArgument, telegramUser } from './arguments.ts'
import { table } from './table.ts'

const ROLE = 'what the person may do'
const role = typed(NewPerson.shape.role, '--role <role>', ROLE)
const telegramId = typed(
  PersonEdit.shape.telegramId,
  '--telegram <id>',
  'id of the person’s Telegram user, which /chatid says in the private chat with the bot',
  { parse: telegramUser },
)
const person = typed(z.string(), '<name>', 'as `person list` shows it')

/** Those who run the shop (rules 14.2). */
export const personActions = [
  action({
    name: 'person add',
    summary: 'name somebody who runs the shop; the first one is an owner',
    input: { name: typed(NewPerson.shape.name, '<name>', 'at most 40 characters'), role, telegramId },
    answer: PersonRecord.schema,
    needs: ['create'],
    async run({ core, by }, input) {
      const added = await core.operator.people.add(by, input)
      return { data: PersonRecord.show(added), text: `${added.name} is ${added.role}` }
    },
  }),
  action({
    name: 'person invite',
    summary: 'make a link by which somebody in Telegram runs the shop; it works once, for 3 days',
    input: {
      name: typed(NewPerson.shape.name, '<name>', 'what the person will be called, at most 40 characters'),
      role,
    },
    answer: PersonInviteRecord.schema.extend({ start: z.string(), link: z.string().nullable() }),
    needs: ['create'],
    async run({ core, by, botLink }, input) {
      const { start, ...invite } = await core.operator.people.invite(by, input)
      const { link = null, text } = await botLink(start)
      return {
        data: { ...PersonInviteRecord.show(invite), start, link },
        text: `${text} (until ${invite.expiresAt})`,
      }
    },
  }),
  action({
    name: 'person list',
    summary: 'list those who run the shop, and links for others',
    answer: z.object({ items: PersonRecord.array().schema, invites: PersonInviteRecord.array().schema }),
    reads: true,
    async run({ core }) {
      const { people: part } = core.operator
      const [people, invites] = [await part.list(), await part.invites()]
      return {
        data: {
          items: PersonRecord.array().show(people),
          invites: PersonInviteRecord.array().show(invites),
        },
        text: [
          people.length === 0
            ? 'Nobody is named: whoever is in the chats of OPERATOR_CHAT_IDS acts as the owner'
            : table([['NAME', 'ROLE', 'TELEGRAM'], ...people.map(rowOfPerson)]),
          ...(invites.length === 0
            ? []
            : ['', table([['LINK', 'FOR', 'ROLE', 'UNTIL'], ...invites.map(rowOfInvite)])]),
        ].join('\n'),
      }
    },
  }),
  action({
    name: 'person edit',
    summary: 'change name, role or Telegram user of a person',
    input: {
      person,
      name: typed(PersonEdit.shape.name, '--name <name>', 'new name'),
      role: typed(PersonEdit.shape.role, '--role <role>', ROLE),
      telegramId,
    },
    answer: PersonRecord.schema,
    async run({ core, by }, { person, ...edit }) {
      const edited = await core.operator.people.edit(by, person, edit)
      return { data: PersonRecord.show(edited), text: `${edited.name} is ${edited.role}` }
    },
  }),
  action({
    name: 'person remove',
    summary: 'remove a person, who may do nothing from then on; the trail keeps what was done',
    input: { person },
    answer: PersonRecord.schema,
    async run({ core, by }, { person }) {
      const removed = await core.operator.people.remove(by, person)
      return { data: PersonRecord.show(removed), text: `Removed ${removed.name}` }
    },
  }),
  action({
    name: 'person revoke-invite',
    summary: 'end a link that nobody has opened',
    input: { invite: typed(z.int(), '<id>', 'as `person list` shows it', { parse: idArgument }) },
    answer: z.object({ id: z.int(), name: z.string() }),
    async run({ core, by }, { invite: id }) {
      const { name } = await core.operator.people.uninvite(by, id)
      return { data: { id, name }, text: `The link for ${name} is revoked` }
    },
  }),
]

function rowOfPerson({ name, role, telegramId }: Person): string[] {
  return [name, role, telegramId === null ? '-' : String(telegramId)]
}

function rowOfInvite({ id, name, role, expiresAt }: PersonInvite): string[] {
  return [String(id), name, role, expiresAt]
}
