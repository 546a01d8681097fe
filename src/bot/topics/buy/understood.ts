import { cityName, countryName } from '../../../core/catalog/places.ts'
import { LANGUAGES } from '../../../core/languages.ts'
import { countriesLike } from '../../../core/catalog/countries-like.ts'
import { fold } from '../../../core/catalog/places-like.ts'
import { halfWidth } from '../../../core/half-width.ts'
import { ipAddress } from '../../../core/ip-address.ts'
import { countIn } from '../../kit/typed-number.ts'
import { packTerm, termsOf } from '../../kit/terms.ts'
import { typedTerm } from '../../kit/typed-term.ts'
import { typedList } from '../../kit/typed-list.ts'
import { type Offers, type Progress, RULES } from './steps.ts'

/** What a line means that was typed at the screen of a purchase (rules 5.27). */
export type Understood =
  | { readonly count: number }
  | { readonly ips: readonly string[]; readonly wrong: readonly string[] }
  | { readonly term: string }
  | { readonly country: string; readonly city?: string }
  | { readonly project: string }
  | { readonly product: string }

/** @returns undefined for what means nothing here, or several things */
export function understood(text: string, { offers, before }: Progress): Understood | undefined {
  const line = halfWidth(text).trim()
  const term = typedTerm(line, termsOf(offers[0]).map(packTerm))
  if (term !== undefined) return { term }
  const count = countIn(line)
  if (count !== undefined) return { count }
  return addressesIn(line) ?? placeIn(line, before.country ?? offers) ?? namedIn(line, before)
}

/** Addresses one below the other, or with spaces or commas between them; some may be wrong. */
function addressesIn(line: string): Understood | undefined {
  const words = [...new Set(typedList(line))]
  const read = words.map((word) => ({ word, ip: ipAddress().safeParse(word).data }))
  const ips = [...new Set(read.flatMap(({ ip = [] }) => ip))]
  const looksLike = words.some((word) => /^(\d{1,3}\.){2}\d|^[\da-f]{1,4}:[\da-f:]+$/i.test(word))
  return ips.length > 0 || looksLike
    ? { ips, wrong: read.filter(({ ip }) => ip === undefined).map(({ word }) => word) }
    : undefined
}

/** A country or a city that is for sale, by its name in any language or its code. */
export function placeIn(
  line: string,
  offers: Offers,
): { readonly country: string; readonly city?: string } | undefined {
  const wanted = fold(line)
  const sold = new Set(offers.map(({ countryCode }) => countryCode))
  const exact = countriesLike(line).filter((code) => sold.has(code))
  const cities = new Map(
    offers.filter(({ cityCode }) => cityCode !== '').map((offer) => [offer.cityCode, offer]),
  )
  const namesOf = (code: string) => [code, ...LANGUAGES.map((language) => cityName(code, language))].map(fold)
  const city =
    only([...cities.values()].filter(({ cityCode }) => namesOf(cityCode).includes(wanted))) ??
    (exact.length > 0
      ? undefined
      : only(
          [...cities.values()].filter(({ cityCode }) =>
            namesOf(cityCode).some((name) => name.startsWith(wanted)),
          ),
        ))
  const country =
    only(exact) ??
    [...sold].find((code) => LANGUAGES.some((each) => fold(countryName(code, each)) === wanted))
  if (country !== undefined) return { country }
  return city && { country: city.countryCode, city: city.cityCode }
}

/** A project of a shared product, or another product, by its name. */
function namedIn(line: string, { product, project }: Progress['before']): Understood | undefined {
  const wanted = fold(line)
  const projects = project?.flatMap((offer) => offer.projects) ?? []
  const found = projects.find(({ code, name }) => fold(code) === wanted || fold(name) === wanted)
  if (found && project && RULES.project.options(project).includes(found.code)) return { project: found.code }
  const named = product?.find(({ names, productNo }) =>
    [...Object.values(names), productNo].some((name) => fold(name) === wanted),
  )
  return named && { product: named.productNo }
}

function only<Item>(items: readonly Item[]): Item | undefined {
  return items.length === 1 ? items[0] : undefined
}
