import type { Language } from '../../core/languages.ts'
import type { Texts } from '../texts/index.ts'

/** Where customers write to support, see `core.support.way`; false: nowhere. */
export type SupportWay = 'tickets' | { readonly url: string } | false

/** How screens are worded: in which language and currency, at what time. */
export interface View {
  readonly texts: Texts
  readonly language: Language
  readonly currency: string
  readonly now: Date
  /** Who is asked for money where nobody can top up; undefined where everybody can. */
  readonly askWhom?: 'agent' | 'operator' | undefined
  /** Whether there is an agent that can be asked for money beside a top-up. */
  readonly hasAgent?: boolean
  readonly support?: SupportWay
}
