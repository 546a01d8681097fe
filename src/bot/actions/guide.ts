import { action } from '../kit/action.ts'
import { oneOf, optional, wholeNumber } from '../kit/parameters.ts'

/** What proxies are used with. */
export const APPLICATIONS = ['browser', 'antidetect', 'curl', 'python', 'iphone', 'android'] as const
export type Application = (typeof APPLICATIONS)[number]

/** A proxy of an order, by its place in it from 0. */
const proxy = { id: optional(wholeNumber), position: optional(wholeNumber) }

/** Buttons that explain: how a proxy is used, and what the words mean. */
export const GUIDE = {
  home: action('guide', proxy),
  application: action('guidea', { application: oneOf(APPLICATIONS), ...proxy }),
  words: action('guidew', proxy),
} as const
