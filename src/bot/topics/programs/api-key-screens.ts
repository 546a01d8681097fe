import { API_KEY_SCOPES, type ApiKey, type ApiKeyScope } from '../../../core/api-keys/api-key.ts'
import type { Page } from '../../../core/page.ts'
import { KEYS, PROGRAMS } from '../../actions/programs.ts'
import type { AnswerButton, Prompt } from '../../dialogue/prompt.ts'
import { backButton, homeButton } from '../../kit/buttons.ts'
import { pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'

export const KEYS_PER_PAGE = 8

/** A key that is being made. */
export interface KeyForm {
  /** Idempotency key of the request that creates the API key. */
  readonly requestKey: string
  readonly name: string
  readonly scopes: ApiKeyScope[]
  readonly addresses: string[]
  /** Lifetime in days; null: valid until it is revoked. */
  readonly days: number | null
}

/** What buttons of the form answer, beside scopes and terms. */
export const MAKE = 'make'
export const ANYWHERE = 'anywhere'
const TERMS = [30, 90, 365, null] as const
const TERM = 'days-'

/** The term that a button of the form stands for; undefined when it is another one. */
export function termOf(choice: string): KeyForm['days'] | undefined {
  return TERMS.find((days) => choice === TERM + String(days))
}

export function apiKeysScreen({ texts }: View, { items, total, page, pageSize }: Page<ApiKey>): Screen {
  const { programs } = texts
  const button = ({ id, state, name, lastUsedAt }: ApiKey): Button => {
    const used = lastUsedAt === null ? programs.unused : texts.date(new Date(lastUsedAt))
    return { text: `${programs.icons[state]} ${name} · ${used}`, name, data: KEYS.key.data({ id }) }
  }
  return {
    text: lines(programs.keys(total), '', programs.aboutKeys),
    buttons: [
      ...grid(items.map(button), 1),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => KEYS.list.data({ page: to })),
      [{ text: programs.buttons.create, data: KEYS.create.data(), style: 'primary' }],
      [backButton(texts, PROGRAMS.home.data()), homeButton(texts)],
    ],
  }
}

export function apiKeyScreen(view: View, key: ApiKey): Screen {
  const { texts } = view
  const { revoke } = texts.programs.buttons
  return {
    text: lines(...keyLines(view, key)),
    buttons: [
      key.state === 'active'
        ? [{ text: revoke, data: KEYS.askRevoke.data({ id: key.id }), style: 'danger' }]
        : [],
      [backButton(texts, KEYS.list.data({})), homeButton(texts)],
    ],
  }
}

export function revokeScreen(view: View, key: ApiKey): Screen {
  const { texts } = view
  const { buttons, askRevoke } = texts.programs
  const { id } = key
  return {
    text: lines(...keyLines(view, key), '', askRevoke),
    buttons: [
      [{ text: buttons.revoke, data: KEYS.revoke.data({ id }), style: 'danger' }],
      [backButton(texts, KEYS.key.data({ id })), homeButton(texts)],
    ],
  }
}

/** @param made with the key, which is shown this one time */
export function newKeyScreen(view: View, made: ApiKey & { readonly key: string }): Screen {
  const { texts } = view
  const { programs } = texts
  return {
    text: lines(programs.made(made.key), '', ...keyLines(view, made)),
    buttons: [
      [{ text: programs.buttons.copy, copy: made.key }],
      [backButton(texts, KEYS.list.data({})), homeButton(texts)],
    ],
  }
}

/** Shows the form of a new key: scopes as switches, the term, and the addresses it works from. */
export function keyFormPrompt({ texts }: View, { name, scopes, addresses, days }: KeyForm): Prompt {
  const { programs } = texts
  const { text, buttons } = promptScreen(
    texts,
    lines(programs.newKey(name), '', programs.from(texts.list(addresses)), '', programs.askForm),
    KEYS.list.data({}),
  )
  const term = (value: KeyForm['days']): AnswerButton => ({
    text: (value === days ? '✓ ' : '') + programs.term(value),
    answer: TERM + String(value),
  })
  return {
    text,
    buttons: [
      ...API_KEY_SCOPES.map((scope): AnswerButton[] => [
        { text: `${scopes.includes(scope) ? '☑️' : '⬜️'} ${programs.scopes[scope]}`, answer: scope },
      ]),
      ...grid(TERMS.map(term), 2),
      addresses.length === 0 ? [] : [{ text: programs.buttons.anywhere, answer: ANYWHERE }],
      [{ text: programs.buttons.make, answer: MAKE, style: 'success' }],
      ...buttons,
    ],
  }
}

function keyLines({ texts }: View, key: ApiKey): Html[] {
  const { programs } = texts
  const { id, name, state, scopes, addresses, expiresAt, lastUsedAt, createdAt } = key
  const time = (iso: string | null) => (iso === null ? undefined : texts.dateTime(new Date(iso)))
  return [
    programs.key(`prk_${id}_…`, name),
    programs.state(`${programs.icons[state]} ${programs.states[state]}`),
    ...scopes.map((scope) => programs.may(programs.scopes[scope])),
    programs.from(texts.list(addresses)),
    programs.until(time(expiresAt)),
    programs.used(time(lastUsedAt)),
    programs.since(texts.date(new Date(createdAt))),
  ]
}
