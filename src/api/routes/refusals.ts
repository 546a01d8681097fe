/** Why somebody may not order, or ask what an order costs, for a user (rules 4.1). */
export const TARGET_REFUSALS = [
  'agent_required',
  'not_direct_sub_user',
  'account_disabled',
  'sub_user_not_found',
  'product_not_found',
] as const

/** Why a promotion code does not lower the price of an order (rules 13.9, 13.11). */
export const PROMO_CODE_REFUSALS = ['promo_code_not_found', 'promo_code_not_usable'] as const

/** Why a product cannot be ordered in this way (rules 5.1, 5.3, 5.4). */
export const STATIC_TERMS_REFUSALS = [
  'project_required',
  'project_not_allowed',
  'location_not_supported_for_product',
  'duration_not_supported',
  'invalid_cidr_blocks',
  'assigned_ip_unavailable',
] as const
