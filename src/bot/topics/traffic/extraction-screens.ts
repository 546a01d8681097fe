import type { ExtractLink } from '../../../core/traffic/extract-links.ts'
import type { Extraction } from '../../../core/traffic/extract-proxies.ts'
import { translationIn } from '../../../core/translations.ts'
import { type ExtractionForm, LINE_FORMATS, type LineFormat } from '../../actions/extraction-form.ts'
import { EXTRACT, TRAFFIC } from '../../actions/traffic.ts'
import type { Given } from '../../kit/action.ts'
import { backButton, choiceButton, homeButton, staysRow } from '../../kit/buttons.ts'
import { placeName } from '../../kit/format.ts'
import { pageOf, pager } from '../../kit/pager.ts'
import { type Button, grid, MAX_COPY, type Screen } from '../../kit/screen.ts'
import { gigabytes } from '../../kit/traffic-text.ts'
import type { View } from '../../kit/view.ts'
import { html, type Html, lines } from '../../texts/html.ts'
import { EXTRACTING, type Extracting, STICKY_MINUTES } from './extraction-form.ts'
import type { TrafficProduct } from './products.ts'

/** Most lines that are shown one by one, with copy buttons; more are one block, which a tap copies whole. */
const MAX_SINGLE = 8
/** Characters of lines that fit into a message beside what else is said there; more come as a file. */
export const MAX_SHOWN_CHARACTERS = 3000
const LINKS_PER_PAGE = 8
/** Countries that most people choose; any other can be typed. */
const USUAL_COUNTRIES = 'US GB DE FR NL ES IT CA BR AU IN JP KR SG HK TW'.split(' ')
const USUAL_MINUTES = [1, 5, 10, 30, 60, 120]
const USUAL_QUANTITIES = [1, 2, 5, 8, 10, 20, 50, 100]

/**
 * All choices of an extraction on one screen; each button changes one of them.
 *
 * @param linkSecret names the link that the button makes: pressing twice makes one
 */
export function extractionFormScreen(
  view: View,
  form: ExtractionForm,
  product: TrafficProduct,
  linkSecret: string,
): Screen {
  const { texts } = view
  const { extraction } = texts
  const { buttons, formats, protocols } = extraction
  const { minutes, quantity, protocol, format } = form
  const choice = (text: string, isChosen: boolean, changed: ExtractionForm) =>
    choiceButton(text, isChosen, EXTRACT.form.data(changed))
  const isSticky = minutes > 0
  const file: Button = { text: buttons.file, data: EXTRACT.file.data(form) }
  return {
    takes: taking({ form }),
    text: lines(
      extraction.title,
      '',
      ...formLines(view, form, product),
      isSticky || quantity === 1 ? undefined : extraction.identical,
      '',
      extraction.orType,
    ),
    buttons: [
      [
        { text: buttons.country, data: EXTRACT.countries.data(form) },
        { text: buttons.quantity(quantity), data: EXTRACT.quantities.data(form) },
      ],
      [
        choice(buttons.rotating, !isSticky, { ...form, minutes: 0 }),
        isSticky
          ? choiceButton(buttons.minutes(minutes), true, EXTRACT.minutes.data(form))
          : choice(buttons.sticky, false, { ...form, minutes: STICKY_MINUTES }),
      ],
      (['http', 'socks5'] as const).map((name) =>
        choice(protocols[name], name === protocol, { ...form, protocol: name }),
      ),
      [{ text: buttons.format(formats[format]), data: EXTRACT.formats.data(form) }],
      [{ text: buttons.show(quantity), data: EXTRACT.show.data(form), style: 'success' }, file],
      [
        { text: buttons.link, data: EXTRACT.link.data({ ...form, linkSecret }) },
        { text: buttons.links, data: EXTRACT.links.data({ page: 1, product: form.productId }) },
      ],
      [backButton(texts, TRAFFIC.product.data({ product: form.productId })), homeButton(texts)],
    ],
  }
}

/** Countries that are offered as buttons; more can be typed. */
const MAX_COUNTRIES = 40

/**
 * @param product whose countries are offered; the usual ones where it has them all
 * @param found the countries that a typed name may mean, and that name; without it, the usual ones are offered
 */
export function countryScreen(
  { texts, language }: View,
  form: ExtractionForm,
  { countries }: Pick<TrafficProduct, 'countries'>,
  found?: { readonly codes: readonly string[]; readonly typed: string },
): Screen {
  const { extraction } = texts
  const own = countries.slice(0, MAX_COUNTRIES)
  const codes = found?.codes ?? (own.length > 0 ? own : USUAL_COUNTRIES)
  const buttons = codes.map((countryCode): Button => ({
    text: placeName({ countryCode }, language),
    data: EXTRACT.form.data({ ...form, countryCode }),
  }))
  return {
    takes: taking({ form, asks: 'country' }),
    text: lines(
      extraction.title,
      '',
      found ? extraction.severalCountries(found.typed) : extraction.askCountry,
    ),
    buttons: [
      ...grid(buttons, 2),
      [{ text: extraction.anyCountry, data: EXTRACT.form.data({ ...form, countryCode: '' }) }],
      [backButton(texts, EXTRACT.form.data(form)), homeButton(texts)],
    ],
  }
}

/** Asks for the format of a line. */
export function formatsScreen({ texts }: View, form: ExtractionForm): Screen {
  const { extraction } = texts
  const names = Object.keys(LINE_FORMATS) as LineFormat[]
  return {
    text: lines(extraction.title, '', extraction.askFormat),
    buttons: [
      ...names.map((format) => [
        choiceButton(
          extraction.formats[format],
          format === form.format,
          EXTRACT.form.data({ ...form, format }),
        ),
      ]),
      [backButton(texts, EXTRACT.form.data(form)), homeButton(texts)],
    ],
  }
}

export function minutesScreen(view: View, form: ExtractionForm): Screen {
  const { extraction } = view.texts
  const to = (minutes: number): Button => ({
    text: extraction.buttons.minutes(minutes),
    data: EXTRACT.form.data({ ...form, minutes }),
  })
  return numbers(view, form, extraction.askMinutes, USUAL_MINUTES.map(to), 'minutes')
}

export function quantityScreen(view: View, form: ExtractionForm): Screen {
  const to = (quantity: number): Button => ({
    text: String(quantity),
    data: EXTRACT.form.data({ ...form, quantity }),
  })
  return numbers(view, form, view.texts.extraction.askQuantity, USUAL_QUANTITIES.map(to), 'quantity')
}

function numbers(
  { texts }: View,
  form: ExtractionForm,
  question: Html,
  usual: readonly Button[],
  what: 'minutes' | 'quantity',
): Screen {
  return {
    takes: taking({ form, asks: what }),
    text: lines(texts.extraction.title, '', question),
    buttons: [...grid(usual, 4), [backButton(texts, EXTRACT.form.data(form)), homeButton(texts)]],
  }
}

/** What the conversation of an extraction takes at a screen. */
function taking(state: Extracting): { question: string; state: Extracting } {
  return { question: EXTRACTING, state }
}

/** `10 · 🇺🇸 United States · 10 min`: an extraction as it was the last time, in a button. */
export function formLabel({ texts, language }: View, form: ExtractionForm): string {
  const { extraction } = texts
  const { countryCode, minutes, quantity } = form
  return extraction.buttons.asBefore(
    quantity,
    // In words it would push the number or the minutes out of the button.
    countryCode === '' ? '🌍' : placeName({ countryCode }, language),
    minutes > 0 ? extraction.buttons.minutes(minutes) : extraction.buttons.rotating,
  )
}

/** Shows extracted proxies: a tap copies a line, a button as many lines as fit; many lines are one block, which a tap copies. */
export function extractedScreen(
  view: View,
  form: ExtractionForm,
  product: TrafficProduct,
  { text, items, expiresAt }: Extraction,
): Screen {
  const { texts } = view
  const { extraction } = texts
  const shown = linesOf(text)
  return {
    text: lines(
      extraction.done(items.length),
      '',
      extraction.product(translationIn(product.names, view.language)),
      form.minutes > 0 ? extraction.validUntil(texts.dateTime(new Date(expiresAt))) : undefined,
      '',
      ...(shown.length > MAX_SINGLE
        ? [html`<pre>${text ?? ''}</pre>`]
        : shown.map((line) => html`<code>${line}</code>`)),
      ...howToUse(texts, items),
    ),
    buttons: [
      ...(shown.length > MAX_SINGLE ? [] : grid(copyButtons(shown, texts), 4)),
      [
        { text: extraction.buttons.again, data: EXTRACT.show.data(form) },
        { text: extraction.buttons.file, data: EXTRACT.file.data(form) },
      ],
      [
        { text: extraction.buttons.change, data: EXTRACT.form.data(form) },
        backButton(texts, TRAFFIC.product.data({ product: form.productId })),
      ],
      staysRow(texts),
    ],
    stays: true,
  }
}

export function linkScreen(view: View, form: ExtractionForm, product: TrafficProduct, url: string): Screen {
  const { texts } = view
  const { extraction } = texts
  return {
    text: lines(
      extraction.link.title,
      '',
      ...formLines(view, form, product),
      '',
      html`<code>${url}</code>`,
      '',
      extraction.link.what,
    ),
    buttons: [
      url.length <= MAX_COPY ? [{ text: extraction.buttons.copyLink, copy: url }] : [],
      [{ text: extraction.buttons.links, data: EXTRACT.links.data({ page: 1, product: form.productId }) }],
      [backButton(texts, EXTRACT.form.data(form))],
      staysRow(texts),
    ],
    stays: true,
  }
}

/** @param back the product from which the list was opened */
export function linksScreen(
  view: View,
  links: readonly ExtractLink[],
  wanted: number,
  back: number | undefined,
): Screen {
  const { texts, now } = view
  const { link } = texts.extraction
  const { items, page, pages } = pageOf(links, wanted, LINKS_PER_PAGE)
  const buttons = items.map((each): Button => ({
    text: link.button(
      quantityOf(each),
      placeOfLink(view, each),
      texts.shortDate(new Date(each.createdAt), now),
    ),
    data: EXTRACT.askRevoke.data({ id: each.id, page, product: back }),
  }))
  return {
    text: link.list(links.length),
    buttons: [
      ...grid(buttons, 1),
      ...pager(texts, page, pages, (to) => EXTRACT.links.data({ page: to, product: back })),
      [
        backButton(texts, back === undefined ? TRAFFIC.list.data() : EXTRACT.form.data({ productId: back })),
        homeButton(texts),
      ],
    ],
  }
}

/**
 * @param url address of the link; undefined where it is not known
 * @param list where Back leads
 */
export function oneLinkScreen(
  view: View,
  each: ExtractLink,
  url: string | undefined,
  list: Given<typeof EXTRACT.links.shape>,
): Screen {
  const { texts, language } = view
  const { extraction } = texts
  return {
    text: extraction.link.facts({
      product: translationIn(each.productNames, language),
      place: placeOfLink(view, each),
      quantity: quantityOf(each),
      date: texts.dateTime(new Date(each.createdAt)),
      url: url === undefined ? texts.proxyLinks.unknown : html`<code>${url}</code>`,
    }),
    buttons: [
      url === undefined || url.length > MAX_COPY ? [] : [{ text: extraction.buttons.copyLink, copy: url }],
      [
        {
          text: extraction.buttons.revokeNow,
          data: EXTRACT.revoke.data({ id: each.id, ...list }),
          style: 'danger',
        },
      ],
      [backButton(texts, EXTRACT.links.data(list)), homeButton(texts)],
    ],
  }
}

/** Where the gateway listens, and a command that uses it; only for one proxy, which is what people try. */
function howToUse({ extraction }: View['texts'], items: Extraction['items']): (Html | '')[] {
  const [proxy, ...others] = items
  if (!proxy || others.length > 0) return []
  const { host, port, protocol, proxyUrl } = proxy
  // With socks5h the gateway looks up the name of the target, as it does for HTTP.
  const url = proxyUrl.replace(/^socks5:/, 'socks5h:')
  return [
    '',
    extraction.gateway(`${host}:${port}`, extraction.protocols[protocol]),
    extraction.tryIt,
    html`<pre>curl -x '${url}' http://example.com/</pre>`,
  ]
}

function formLines({ texts, language }: View, form: ExtractionForm, product: TrafficProduct): Html[] {
  const { extraction } = texts
  const { countryCode, minutes, quantity, protocol, format } = form
  return [
    extraction.product(translationIn(product.names, language)),
    extraction.left(gigabytes(product.flow?.remaining ?? 0, texts)),
    extraction.country(countryCode === '' ? extraction.anyCountry : placeName({ countryCode }, language)),
    minutes > 0 ? extraction.exit.sticky(minutes) : extraction.exit.rotating,
    extraction.quantity(quantity),
    extraction.protocol(extraction.protocols[protocol]),
    extraction.format(LINE_FORMATS[format]),
  ]
}

function placeOfLink({ texts, language }: View, { options: { countryCode } }: ExtractLink): string {
  return countryCode ? placeName({ countryCode }, language) : texts.extraction.anyCountry
}

function quantityOf({ options }: ExtractLink): number {
  return options.extractConfig.quantity
}

/** The lines of an extraction that was asked for as text. */
export function linesOf(text: string | null): string[] {
  return text?.split('\n') ?? []
}

/** Buttons that copy the lines, each as many as Telegram lets one copy; a longer line is copied by a tap on it. */
function copyButtons(shown: readonly string[], { buttons, extraction }: View['texts']): Button[] {
  const groups: { first: number; lines: string[] }[] = []
  for (const [index, line] of shown.entries()) {
    const group = groups.at(-1)
    if (group && [...group.lines, line].join('\n').length <= MAX_COPY) group.lines.push(line)
    else groups.push({ first: index + 1, lines: [line] })
  }
  return groups.flatMap(({ first, lines }) => {
    const copy = lines.join('\n')
    const text =
      groups.length === 1
        ? buttons.copy(lines.length)
        : extraction.buttons.copyLines(first, first + lines.length - 1)
    return copy.length <= MAX_COPY ? [{ text, copy }] : []
  })
}
