/** Parameters that a vendor's gateway reads from the username; null: not asked for. */
export interface VendorWish {
  readonly country: string | null
  readonly city: string | null
  /** Session as the vendor gets it: different for each account. */
  readonly session: string | null
  /** Lifetime of the session in minutes. */
  readonly lifetimeMinutes: number
}

/**
 * Makes the username for a vendor's gateway (rules 12.5). A placeholder without a value is left out with the hyphenated word before
 * it: `{user}-country-{country}-session-{session}` without a country becomes `{user}-session-{session}`. Used by the gateway, which
 * asks for places, and by the test of an exit, which does not.
 *
 * @param template with {user}, {country}, {city}, {session}, {lifetime}; null: the username as it is
 */
export function vendorUsername(user: string, template: string | null, wish: VendorWish): string {
  const values: Readonly<Record<string, string | null>> = {
    country: wish.country,
    city: wish.city,
    session: wish.session,
    lifetime: wish.session && String(wish.lifetimeMinutes),
  }
  return (template ?? '{user}')
    .replaceAll(
      /((?:-[^-{}]+)?-)?\{(country|city|session|lifetime)\}/g,
      (_, word: string | undefined, name: string) => {
        const value = values[name]
        return value ? `${word ?? ''}${value}` : ''
      },
    )
    .replace('{user}', () => user)
}
