import { action } from '../kit/action.ts'
import { pageNumber, text } from '../kit/parameters.ts'

const code = { code: text }

/** Promotion codes of an agent. */
export const PROMO = {
  list: action('pc', { page: pageNumber }),
  code: action('pcv', code),
  create: action('pcn'),
  askStop: action('pcs', code),
  stop: action('pcs!', code),
} as const

/** The same for the operator, who sees those of all agents, too. */
export const SHOP_PROMO = {
  list: action('opc', { page: pageNumber }),
  code: action('opcv', code),
  create: action('opcn', {}, 'promo.add'),
  askStop: action('opcs', code, 'promo.stop'),
  stop: action('opcs!', code, 'promo.stop'),
} as const

export type PromoActions = typeof PROMO | typeof SHOP_PROMO
