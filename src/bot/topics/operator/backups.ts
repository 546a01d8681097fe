import type { Backup, BackupOverview } from '../../../core/backups/list-backups.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import type { Screen } from '../../kit/screen.ts'
import { used } from '../../kit/traffic-text.ts'
import type { BotContext, Installation } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { by, isOperatorChat } from '../../session/operator-chat.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

const SHOWN = 7

/** Shows the last backups, and requests another one at once (rules 10.15). */
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
  const overview = await ctx.core.operator.backups.overview(SHOWN)
  return ctx.show(backupsScreen(ctx.texts, overview, ctx.installation))
}

function backupsScreen(
  texts: Texts,
  overview: BackupOverview,
  installation: Installation | undefined,
): Screen {
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
      ...(good && installation ? ['' as const, ...restoringText(texts, good, installation)] : []),
    ),
    buttons: [
      ...(underWay ? [] : [[{ text: buttons.backUp, data: OPERATOR.backUp.data() }]]),
      [{ text: texts.buttons.refresh, data: OPERATOR.backups.data() }],
      [operatorButton(texts)],
    ],
  }
}

/** Tells how to restore a backup: in a shell, because the server must be stopped (rules 10.16). */
function restoringText(
  { operator: { backups: words } }: Texts,
  { name, places }: Backup,
  { operator, stop, start }: Installation,
): Html[] {
  const isNamed = places.includes('folder') || places.includes('s3')
  const command = `${operator} backup restore ${isNamed ? name : 'FILE'}`
  return [
    stop === undefined
      ? words.restoreStopped(command)
      : words.restore(`${stop} && ${command}`, stop.startsWith('systemctl')),
    ...(isNamed ? [] : [words.restoreFile]),
    ...(start === undefined ? [] : [words.restoreStart(start)]),
  ]
}

function line(texts: Texts, { endedAt, bytes, places, problem, detail }: Backup): Html {
  const { backups: words } = texts.operator
  const time = texts.dateTime(new Date(endedAt))
  return problem === null
    ? words.good(time, used(bytes, texts), placesText(texts, places))
    : words.failed(time, words.problems[problem], detail ?? '')
}

/** Lists the places where a backup is stored. */
export function placesText({ operator, list }: Texts, places: Backup['places']): string {
  return list(places.map((place) => operator.backups.places[place]))
}
