import { readdirSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CUSTOMERS } from '../../src/bot/actions/customers.ts'
import { MACHINE } from '../../src/bot/actions/machine.ts'
import { OPERATOR } from '../../src/bot/actions/operator.ts'
import { PEOPLE, TRAIL } from '../../src/bot/actions/people.ts'
import { type Language, LANGUAGES } from '../../src/core/languages.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { Action } from '../../src/bot/kit/action.ts'
import type { EmulatedMessage } from '../../src/emulators/telegram/types.ts'
import { OLIVIA, startBusyOperator } from '../support/busy-operator.ts'
import { asText, type Picture, writeGallery } from '../support/gallery-page.ts'
import { withoutFigures } from '../support/masked.ts'
import { pressEverything, TYPED } from '../support/press-everything.ts'
import { EXITS, namesOf, walkOfAgent, walkOfGateway, walkOfStranger } from './button-walks.ts'

/**
 * Of a group, of a replacement without an equal proxy, of a broadcast under way, of a payment that was ignored, of messages,
 * of a new shop; and of exits, which another test has.
 */
const RARE = [
  OPERATOR.language,
  OPERATOR.refundRest,
  OPERATOR.progress,
  OPERATOR.stopBroadcast,
  OPERATOR.reopen,
  CUSTOMERS.giveAsked,
  CUSTOMERS.declineAsked,
  MACHINE.setup,
]
  .map(({ name }) => name)
  .concat(EXITS)

/** Shown in other situations than those of these walks, and tested there: a new action is pressed here or stands in this list. */
const ELSEWHERE =
  'aca ba balance cuq! cuqn! dbi devx dkv dkw dkx duc dxm dxo dxq dxr dxr! dxt inv! join! joinu! loginto! mybote logout! logouta! oa oafiles of opl oproxykey oproxykeyyes opu orf ' +
  'oset otested ou plr plr! prices prkr prkr! prkv pxd pxnx rcpt rplc spp st! stp stq str stu tpk tpm tpr tps tpt uask! uaskno! ulink ulinkend ulinkend! umsgsend umsgstop umsgview'

/** What was shown after a press, by who pressed what. */
const SEEN = new Map<string, Partial<Picture['screens']>>()

function see(who: string, language: Language, screens: ReadonlyMap<string, EmulatedMessage>): void {
  for (const [what, screen] of screens)
    SEEN.set(`${who}: ${what}`, { ...SEEN.get(`${who}: ${what}`), [language]: screen })
}

const isWhole = (screens: Partial<Picture['screens']>): screens is Picture['screens'] =>
  LANGUAGES.every((language) => screens[language])

const pictures = (): Picture[] =>
  [...SEEN].flatMap(([name, screens]) => (isWhole(screens) ? [{ name, screens }] : []))

afterAll(() => writeGallery('every-screen', pictures()))

/** Of all topics. */
async function declaredActions(): Promise<string[]> {
  const actions = new URL('../../src/bot/actions/', import.meta.url)
  const declared: object[] = []
  for (const name of readdirSync(actions)) declared.push(await import(`${actions.href}${name}`))
  return declared
    .flatMap((groups) => Object.values(groups))
    .flatMap((group: object) => Object.values(group))
    .flatMap((each) => (each instanceof Action ? [each.name] : []))
}

/** Of those whose pictures are not compared: in every language, and with all that can be typed, in every-button.long.test.ts. */
const [WALKED, TYPED_HERE]: readonly [readonly Language[], readonly string[]] = process.env['GALLERY']
  ? [LANGUAGES, TYPED]
  : [['en'], ['</b>', '3']]

describe('every button of every screen', () => {
  it.each(WALKED)('leads on, within the limits of Telegram (%s)', async (language) => {
    see('agent', language, await walkOfAgent(language, TYPED_HERE))
  })

  it.each(LANGUAGES)('of who is not logged in leads on, too (%s)', async (language) => {
    see('stranger', language, await walkOfStranger(language))
  })

  it.each(LANGUAGES)('of the operator leads on, too (%s)', async (language) => {
    const { doubtful, buyer, ...shop } = await startBusyOperator()
    shop.phone.send('/operator')
    await shop.phone.waitFor(/Operator/)
    await shop.core.chats.setLanguage(OLIVIA.id, language)
    const content = { text: 'News', entities: [], photo: null }
    const draft = { chatId: OLIVIA.id, audience: 'all' as const, ...content }
    const { id } = await shop.core.operator.broadcasts.draft(SHELL, draft)
    const { kinds, screens } = await pressEverything(
      shop,
      OLIVIA.id,
      OPERATOR.home.data(),
      OPERATOR.progress.data({ id }),
      // Nobody is there to get it: the button is not offered.
      OPERATOR.startBroadcast.data({ id }),
      // One button of a kind is pressed: decided differently, they have to be different calls.
      OPERATOR.callAbsent.data({ callNo: doubtful[3] ?? '' }),
      OPERATOR.callFound.data({ callNo: doubtful[4] ?? '' }),
      CUSTOMERS.customer.data({ id: buyer.id }),
    )
    see('operator', language, screens)
    const pressed = namesOf(kinds)
    const names = [OPERATOR, MACHINE, PEOPLE, TRAIL, CUSTOMERS].flatMap((topic) =>
      Object.values(topic).map(({ name }) => name),
    )
    expect(names.filter((name) => !pressed.includes(name) && !RARE.includes(name))).toEqual([])
    const refused = shop.telegram
      .calls()
      .flatMap(({ method, refused: reason }) => (reason ? `${method}: ${reason}` : []))
    expect(refused).toEqual([])
    expect(shop.bugs()).toEqual([])
    expect(await shop.core.operator.audit()).toEqual([])
  })

  it.each(WALKED)('of the operator of a gateway, too (%s)', async (language) => {
    see('gateway', language, await walkOfGateway(language, TYPED_HERE))
  })

  // Those of agents have the dates of today, which change how labels stand beside each other: `npm run gallery` writes all.
  it.each(LANGUAGES)('of the operator shows what it has shown (%s)', async (language) => {
    const shown = pictures().filter(({ name }) => name.startsWith('operator:'))
    await expect(withoutFigures(asText(shown, language))).toMatchFileSnapshot(
      `./gallery/operator.${language}.txt`,
    )
  })

  it('is one of all that are declared, or of those that are listed here', async () => {
    const pressed = new Set([...SEEN.keys()].map((name) => name.replace(/^\w+: /, '').split(':')[0]))
    const declared = await declaredActions()
    const elsewhere = new Set(ELSEWHERE.split(' '))
    expect(declared.filter((name) => !pressed.has(name) && !elsewhere.has(name))).toEqual([])
  })
})
