import type { JobKind } from './job-kinds.ts'

const FOR_ORDERS = [
  'complete_static_order',
  'complete_replacement',
  'auto_renew_static_order',
  'complete_renewal',
  'complete_reset',
] as const satisfies JobKind[]
const BY_MAIL = ['send_activation_mail'] as const satisfies JobKind[]
const BACKUPS = ['back_up'] as const satisfies JobKind[]

/** Kinds of jobs on accepted orders. */
export type OrderJobKind = (typeof FOR_ORDERS)[number]

/** A selection of kinds of jobs: these, or all but these. */
export type JobGroup = { readonly only: readonly JobKind[] } | { readonly except: readonly JobKind[] }

/**
 * Jobs grouped by the outside service that they wait for, so that a slow one does not delay the others. By far the most jobs are
 * messages; with the other kinds listed, an index finds those few among them.
 */
export const JOB_GROUPS = {
  orders: { only: FOR_ORDERS },
  mail: { only: BY_MAIL },
  backups: { only: BACKUPS },
  messages: { except: [...FOR_ORDERS, ...BY_MAIL, ...BACKUPS] },
} satisfies Readonly<Record<string, JobGroup>>
export type JobGroupName = keyof typeof JOB_GROUPS

const GROUP_NAMES = Object.keys(JOB_GROUPS) as JobGroupName[]

/** Returns the group of a kind of jobs. */
export function groupOf(kind: JobKind): JobGroupName {
  const own = GROUP_NAMES.find((name) => {
    const group: JobGroup = JOB_GROUPS[name]
    return 'only' in group && group.only.includes(kind)
  })
  return own ?? 'messages'
}

/** @param name undefined: all jobs */
export function groupNamed(name: JobGroupName | undefined): JobGroup {
  return name ? JOB_GROUPS[name] : { except: [] }
}
