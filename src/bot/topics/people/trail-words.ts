import { groupOf, type OperatorAction } from '../../../core/people/permissions.ts'
import type { TrailEntry } from '../../../core/people/trail.ts'
import type { Texts } from '../../texts/index.ts'

/** Fields whose values are translated; others, such as a remark, stay as they were written. */
const WORDED = new Set(['audience', 'funding', 'language', 'replacePolicy', 'role', 'status'])
/** Fields that say nothing about what was done. */
const LEFT_OUT = new Set(['requestKey'])

/** `Price: set` */
export function actionText(texts: Texts, action: OperatorAction): string {
  const { groups, verbs } = texts.people.trail
  const verb = action.slice(action.indexOf('.') + 1)
  const group = groupOf(action)
  // An action of another version is shown raw.
  if (!Object.hasOwn(groups, group) || !Object.hasOwn(verbs, verb)) return action
  return texts.people.trail.action(groups[group], verbs[verb as keyof typeof verbs])
}

/** Returns the details of a trail entry in the language of the chat; fields of another version keep their raw names. */
export function detailsText({ people: { trail }, field }: Texts, details: TrailEntry['details']): string {
  return fieldsText(details)

  function fieldsText(fields: object): string {
    return Object.entries(fields)
      .filter(([name, value]) => value !== undefined && value !== null && !LEFT_OUT.has(name))
      .map(([name, value]) => field(known(trail.fields, name) ?? name, valueText(name, value)))
      .join(trail.comma)
  }

  function valueText(name: string, value: unknown): string {
    if (Array.isArray(value)) return value.map((item) => valueText(name, item)).join(' / ')
    if (typeof value === 'object' && value !== null) return fieldsText(value)
    if (typeof value === 'boolean') return value ? trail.yesNo.yes : trail.yesNo.no
    const text = String(value)
    return (WORDED.has(name) ? known(trail.values, text) : undefined) ?? text
  }
}

function known(words: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined
}
