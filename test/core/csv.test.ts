import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { writeCsv } from '../../src/core/csv.ts'
import { withTurns } from '../support/turns.ts'

it.each([
  ['=1+2', "'=1+2"],
  ['+1', "'+1"],
  ['-1+2', "'-1+2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  // Spreadsheets of East Asia take full-width characters for the same.
  ['＝1+2', "'＝1+2"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\n=1', `"'\n=1"`],
  ['\tx', "'\tx"],
  ['\rx', `"'\rx"`],
  ['\0=1', "'\0=1"],
  ['=HYPERLINK("https://x","y")', `"'=HYPERLINK(""https://x"",""y"")"`],
  ['-12.5', '-12.5'],
  [-12.5, '-12.5'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['中文', '中文'],
  ['', ''],
])('The cell %j is written as %j', async (cell, written) => {
  expect(await writeCsv(['a', 'b'], [cell], (value) => [value, 1])).toBe(`\uFEFFa,b\r\n${written},1\r\n`)
})

it('A hundred thousand rows of whatever people type are read back as they were, and others get their turn meanwhile', async () => {
  const texts = ['plain', 'a,b', '"', '""', 'x\ny', 'x\r\ny', ' spaces ', '李雷', "'", ';']
  const rows = Array.from({ length: 100_000 }, (_, row) => [
    String(row),
    texts[row % 10] ?? '',
    texts[((row / 10) % 10) | 0] ?? '',
  ])
  const { result, turns } = await withTurns(() => writeCsv(['n', 'a', 'b'], rows, (row) => row))
  const read = parse(result, { bom: true, from: 2, record_delimiter: '\r\n' })
  expect(turns).toBeGreaterThanOrEqual(100)
  expect(read).toEqual(rows)
})
