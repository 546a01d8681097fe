import type { ExitOverview } from '../../../core/gateway/exits.ts'
import type { GatewayStatus } from '../../../core/gateway/status.ts'
import type { ExitFaultPhrase } from '../../../core/gateway/wire.ts'
import { isCountryCode } from '../../../core/catalog/country-code.ts'
import { cityOfWord } from '../../../core/catalog/offered-places.ts'
import type { Bytes } from '../../../core/bytes.ts'
import { OPERATOR, operatorButton } from '../../actions/operator.ts'
import { shortened } from '../../kit/columns.ts'
import { placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, type Screen } from '../../kit/screen.ts'
import { promptScreen } from '../../kit/simple-screens.ts'
import { used } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

const EXITS_PER_PAGE = 10
/** Most reasons of refusals that are listed. */
const MOST_REASONS = 20

/** The gateway in short, and all exits by pool. */
export function exitsScreen(view: View, status: GatewayStatus, wanted: number): Screen {
  const { texts } = view
  const { exits: words, buttons } = texts.operator
  const { items, page, pages } = pageOf(status.exits, wanted, EXITS_PER_PAGE)
  return {
    text: lines(
      words.title,
      '',
      gatewayLine(texts, status),
      ...(items.length === 0 ? ['' as const, words.none] : []),
      ...[...new Set(items.map(({ pool }) => pool))].flatMap((pool) => [
        '' as const,
        words.pool(pool),
        ...items
          .filter((exit) => exit.pool === pool)
          .map((exit) => words.line(iconOf(exit), exit.id, placeOfExit(view, exit))),
      ]),
    ),
    buttons: [
      ...grid(
        items.map((exit): Button => ({
          text: words.button(iconOf(exit), exit.id, exit.country?.toUpperCase() ?? '🌍'),
          data: OPERATOR.exit.data({ id: exit.id }),
        })),
        2,
      ),
      ...pager(texts, page, pages, (to) => OPERATOR.exits.data({ page: to })),
      [{ text: buttons.addExit, data: OPERATOR.addExit.data() }],
      [
        { text: buttons.gateway, data: OPERATOR.gateway.data() },
        { text: texts.buttons.refresh, data: OPERATOR.exits.data({ page }) },
      ],
      [operatorButton(texts)],
    ],
  }
}

/** ⏸ paused, 🟢 healthy, 🔴 not, ⚪ before the first report. */
function iconOf({ status, healthy }: ExitOverview): string {
  if (status === 'paused') return '⏸'
  return healthy === null ? '⚪' : healthy ? '🟢' : '🔴'
}

function placeOfExit({ texts, language }: View, { country, city }: ExitOverview): string {
  if (country === null) return texts.operator.exits.anywhere
  const code = country.toUpperCase()
  // A city without a name, or one of another version, stays the word by which clients ask for it.
  const cityCode = city === null ? null : (cityOfWord(code, city) ?? city)
  return isCountryCode(code) ? placeName({ countryCode: code, cityCode }, language) : code
}

/** @param note outcome of a test or a change */
export function exitScreen(view: View, exit: ExitOverview, note?: Html): Screen {
  const { texts } = view
  const { buttons } = texts.operator
  const { id, status } = exit
  return {
    text: lines(...(note ? [note, '' as const] : []), exitText(view, exit)),
    buttons: [
      [
        { text: buttons.test, data: OPERATOR.testExit.data({ id }) },
        status === 'active'
          ? { text: buttons.pause, data: OPERATOR.pauseExit.data({ id }), style: 'danger' }
          : { text: buttons.resume, data: OPERATOR.resumeExit.data({ id }), style: 'success' },
      ],
      [
        { text: texts.buttons.refresh, data: OPERATOR.exit.data({ id }) },
        { text: buttons.removeExit, data: OPERATOR.askRemoveExit.data({ id }), style: 'danger' },
      ],
      [{ text: buttons.editExit, data: OPERATOR.editExit.data({ id }) }],
      [{ text: texts.buttons.back, data: OPERATOR.exits.data() }, operatorButton(texts)],
    ],
  }
}

function exitText(view: View, exit: ExitOverview): Html {
  const { texts } = view
  const { exits: words } = texts.operator
  const { id, pool, kind, address, template, remoteOnly, status, healthy, reason, connectMs, reportedAt } =
    exit
  const health = healthy === null ? 'unknown' : healthy ? 'healthy' : 'failing'
  return lines(
    words.exit(id, pool),
    words.states[status === 'paused' ? 'paused' : health],
    '',
    words.kind(words.kinds[kind]),
    address === null ? undefined : words.address(address),
    words.place(placeOfExit(view, exit)),
    template === null ? undefined : words.template(template),
    remoteOnly ? words.remoteOnly : undefined,
    '',
    reason === null ? undefined : words.lastError(faultText(texts, reason)),
    connectMs === null ? undefined : words.connect(connectMs),
    words.today(used(exit.bytesToday, texts), exit.errorsToday),
    words.total(used(exit.bytes, texts), exit.errors, exit.connections),
    reportedAt === null ? undefined : words.reported(texts.dateTime(new Date(reportedAt))),
  )
}

/** Shown while an exit is tried. */
export function tryingScreen(texts: Texts): Screen {
  return { text: texts.operator.exits.trying, buttons: [[operatorButton(texts)]] }
}

export function askRemoveScreen(view: View, exit: ExitOverview): Screen {
  const { texts } = view
  const { exits: words, buttons } = texts.operator
  const { id } = exit
  return {
    text: lines(words.askRemove, '', exitText(view, exit)),
    buttons: [
      [{ text: buttons.removeExitNow(id), data: OPERATOR.removeExit.data({ id }), style: 'danger' }],
      [{ text: texts.buttons.back, data: OPERATOR.exit.data({ id }) }, operatorButton(texts)],
    ],
  }
}

export function addExitScreen(texts: Texts): Screen {
  return promptScreen(texts, texts.operator.exits.askLine, OPERATOR.exits.data())
}

export function editExitScreen(texts: Texts, id: number): Screen {
  return promptScreen(texts, texts.operator.exits.askChange(id), OPERATOR.exit.data({ id }))
}

/**
 * Shows the state of the gateway.
 *
 * @param bytesToday traffic of today
 */
export function gatewayScreen({ texts }: View, status: GatewayStatus, bytesToday: Bytes): Screen {
  const { gateway: words } = texts.operator
  const { last, atWork, accepted } = status
  const refused = Object.entries(status.refused).toSorted(([, a], [, b]) => b - a)
  return {
    text: lines(
      words.title,
      '',
      gatewayLine(texts, status),
      last && atWork ? words.connections(last.connections, last.workers) : undefined,
      words.today(used(bytesToday, texts)),
      '',
      words.accepted(accepted),
      ...(refused.length > 0 ? [words.refused] : []),
      ...refused
        .slice(0, MOST_REASONS)
        .map(([reason, times]) => words.reason(reasonText(texts, reason), times)),
    ),
    buttons: [
      [
        { text: texts.operator.buttons.exits, data: OPERATOR.exits.data() },
        { text: texts.buttons.refresh, data: OPERATOR.gateway.data() },
      ],
      [
        { text: texts.operator.buttons.whiteLists, data: OPERATOR.whiteLists.data() },
        { text: texts.operator.buttons.usageFile, data: OPERATOR.usageFile.data() },
      ],
      [operatorButton(texts)],
    ],
  }
}

/** Whether the gateway runs, and since when. */
function gatewayLine(texts: Texts, { last, atWork }: GatewayStatus): Html {
  const { gateway: words } = texts.operator
  const time = (iso: string) => texts.dateTime(new Date(iso))
  if (last === null) return words.never
  if (atWork) return words.running(time(last.startedAt ?? last.calledAt))
  return last.ended ? words.stopped(time(last.calledAt)) : words.silent(time(last.calledAt))
}

/**
 * Why an exit failed, as the gateway reports it: a phrase, perhaps with a code or a number, or the name of a refusal. What another
 * version writes is shown as it is.
 */
function faultText(texts: Texts, reason: string): string {
  const { faults, faultOf } = texts.operator.exits
  const [, phrase = reason, code, number] = /^(.*?)(?: \((\w+)\)| (\d+))?$/.exec(reason) ?? []
  if (!Object.hasOwn(faults, phrase)) return reasonText(texts, reason)
  return faultOf(faults[phrase as ExitFaultPhrase], code ?? number)
}

/** Words a reason named by the gateway; one of another version is shown as it is. */
function reasonText({ operator: { gateway } }: Texts, reason: string): string {
  const { reasons } = gateway
  return Object.hasOwn(reasons, reason) ? reasons[reason as keyof typeof reasons] : shortened(reason, 50)
}
