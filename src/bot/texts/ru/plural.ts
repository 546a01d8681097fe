const rules = new Intl.PluralRules('ru')

/** The form of a word that goes with a count, without the number: 1 заказ, 2 заказа, 5 заказов. */
export const plural = (count: number, one: string, few: string, many: string): string => {
  const form = rules.select(count)
  if (form === 'one') return one
  return form === 'many' ? many : few
}
