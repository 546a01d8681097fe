import type { Person } from '../../../core/people/manage-people.ts'
import { SHOP_ROLES } from '../../../core/people/permissions.ts'
import type { Prompt } from '../../dialogue/prompt.ts'
import { choiceButton } from '../../kit/buttons.ts'
import { lines } from '../../kit/html.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import type { Texts } from '../../texts/index.ts'
import { operatorButton } from '../operator/menu-screen.ts'
import { PEOPLE, TRAIL } from './actions.ts'

const PEOPLE_PER_PAGE = 8

export function peopleScreen(texts: Texts, people: readonly Person[], wanted: number): Screen {
  const { people: words } = texts
  const { items, page, pages } = pageOf(people, wanted, PEOPLE_PER_PAGE)
  return {
    text: people.length === 0 ? words.nobody : words.title(people.length),
    buttons: [
      ...items.map(({ id, name, role }) => [
        { text: `${words.roleNames[role]} · ${name}`, data: PEOPLE.person.data({ id }) },
      ]),
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

/** Which role? Each with what it includes. */
export function rolesScreen(texts: Texts, { id, name, role }: Person): Screen {
  const { people: words } = texts
  return {
    text: rolesText(texts, name),
    buttons: [
      ...SHOP_ROLES.map((each) => [
        choiceButton(words.roleNames[each], each === role, PEOPLE.role.data({ id, role: each })),
      ]),
      [{ text: texts.buttons.back, data: PEOPLE.person.data({ id }) }],
    ],
  }
}

export function newRolePrompt(texts: Texts, name: string): Prompt {
  const { people: words } = texts
  return {
    text: rolesText(texts, name),
    buttons: [
      ...SHOP_ROLES.map((role) => [{ text: words.roleNames[role], answer: role }]),
      [{ text: texts.buttons.cancel, data: PEOPLE.list.data() }],
    ],
  }
}

function rolesText({ people: words }: Texts, name: string) {
  return lines(
    words.whichRole(name),
    '',
    ...SHOP_ROLES.map((role) => words.roleLine(words.roleNames[role], words.includes[role])),
  )
}

/** @param without what no Telegram user means: it is named later, or there is none any more */
export function telegramPrompt(texts: Texts, cancel: string, without: 'later' | 'none'): Prompt {
  const { askTelegram, without: words } = texts.people
  return {
    text: askTelegram,
    buttons: [
      [{ text: without === 'later' ? words.later : words.none, answer: 'none' }],
      [{ text: texts.buttons.cancel, data: cancel }],
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
