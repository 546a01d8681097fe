/** Why an action was refused or failed, in English, where a refusal of the core does not say it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** A code of rules 1.4, or one of the command line only. */
  readonly code: string
  readonly data: object | null
  /** Lines for stderr; by default only the message. */
  readonly lines: readonly string[]
  /** 1: refused; 2: the command was used wrongly. */
  readonly exitStatus: number

  constructor(
    code: string,
    message: string,
    details: { data?: object | null; lines?: readonly string[]; exitStatus?: number } = {},
  ) {
    super(message)
    this.code = code
    this.data = details.data ?? null
    this.lines = details.lines ?? [message]
    this.exitStatus = details.exitStatus ?? 1
  }
}

/** Returns the refusal of values that do not go together, as no schema can say it. */
export function wrongUse(message: string): Refusal {
  return new Refusal('usage', message, { exitStatus: 2 })
}
