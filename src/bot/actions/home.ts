import { action } from '../kit/action.ts'

/** Buttons of what is reached from everywhere. */
export const GENERAL = { help: action('help'), balance: action('balance') } as const
