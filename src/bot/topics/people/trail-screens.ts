import type { Person } from '../../../core/people/manage-people.ts'
import { ACTION_GROUPS, type ActionGroup } from '../../../core/people/permissions.ts'
import type { TrailEntry } from '../../../core/people/trail.ts'
import { operatorButton } from '../../actions/operator.ts'
import { TRAIL } from '../../actions/people.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'
import { actionText, detailsText } from './trail-words.ts'
import type { TrailFilter } from './trail-filter.ts'

/** Characters shown of an entry's details. */
const DETAILS_SHOWN = 120

/**
 * A page of the trail.
 *
 * @param older whether there are newer entries than these
 */
export function trailScreen(
  texts: Texts,
  filter: TrailFilter,
  { items, more }: { readonly items: readonly TrailEntry[]; readonly more: boolean },
  older: boolean,
): Screen {
  const { trail: words } = texts.people
  const last = items.at(-1)
  const chosen = [filter.person, filter.action && words.groups[filter.action], filter.subject].filter(
    (part) => part !== undefined,
  )
  return {
    text: lines(
      words.title,
      chosen.length > 0 ? words.only(chosen.join(' · ')) : undefined,
      '',
      ...(items.length === 0 ? [words.noneFound] : items.map((entry) => entryText(texts, entry))),
    ),
    buttons: [
      [
        ...(older ? [{ text: words.newest, data: TRAIL.page.data() }] : []),
        ...(more && last ? [{ text: words.older, data: TRAIL.page.data({ before: last.id }) }] : []),
      ],
      [
        { text: words.byPerson, data: TRAIL.choosePerson.data() },
        { text: words.byGroup, data: TRAIL.chooseGroup.data() },
      ],
      [{ text: words.bySubject, data: TRAIL.askSubject.data() }],
      [
        ...(chosen.length > 0 ? [{ text: words.everything, data: TRAIL.all.data() }] : []),
        { text: words.asFile, data: TRAIL.file.data() },
      ],
      [operatorButton(texts)],
    ],
  }
}

function entryText(texts: Texts, { at, person, via, action, subject, username, details }: TrailEntry): Html {
  const { trail: words } = texts.people
  const about = [subject, username ?? ''].filter((part) => part !== '').join(' · ')
  const given = detailsText(texts, details)
  return words.entry({
    time: texts.dateTime(new Date(at)),
    who: person ?? words.via[via],
    what: actionText(texts, action),
    about,
    details: given.length > DETAILS_SHOWN ? `${given.slice(0, DETAILS_SHOWN)}…` : given,
  })
}

export function whoScreen(texts: Texts, people: readonly Person[]): Screen {
  const { trail: words } = texts.people
  return {
    text: words.whose,
    buttons: [
      ...people.map(({ id, name }): Button[] => [{ text: name, data: TRAIL.ofPerson.data({ id }) }]),
      [{ text: words.everybody, data: TRAIL.ofPerson.data({ id: 0 }) }],
      [{ text: texts.buttons.back, data: TRAIL.page.data() }],
    ],
  }
}

export function groupsScreen(texts: Texts): Screen {
  const { trail: words } = texts.people
  const button = (group: ActionGroup): Button => ({
    text: words.groups[group],
    data: TRAIL.ofGroup.data({ group }),
  })
  return {
    text: words.whichGroup,
    buttons: [
      ...grid(ACTION_GROUPS.map(button), 2),
      [{ text: words.everything, data: TRAIL.ofGroup.data() }],
      [{ text: texts.buttons.back, data: TRAIL.page.data() }],
    ],
  }
}
