import { ORDERS, PROXIES } from '../../src/bot/actions/orders.ts'
import { USERS } from '../../src/bot/actions/users.ts'
import { type Action, actionOf } from '../../src/bot/kit/action.ts'
import { unmarked } from '../../src/bot/kit/mark.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'

/** Most buttons around a list (rules 18.14). */
const MOST = 8

/** Buttons that lead to a list, with those of what is listed. */
const LISTS: readonly (readonly [list: Pick<Action, 'name'>, item: Pick<Action, 'name'>])[] = [
  [USERS.list, USERS.view],
  [USERS.links, USERS.link],
  [ORDERS.list, ORDERS.view],
  [ORDERS.ofUser, ORDERS.view],
  [ORDERS.ofAll, ORDERS.view],
  [PROXIES.list, ORDERS.proxy],
]

/** Returns the lists that a walk has seen with more buttons around them than there may be, and how many. */
export function crowdedLists(screens: ReadonlyMap<string, EmulatedMessage>): string[] {
  return [...screens].flatMap(([kind, { keyboard }]) => {
    const [, item] = LISTS.find(([list]) => list.name === actionOf(kind)) ?? []
    if (!item) return []
    const controls = keyboard
      .filter((row) => !row.some(isPager))
      .flat()
      .filter(({ value }) => actionOf(unmarked(value).data) !== item.name)
    return controls.length > MOST ? [`${kind}: ${controls.map(({ text }) => text).join(', ')}`] : []
  })
}

function isPager({ text }: { readonly text: string }): boolean {
  return text === '‹' || text === '« 1'
}
