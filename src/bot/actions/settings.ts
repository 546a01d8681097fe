import { LANGUAGES } from '../../core/languages.ts'
import { PROXY_FORMATS } from '../../core/proxy-formats.ts'
import { MUTABLE } from '../../core/notices/muted.ts'
import { action } from '../kit/action.ts'
import { flag, oneOf, optional, restOfText } from '../kit/parameters.ts'

/** Buttons of the settings. Without a value, a button shows the choices. */
export const SETTINGS = {
  home: action('set'),
  language: action('lang', { language: optional(oneOf(LANGUAGES)) }),
  zone: action('setz', { zone: restOfText }),
  format: action('setf', { format: optional(oneOf(PROXY_FORMATS)) }),
  notices: action('setn', { what: optional(oneOf(MUTABLE)), off: optional(flag) }),
  password: action('pwd'),
} as const
