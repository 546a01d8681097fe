import type { HealthPart } from '../../../core/operator/health.ts'
import { MACHINE } from '../../actions/machine.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { Feature } from '../../session/feature.ts'
import { isOperatorChat } from '../../session/operator-chat.ts'
import { viewOf } from '../../session/view-of.ts'
import { lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Shows the state of each part of the shop, the worst first (rules 10.19). */
export function healthFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(MACHINE.health, async (ctx) =>
    ctx.show(
      healthScreen(
        viewOf(ctx),
        await ctx.core.operator.health(),
        (await ctx.core.operator.setup.list()).length > 0,
      ),
    ),
  )
  return feature
}

const ICONS = { ok: '🟢', degraded: '⚠️', down: '🔴' } as const

/** @param canBeSet whether there are settings that can be chosen in the chat */
function healthScreen({ texts, currency }: View, parts: readonly HealthPart[], canBeSet: boolean): Screen {
  const { health: words } = texts.machine
  return {
    text: lines(
      parts.every(({ state }) => state === 'ok') ? words.well : words.title,
      '',
      ...parts.map((part) => words.line(ICONS[part.state], words.parts[part.part], textOf(texts, part))),
      '',
      words.currency(currency),
    ),
    buttons: [
      ...parts.filter(({ state }) => state !== 'ok').flatMap((part) => cure(texts, part)),
      [
        { text: texts.machine.buttons.books, data: MACHINE.books.data() },
        ...(canBeSet ? [{ text: texts.machine.buttons.setup, data: MACHINE.setup.data() }] : []),
      ],
      [{ text: texts.buttons.refresh, data: MACHINE.health.data() }, operatorButton(texts)],
    ],
  }
}

/** Returns the button to the screen where a problem can be fixed; none when it can be fixed only on the server. */
function cure({ operator, machine }: Texts, part: HealthPart): Button[][] {
  switch (part.part) {
    case 'jobs':
      return part.failing > 0
        ? [[{ text: machine.buttons.jobs(part.failing), data: MACHINE.jobs.data() }]]
        : []
    case 'books':
      return [[{ text: machine.buttons.checkBooks, data: MACHINE.checkBooks.data() }]]
    case 'backups':
      return [[{ text: operator.buttons.backups, data: OPERATOR.backups.data() }]]
    case 'gateway':
      return [[{ text: operator.buttons.exits, data: OPERATOR.exits.data() }]]
    case 'suppliers':
      return [[{ text: operator.buttons.suppliers, data: OPERATOR.suppliers.data() }]]
    default:
      return []
  }
}

function textOf(texts: Texts, part: HealthPart): string {
  const { health: words } = texts.machine
  const time = (iso: string) => texts.dateTime(new Date(iso))
  const minutes = (seconds: number) => Math.floor(seconds / 60)
  switch (part.part) {
    case 'database':
    case 'bot':
      return words.states[part.state]
    case 'jobs':
      return words.jobs(part.failing, part.waiting, minutes(part.oldestSeconds))
    case 'messages':
      return words.messages(part.waiting, minutes(part.oldestSeconds))
    case 'books':
      return words.books(part.frozen, part.checkedAt === null ? undefined : time(part.checkedAt))
    case 'chain':
      return words.chain(part.checkedAt === null ? undefined : time(part.checkedAt))
    case 'backups':
      return words.backups(part.goodAt === null ? undefined : time(part.goodAt), part.everyMs !== null)
    case 'gateway':
      return words.gateway(part.working, part.healthy, part.exits)
    case 'suppliers':
      return words.suppliers(part.all, texts.list(part.troubled))
    case 'chats':
      return words.chats(part.all, texts.list(part.gone))
    case 'servers':
      return words.servers(part.alive, part.wrongClocks)
    case 'version':
      return words.version(part.version, part.newer ?? undefined, part.unread)
    case 'disk':
      return words.disk(used(part.freeBytes, texts), Math.floor((part.freeBytes / part.totalBytes) * 100))
  }
}
