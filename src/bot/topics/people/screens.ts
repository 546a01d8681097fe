import type { Person } from '../../../core/people/manage-people.ts'
import type { PersonInvite } from '../../../core/people/person-invites.ts'
import { SHOP_ROLES, type ShopRole } from '../../../core/people/permissions.ts'
import { operatorButton } from '../../actions/operator.ts'
import { PEOPLE, TRAIL } from '../../actions/people.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

const PEOPLE_PER_PAGE = 8

/** Those who run the shop, and the links that nobody has opened yet. */
export function peopleScreen(
  texts: Texts,
  people: readonly Person[],
  invites: readonly PersonInvite[],
  wanted: number,
): Screen {
  const { people: words } = texts
  const named = people.map(({ id, name, role }): Button => {
    return { text: `${words.roleNames[role]} · ${name}`, name, data: PEOPLE.person.data({ id }) }
  })
  const invited = invites.map(({ id, name, role }): Button => {
    return { text: `🔗 ${words.roleNames[role]} · ${name}`, name, data: PEOPLE.invite.data({ id }) }
  })
  const { items, page, pages } = pageOf([...named, ...invited], wanted, PEOPLE_PER_PAGE)
  return {
    text: people.length === 0 ? words.nobody : words.title(people.length),
    buttons: [
      ...grid(items, 1),
      ...pager(texts, page, pages, (to) => PEOPLE.list.data({ page: to })),
      [{ text: words.buttons.add, data: PEOPLE.add.data() }],
      [{ text: words.buttons.trail, data: TRAIL.all.data() }, operatorButton(texts)],
    ],
  }
}

export function personScreen(texts: Texts, { id, name, role, telegramId, createdAt }: Person): Screen {
  const { people: words } = texts
  const { buttons } = words
  return {
    text: lines(
      words.person(name, words.roleNames[role]),
      '',
      words.includes[role],
      telegramId === null ? words.noTelegram : words.telegram(telegramId),
      words.since(texts.date(new Date(createdAt))),
    ),
    buttons: [
      [
        { text: buttons.role, data: PEOPLE.role.data({ id }) },
        { text: buttons.telegram, data: PEOPLE.telegram.data({ id }) },
      ],
      [
        { text: buttons.rename, data: PEOPLE.rename.data({ id }) },
        { text: buttons.remove, data: PEOPLE.askRemove.data({ id }), style: 'danger' },
      ],
      [{ text: buttons.did, data: TRAIL.ofPerson.data({ id }) }],
      [back(texts), operatorButton(texts)],
    ],
  }
}

/** Asks for a person's role; lists each role with what it includes. */
export function rolesScreen(texts: Texts, { id, name, role }: Person): Screen {
  const { people: words } = texts
  return {
    text: lines(...rolesText(texts, name, SHOP_ROLES)),
    buttons: [
      ...SHOP_ROLES.map((each) => [
        choiceButton(words.roleNames[each], each === role, PEOPLE.role.data({ id, role: each })),
      ]),
      [{ text: texts.buttons.back, data: PEOPLE.person.data({ id }) }],
    ],
  }
}

/** @param first whether nobody is named yet; the first person can only be an owner (rules 14.2) */
export function newRolePrompt(texts: Texts, name: string, first: boolean): Prompt {
  const { people: words } = texts
  const roles: readonly ShopRole[] = first ? ['owner'] : SHOP_ROLES
  return {
    text: lines(...rolesText(texts, name, roles), ...(first ? ['' as const, words.firstIsOwner] : [])),
    buttons: [
      ...roles.map((role) => [{ text: words.roleNames[role], answer: role }]),
      [{ text: texts.buttons.cancel, data: PEOPLE.list.data() }],
    ],
  }
}

function rolesText({ people: words }: Texts, name: string, roles: readonly ShopRole[]): (Html | '')[] {
  return [
    words.whichRole(name),
    '',
    ...roles.map((role) => words.roleLine(words.roleNames[role], words.includes[role])),
  ]
}

/** What the button of {@link newTelegramPrompt} answers for a link. */
export const INVITE = 'invite'

/** Asks how a new person gets access: by an invite link, by its Telegram user, or later. */
export function newTelegramPrompt(texts: Texts, name: string): Prompt {
  const { invite, orTelegram, without } = texts.people
  return {
    text: lines(invite.ask(name), '', orTelegram),
    buttons: [
      [{ text: invite.make, answer: INVITE, style: 'primary' }],
      [{ text: without.later, answer: 'none' }],
      [{ text: texts.buttons.cancel, data: PEOPLE.list.data() }],
    ],
  }
}

/** @param without label of the button for no Telegram user: named later, or none any more */
export function telegramPrompt(texts: Texts, without: 'later' | 'none'): Prompt {
  const { askTelegram, without: words } = texts.people
  return {
    text: askTelegram,
    buttons: [
      [{ text: words[without], answer: 'none' }],
      [{ text: texts.buttons.cancel, data: PEOPLE.list.data() }],
    ],
  }
}

/** @param url the link itself, if it is new: shown this one time */
export function inviteScreen(
  texts: Texts,
  { id, name, role, expiresAt }: PersonInvite,
  url?: string,
): Screen {
  const { invite, includes, roleNames } = texts.people
  return {
    text: lines(
      invite.title(name, roleNames[role]),
      '',
      includes[role],
      invite.until(texts.dateTime(new Date(expiresAt))),
      ...(url === undefined ? [] : ['' as const, invite.made(url)]),
    ),
    buttons: [
      url === undefined ? [] : [{ text: invite.copy, copy: url }],
      [{ text: invite.revoke, data: PEOPLE.revokeInvite.data({ id }), style: 'danger' }],
      [back(texts), operatorButton(texts)],
    ],
  }
}

export function askRemoveScreen(texts: Texts, { id, name }: Person): Screen {
  const { people: words } = texts
  return {
    text: words.askRemove(name),
    buttons: [
      [{ text: words.buttons.removeNow, data: PEOPLE.remove.data({ id }), style: 'danger' }],
      [{ text: texts.buttons.cancel, data: PEOPLE.person.data({ id }) }],
    ],
  }
}

const back = (texts: Texts): Button => ({ text: texts.buttons.back, data: PEOPLE.list.data() })
