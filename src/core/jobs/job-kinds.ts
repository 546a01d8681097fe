/** What a job of each kind is about. */
export interface JobSubjects {
  /** Numbers of orders. */
  complete_static_order: string
  auto_renew_static_order: string
  /** Number of the renewal. */
  renew_at_supplier: string
  /** Number of the cancellation. */
  release_at_supplier: string
  /** Ids of an account, a notice and a broadcast. */
  send_activation_mail: number
  deliver_notice: number
  send_broadcast: number
  /** All waiting notices of a kind in a chat. */
  deliver_digest: { readonly chatId: number; readonly kind: string }
  /** What screens follow, and what it has become: each is shown once. */
  refresh_screens: { readonly follows: string; readonly state: string }
}

export type JobKind = keyof JobSubjects

/** How a subject stands in the key of a job, by which it is asked for once. */
interface KeyFormat<Subject> {
  readonly write: (subject: Subject) => string
  readonly read: (key: string) => Subject
}

const number: KeyFormat<string> = { write: (no) => no, read: (no) => no }
const id: KeyFormat<number> = { write: String, read: Number }

const KEYS: { readonly [Kind in JobKind]: KeyFormat<JobSubjects[Kind]> } = {
  complete_static_order: number,
  auto_renew_static_order: number,
  renew_at_supplier: number,
  release_at_supplier: number,
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
  refresh_screens: {
    write: ({ follows, state }) => `${follows} ${state}`,
    read: (key) => {
      const [follows = '', state = ''] = key.split(' ')
      return { follows, state }
    },
  },
}

/** The key of a job about something. */
export function keyOf<Kind extends JobKind>(kind: Kind, subject: JobSubjects[Kind]): string {
  return KEYS[kind].write(subject)
}

/** What a job with this key is about; the key itself for a kind that another version has left behind, which no handler takes. */
export function subjectOf<Kind extends JobKind>(kind: Kind, key: string): JobSubjects[Kind] {
  return Object.hasOwn(KEYS, kind) ? KEYS[kind].read(key) : (key as JobSubjects[Kind])
}
