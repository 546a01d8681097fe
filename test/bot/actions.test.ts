import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Action, action } from '../../src/bot/kit/action.ts'
import {
  flag,
  money,
  optional,
  pageNumber,
  restOfText,
  text,
  wholeNumber,
} from '../../src/bot/kit/parameters.ts'
import { marked, unmarked } from '../../src/bot/kit/mark.ts'
import { steps } from '../../src/bot/kit/steps.ts'
import { Feature, presses } from '../../src/bot/session/feature.ts'
import type { Topic } from '../../src/bot/dialogue/topic.ts'

const BOT = new URL('../../src/bot/', import.meta.url)

describe('what a button carries', () => {
  const view = action('view', { id: wholeNumber, owner: optional(wholeNumber), page: pageNumber })

  it('is written in the order of the declaration; what is left out at the end is not written', () => {
    expect(view.data({ id: 17, owner: 4, page: 2 })).toBe('view:17:4:2')
    expect(view.data({ id: 17, page: 2 })).toBe('view:17::2')
    expect(view.data({ id: 17 })).toBe('view:17')
    expect(action('home').data()).toBe('home')
  })

  it('is read again, and what was forged as if it were missing', () => {
    expect(view.read('view:17:4:2')).toEqual({ id: 17, owner: 4, page: 2 })
    expect(view.read('view:17')).toEqual({ id: 17, owner: undefined, page: 1 })
    expect(view.read('view:-1:x:0:more')).toEqual({ id: undefined, owner: undefined, page: 1 })
    expect(view.read('viewer:17')).toBeUndefined()
  })

  it('may be amounts, switches, and text with colons at the end', () => {
    const pay = action('pay', { most: money, on: flag, range: restOfText })
    const given = { most: 123_456_789, on: true, range: '2001:db8::/48' }
    expect(pay.data(given)).toBe('pay:21i3v9:1:2001:db8::/48')
    expect(pay.read(pay.data(given))).toEqual(given)
    expect(pay.read('pay:zzzzzzzzzzz:yes')).toEqual({ most: undefined, on: false, range: '' })
  })

  it('fits into 64 bytes, its mark included', () => {
    expect(marked('x'.repeat(57), 999_999_999)).toHaveLength(64)
    expect(unmarked(marked('order:17', 4))).toEqual({ data: 'order:17', account: 4 })
    expect(() => action('long', { word: text }).data({ word: 'x'.repeat(53) })).toThrow('too long')
  })

  it('may be a step of something under way', () => {
    const change = steps('c', { pick: { at: wholeNumber }, confirm: {} })
    const does = { pick: ({ at }: { at: number | undefined }) => `pick ${at}`, confirm: () => 'confirm' }
    const carryOut = (data: string) => change.carryOut(change.action.read(data)?.step ?? '', does)
    expect(change.data({ id: 'k3y' }, 'pick', { at: 4 })).toBe('c:k3y:pick:4')
    expect(carryOut('c:k3y:pick:4')).toBe('pick 4')
    expect(carryOut('c:k3y:confirm')).toBe('confirm')
    expect(carryOut('c:k3y:toString')).toBeUndefined()
  })
})

describe('the buttons of the bot', () => {
  it('are handled by one feature each; a second one is refused at the start', () => {
    const [one, other] = [new Feature(), new Feature()]
    for (const feature of [one, other]) feature.on(action('twice'), () => {})
    expect(() => presses([one, other])).toThrow('twice')
  })

  it('are all handled by the topic that declares them, which is one', async () => {
    const names = new Set<string>()
    for (const name of readdirSync(new URL('topics/', BOT))) {
      const declared: object = await import(`${BOT.href}actions/${name}.ts`)
      const [topic] = Object.values(await import(`${BOT.href}topics/${name}/index.ts`)) as Topic[]
      const { features = [], ofShop = [] } = topic ?? {}
      const handled = [...features, ...ofShop].flatMap(({ buttons }) =>
        buttons.map(([{ name: action }]) => action),
      )
      const actions = Object.values(declared).flatMap((group: object) =>
        Object.values(group).filter((each) => each instanceof Action),
      )
      expect(actions.length, name).toBeGreaterThan(0)
      for (const each of actions) {
        expect(handled, name).toContain(each.name)
        expect([...names], `${each.name} is declared twice`).not.toContain(each.name)
        names.add(each.name)
      }
    }
  })
})
