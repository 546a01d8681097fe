/** The subject of a job of each kind. */
export interface JobSubjects {
  /** Numbers of orders. */
  complete_static_order: string
  /** Number of the replacement. */
  complete_replacement: string
  auto_renew_static_order: string
  /** Number of the renewal whose supplier has answered. */
  complete_renewal: string
  /** Number of the call that reset credentials. */
  complete_reset: string
  /** Ids of an account, a notice and a broadcast. */
  send_activation_mail: number
  deliver_notice: number
  send_broadcast: number
  /** All waiting notices of a kind in a chat. */
  deliver_digest: { readonly chatId: number; readonly kind: string }
  /** The value that screens follow, and its new state: each state is shown once. */
  refresh_screens: { readonly follows: string; readonly state: string }
  /** Only one such job exists at a time. */
  back_up: 'now'
}

export type JobKind = keyof JobSubjects

/** How a subject is written in the key of a job; jobs of a kind are unique by key. */
interface KeyFormat<Subject> {
  readonly write: (subject: Subject) => string
  readonly read: (key: string) => Subject
}

const number: KeyFormat<string> = { write: (no) => no, read: (no) => no }
const id: KeyFormat<number> = { write: String, read: Number }

const KEYS: { readonly [Kind in JobKind]: KeyFormat<JobSubjects[Kind]> } = {
  complete_static_order: number,
  complete_replacement: number,
  auto_renew_static_order: number,
  complete_renewal: number,
  complete_reset: number,
  send_activation_mail: id,
  deliver_notice: id,
  send_broadcast: id,
  deliver_digest: {
    write: ({ chatId, kind }) => `${chatId} ${kind}`,
    read: (key) => {
      const [chatId, kind = ''] = key.split(' ')
      return { chatId: Number(chatId), kind }
    },
  },
  back_up: { write: () => 'now', read: () => 'now' },
  refresh_screens: {
    write: ({ follows, state }) => `${follows} ${state}`,
    read: (key) => {
      const [follows = '', state = ''] = key.split(' ')
      return { follows, state }
    },
  },
}

/** All kinds of this version. */
export const JOB_KINDS = Object.keys(KEYS) as readonly JobKind[]

/** Returns the key of a job with this subject. */
export function keyOf<Kind extends JobKind>(kind: Kind, subject: JobSubjects[Kind]): string {
  return KEYS[kind].write(subject)
}

/** Returns the subject of a job with this key; the key itself for a kind of another version. */
export function subjectOf<Kind extends JobKind>(kind: Kind, key: string): JobSubjects[Kind] {
  return Object.hasOwn(KEYS, kind) ? KEYS[kind].read(key) : (key as JobSubjects[Kind])
}
