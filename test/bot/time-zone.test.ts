import { expect, it, test } from 'vitest'
import { zonesNamed } from '../../src/bot/topics/settings/zones.ts'
import { SHELL } from '../../src/core/people/operator.ts'
import { startProductInTime } from '../support/notices.ts'
import { AGENT, ANN, BEN } from '../support/product.ts'

const NOW = new Date('2026-11-24T10:35Z')

test('times are in UTC for English and in UTC+8 for Chinese until another zone is chosen, which is no longer named', async () => {
  const { product } = await startProductInTime()
  const [ann, boss] = [await product.memberPhone(ANN), await product.memberPhone(BEN, AGENT)]
  ann.send('/settings')
  await ann.press('🕘 Time zone: UTC')
  // The clock of the product stands at 2026-03-01 12:00 UTC.
  await ann.waitFor('Here it is now 1 Mar 2026, 12:00 UTC.')
  await ann.press('Berlin +1')
  await ann.waitFor('Here it is now 1 Mar 2026, 13:00 UTC+1.')
  ann.send('new york')
  await ann.waitFor('Here it is now 1 Mar 2026, 07:00 UTC-5.')
  ann.send('nowhere')
  await ann.waitFor(/I know no time zone for “nowhere”/)
  ann.send('越南')
  await ann.waitFor('Here it is now 1 Mar 2026, 19:00 UTC+7.')
  ann.send('美国')
  await ann.waitForButton('Denver -7')
  await ann.press('Denver -7')
  await ann.waitFor('Here it is now 1 Mar 2026, 05:00 UTC-7.')
  await ann.press('‹ Back')
  await ann.waitForButton('🕘 Time zone: UTC-7')

  boss.send('/settings')
  await boss.press('🕘 时区：北京时间')
  await boss.waitFor('本聊天当前时间：2026年3月1日 20:00（北京时间）。')
  boss.send('东九区')
  await boss.waitFor('本聊天当前时间：2026年3月1日 21:00（UTC+9）。')
})

test('days of the records are those of the books, in UTC, and say so where it is the next day already', async () => {
  const { product } = await startProductInTime('2026-03-01T20:00:00.000Z')
  const boss = await product.memberPhone(BEN, AGENT)
  await product.core.operator.adjustBalance(SHELL, { username: 'agent', amount: 5, remark: 'gift' })
  await boss.press('📒 账单记录')
  const shown = await boss.read('本月')
  expect(shown).toContain('2026年3月1日 – 2026年3月1日（UTC）')
  // The same moment is the next day in Beijing.
  expect(shown).toContain('2026年3月2日 04:00')
  await boss.press('📅 自选日期')
  await boss.waitFor('（UTC）')
  boss.send('今天')
  expect(await boss.read('📅 自选日期')).toContain('2026年3月1日 – 2026年3月1日（UTC）')
})

it('is found by city, country and distance, in everyday spellings of every language', () => {
  const named = (text: string) => zonesNamed(text, NOW)
  expect(named('Beijing')).toEqual(['Asia/Shanghai'])
  for (const text of ['上海', '广州', '中国', 'china']) expect(named(text), text).toEqual(['Asia/Shanghai'])
  expect(named('东京')).toEqual(['Asia/Tokyo'])
  expect(named('sao paulo')).toEqual(['America/Sao_Paulo'])
  expect(named('ho chi minh city')).toEqual(['Asia/Saigon'])
  expect(named('基辅')).toEqual(['Europe/Kiev'])
  expect(named('Вьетнам')).toEqual(named('Vietnam'))
  expect(named('Екатеринбург')).toEqual(['Asia/Yekaterinburg'])
  expect(named('мск')).toEqual(['Europe/Moscow'])
  expect(named('МСК+2')).toEqual(['+05:00'])
  expect(named('europe/paris')).toEqual(['Europe/Paris'])
  expect(named('德国')).toEqual(['Europe/Berlin'])
  expect(named('Houston')).toContain('America/Chicago')
  expect(named('United States').length).toBeGreaterThan(4)
  for (const text of ['+8', '8', 'UTC+8', 'utc +08:00', 'GMT+8', '＋８', '东八区', '+0800'])
    expect(named(text), text).toEqual(['+08:00'])
  expect(named('西五区')).toEqual(['-05:00'])
  expect(named('东十二区')).toEqual(['+12:00'])
  expect(named('+5:30')).toEqual(['+05:30'])
  expect(named('5.5')).toEqual(['+05:30'])
  expect(named('−3:30')).toEqual(['-03:30'])
  expect(named('utc')).toEqual(['UTC'])
  expect(named('+15')).toEqual([])
  expect(named('Atlantis')).toEqual([])
})
