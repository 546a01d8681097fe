import type { Backup, BackupOverview } from '../../../core/backups/list-backups.ts'
import { type Html, lines } from '../../kit/html.ts'
import type { Screen } from '../../kit/screen.ts'
import { used } from '../../kit/traffic-text.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import type { Texts } from '../../texts/index.ts'
import { OPERATOR } from './actions.ts'
import { operatorButton } from './menu-screen.ts'

const SHOWN = 7

/** The last backups, and another one at once (rules 10.15). */
export function backupsFeature(): Feature {
  const feature = new Feature(isOperatorChat)
  feature.on(OPERATOR.backups, showBackups)
  feature.on(OPERATOR.backUp, async (ctx) => {
    await ctx.core.operator.backups.request(by(ctx))
    await showBackups(ctx)
  })
  return feature
}

async function showBackups(ctx: BotContext): Promise<unknown> {
  return ctx.show(backupsScreen(ctx.texts, await ctx.core.operator.backups.overview(SHOWN)))
}

function backupsScreen(texts: Texts, overview: BackupOverview): Screen {
  const { backups: words, buttons } = texts.operator
  const { everyMs, underWay, last, good } = overview
  return {
    text: lines(
      words.title,
      everyMs === null ? words.onlyAsked : words.every(Math.round(everyMs / 60_000)),
      '',
      ...(underWay ? [words.underWay, '' as const] : []),
      ...(last.length === 0 ? [words.none] : last.map((backup) => line(texts, backup))),
      ...(good && !last.some(({ name }) => name === good.name) ? ['' as const, line(texts, good)] : []),
    ),
    buttons: [
      ...(underWay ? [] : [[{ text: buttons.backUp, data: OPERATOR.backUp.data() }]]),
      [{ text: texts.buttons.refresh, data: OPERATOR.backups.data() }],
      [operatorButton(texts)],
    ],
  }
}

function line(texts: Texts, { endedAt, bytes, places, problem, detail }: Backup): Html {
  const { backups: words } = texts.operator
  const time = texts.dateTime(new Date(endedAt))
  return problem === null
    ? words.good(time, used(bytes), placesText(texts, places))
    : words.failed(time, words.problems[problem], detail ?? '')
}

/** Where a backup stands. */
export function placesText({ operator, list }: Texts, places: Backup['places']): string {
  return list(places.map((place) => operator.backups.places[place]))
}
