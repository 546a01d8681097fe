import type { NamedJob } from '../../../core/operator/named-jobs.ts'
import type { Page } from '../../../core/page.ts'
import { MACHINE } from '../../actions/machine.ts'
import { operatorButton } from '../../actions/operator.ts'
import { shortened } from '../../kit/columns.ts'
import { pager } from '../../kit/pager.ts'
import type { Button, Screen } from '../../kit/screen.ts'
import { type Html, lines } from '../../texts/html.ts'
import type { Texts } from '../../texts/index.ts'

/** Most columns of the last error that a message shows. */
const ERROR_SHOWN = 300

/** Jobs that keep failing. */
export function jobsScreen(texts: Texts, { items, total, page, pageSize }: Page<NamedJob>): Screen {
  const { jobs: words, buttons } = texts.machine
  return {
    text: total === 0 ? words.none : words.title(total),
    buttons: [
      ...items.map((job) => [
        {
          text: words.button(jobName(texts, job.kind), subjectOf(job)),
          data: MACHINE.job.data({ id: job.id }),
        },
      ]),
      ...pager(texts, page, Math.ceil(total / pageSize), (to) => MACHINE.jobs.data({ page: to })),
      [
        { text: buttons.health, data: MACHINE.health.data() },
        { text: texts.buttons.refresh, data: MACHINE.jobs.data({ page }) },
      ],
      [operatorButton(texts)],
    ],
  }
}

export function jobScreen(texts: Texts, job: NamedJob): Screen {
  return { text: jobText(texts, job), buttons: [...jobButtons(texts, job), lastRow(texts)] }
}

/** What failed, what it is about, why and for how long. */
export function jobText(texts: Texts, job: NamedJob): Html {
  const { jobs: words } = texts.machine
  const { id, about, username, lastError, createdAt, attempts, failures, nextAt, kept } = job
  const time = (iso: string) => texts.dateTime(new Date(iso))
  return lines(
    words.job(jobName(texts, job.kind), id),
    about === null ? undefined : words.about(about),
    username === null ? undefined : words.customer(username),
    '',
    words.error(shortened(lastError ?? '-', ERROR_SHOWN)),
    words.since(time(createdAt)),
    words.attempts(attempts, failures),
    nextAt === null ? words.underWay : words.next(time(nextAt)),
    ...(kept === null ? [] : ['' as const, words.kept]),
  )
}

export function jobButtons({ machine: { buttons } }: Texts, { id, kept }: NamedJob): Button[][] {
  return [
    [
      { text: buttons.again, data: MACHINE.retry.data({ id }), style: 'primary' },
      ...(kept === null
        ? [{ text: buttons.drop, data: MACHINE.askDrop.data({ id }), style: 'danger' } as const]
        : []),
    ],
  ]
}

/** Asks whether to give up a job, and says what that means. */
export function askDropScreen(texts: Texts, job: NamedJob): Screen {
  const { jobs: words, buttons } = texts.machine
  const { id, kind } = job
  return {
    text: lines(words.askDrop, '', jobText(texts, job), '', words.dropping[kind] ?? words.kept),
    buttons: [
      [{ text: buttons.dropNow, data: MACHINE.drop.data({ id }), style: 'danger' }],
      [{ text: texts.buttons.cancel, data: MACHINE.job.data({ id }) }],
    ],
  }
}

/** Says what became of a job, with the way to the next one. */
export function settledScreen(texts: Texts, text: Html): Screen {
  return { text, buttons: [lastRow(texts)] }
}

function lastRow(texts: Texts): Button[] {
  return [{ text: texts.buttons.back, data: MACHINE.jobs.data() }, operatorButton(texts)]
}

/** Words what a kind of jobs does; a kind of another version is shown as it is. */
export function jobName({ machine }: Texts, kind: string): string {
  const { kinds } = machine.jobs
  return Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : kind
}

function subjectOf({ about, username, id }: NamedJob): string {
  return username ?? about ?? `#${id}`
}
