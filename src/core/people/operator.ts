import type { ShopRole, Via } from '../../generated/prisma/client.ts'

/** Who acts for the shop, and from where (rules 14.1). */
export interface Operator {
  /** Null: whoever has the command line, or the chats of the operator while nobody is named. Acts as the owner. */
  readonly person: { readonly id: number; readonly name: string; readonly role: ShopRole } | null
  /** `system`: what fills a new sandbox. */
  readonly via: Via
  /** Telegram chat and user. */
  readonly chat?: number
  readonly telegram?: number
}

/** The command line: who can read the database is the owner. */
export const SHELL: Operator = { person: null, via: 'shell' }

/** The service itself. */
export const SYSTEM: Operator = { person: null, via: 'system' }

/** Returns the role of an operator; one who is not named acts as the owner. */
export function roleOf({ person }: Operator): ShopRole {
  return person?.role ?? 'owner'
}

/** Returns where somebody acts, as the security log names it. */
export function originOf({ via, chat }: Pick<Operator, 'via' | 'chat'>): string {
  return chat === undefined ? via : `chat ${chat}`
}
