import { translationIn } from '../../../core/translations.ts'
import { descriptionLines } from '../../kit/descriptions.ts'
import { placeName } from '../../kit/format.ts'
import { termLabel } from '../../kit/terms.ts'
import type { View } from '../../kit/view.ts'
import type { Html } from '../../texts/html.ts'
import type { Purchase } from './purchase.ts'
import type { Offers, Progress } from './steps.ts'

/** What is chosen, at the top of each screen of a purchase. */
export function heading({ texts, language }: View, { forUser }: Purchase, progress: Progress): (Html | '')[] {
  const { chosen, offers } = progress
  const [offer] = offers
  const { project, country, city = '', term } = chosen
  const facts = [
    ...(forUser === undefined ? [] : [texts.buy.chosen.user(forUser)]),
    ...(chosen.product === undefined
      ? []
      : [
          texts.buy.chosen.product(translationIn(offer.names, language)),
          ...descriptionLines(offer, language),
        ]),
    ...(project ? [texts.buy.chosen.project(projectName(offers, project))] : []),
    ...(country === undefined
      ? []
      : [texts.buy.chosen.place(placeName({ countryCode: country, cityCode: city }, language))]),
    ...(term === undefined ? [] : [texts.buy.chosen.term(termLabel(term, texts))]),
  ]
  return facts.length === 0 ? [texts.buy.title] : [texts.buy.title, '', ...facts]
}

export function projectName(offers: Offers, project: string): string {
  const projects = offers.flatMap((offer) => offer.projects)
  return projects.find(({ code }) => code === project)?.name ?? project
}
