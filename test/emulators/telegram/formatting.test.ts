import { describe, expect, test } from 'vitest'
import { ANN, startTelegram } from './server.ts'

type Entities = [type: string, offset: number, length: number, more?: object][]

const FORMATTED: [mode: string, source: string, text: string, entities: Entities][] = [
  ['HTML', 'plain &lt;b&gt; &amp; &#x1F600;&#33; &nbsp;', 'plain <b> & 😀! &nbsp;', []],
  [
    'HTML',
    '<b>a</b><strong>b</strong>',
    'ab',
    [
      ['bold', 0, 1],
      ['bold', 1, 1],
    ],
  ],
  [
    'HTML',
    '<i>😀</i> <u>x</u>',
    '😀 x',
    [
      ['italic', 0, 2],
      ['underline', 3, 1],
    ],
  ],
  [
    'HTML',
    '<b>a<i>b</i></b>',
    'ab',
    [
      ['bold', 0, 2],
      ['italic', 1, 1],
    ],
  ],
  [
    'HTML',
    '<s>a</s><del>b</del><ins>c</ins><tg-spoiler>d</tg-spoiler>',
    'abcd',
    [
      ['strikethrough', 0, 1],
      ['strikethrough', 1, 1],
      ['underline', 2, 1],
      ['spoiler', 3, 1],
    ],
  ],
  ['HTML', '<span class="tg-spoiler">x</span>', 'x', [['spoiler', 0, 1]]],
  [
    'HTML',
    '<a href="HTTPS://Example.com?a=1&amp;b=2">x</a>',
    'x',
    [['text_link', 0, 1, { url: 'https://example.com/?a=1&b=2' }]],
  ],
  ['HTML', '<a href="nowhere">x</a>', 'x', []],
  ['HTML', '<code class="language-js">x</code>', 'x', [['code', 0, 1]]],
  ['HTML', '<pre>x</pre>', 'x', [['pre', 0, 1]]],
  ['HTML', '<pre><code class="language-js">x</code></pre>', 'x', [['pre', 0, 1, { language: 'js' }]]],
  [
    'HTML',
    '<blockquote>a</blockquote><blockquote expandable>b</blockquote>',
    'ab',
    [
      ['blockquote', 0, 1],
      ['expandable_blockquote', 1, 1],
    ],
  ],
  [
    'HTML',
    '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
    '👍',
    [['custom_emoji', 0, 2, { custom_emoji_id: '5368324170671202286' }]],
  ],
  [
    'HTML',
    '<tg-time unix="1647531900" format="wDT">22:45</tg-time>',
    '22:45',
    [['date_time', 0, 5, { unix_time: 1647531900, date_time_format: 'wDT' }]],
  ],
  ['html', '  <b> a </b>  ', ' a', [['bold', 0, 2]]],
]

describe('markup becomes text and entities', () => {
  test.each(FORMATTED)('%s %j', async (parse_mode, source, text, entities) => {
    const { call } = await startTelegram()
    const { result, description } = await call('sendMessage', { chat_id: ANN.id, text: source, parse_mode })
    expect(description).toBeUndefined()
    expect(result.text).toBe(text)
    const expected = entities.map(([type, offset, length, more]) => ({ type, offset, length, ...more }))
    expect(result.entities ?? []).toEqual(expected)
  })
})

describe('bad markup is refused with the place of the mistake in bytes', () => {
  const cases: [mode: string, source: string, reason: string][] = [
    ['HTML', '<b>x', 'Can\'t find end tag corresponding to start tag "b"'],
    ['HTML', '<script>', 'Unsupported start tag "script" at byte offset 0'],
    ['HTML', 'é😀<x>', 'Unsupported start tag "x" at byte offset 6'],
    ['HTML', 'a <b', 'Unclosed start tag at byte offset 2'],
    ['HTML', '2 < 3 > 1', 'Unsupported start tag "" at byte offset 2'],
    ['HTML', '<b><i>text</b></i>', 'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"'],
    ['HTML', 'x</b>', 'Unexpected end tag at byte offset 1'],
    ['HTML', '<b>x</b', 'Unclosed end tag at byte offset 4'],
    ['HTML', '<a href="x', 'Unclosed start tag at byte offset 0'],
    ['HTML', '<a =>x</a>', 'Empty attribute name in the tag "a" at byte offset 0'],
    ['HTML', '<span class="x">y</span>', 'Tag "span" must have class "tg-spoiler" at byte offset 0'],
    ['HTML', '<tg-emoji emoji-id="x">y</tg-emoji>', 'Invalid custom emoji identifier specified'],
  ]

  test.each(cases)('%s %j: %s', async (parse_mode, text, reason) => {
    const { call } = await startTelegram()
    expect(await call('sendMessage', { chat_id: ANN.id, text, parse_mode })).toEqual({
      ok: false,
      error_code: 400,
      description: `Bad Request: can't parse entities: ${reason}`,
    })
  })
})

test.each(['Markdown', 'MarkdownV2'])('%s, which the bot does not use, is refused', async (parse_mode) => {
  const { call } = await startTelegram()
  const { description } = await call('sendMessage', { chat_id: ANN.id, text: '*x*', parse_mode })
  expect(description).toBe(`Bad Request: not implemented in the emulator: parse_mode ${parse_mode}`)
})

test('limits count characters of the parsed text: 4096 of a text, 1024 of a caption', async () => {
  const { call } = await startTelegram()
  const bold = (length: number) => `<b>${'😀'.repeat(length)}</b>`
  const send = (text: string) => call('sendMessage', { chat_id: ANN.id, text, parse_mode: 'HTML' })
  expect(await send(bold(4096))).toMatchObject({ ok: true })
  expect(await send(bold(4097))).toMatchObject({ description: 'Bad Request: message is too long' })
})

test('explicit entities are kept and moved along when white space is trimmed', async () => {
  const { call, emulator } = await startTelegram()
  const entities = [
    { type: 'italic', offset: 4, length: 2 },
    { type: 'bold', offset: 3, length: 5 },
    { type: 'text_link', offset: 6, length: 1, url: 'example.com' },
    { type: 'url', offset: 3, length: 1 },
  ]
  await call('sendMessage', { chat_id: ANN.id, text: ' \n word  ', entities })
  expect(emulator.messages(ANN.id).at(-1)).toMatchObject({
    text: 'word',
    entities: [
      { type: 'bold', offset: 0, length: 4 },
      { type: 'italic', offset: 1, length: 2 },
      { type: 'text_link', offset: 3, length: 1, url: 'http://example.com/' },
    ],
  })
})

test('commands, addresses, mentions, hashtags and e-mail addresses are found in what anybody writes', async () => {
  const { call, emulator } = await startTelegram()
  const text = '/start ref_1 https://x.io/a, @shop_bot #sale ann@x.io a/b 5/6'
  emulator.send(ANN.id, text)
  const { result } = await call('getUpdates')
  const found = [
    { type: 'bot_command', offset: 0, length: 6 },
    { type: 'url', offset: 13, length: 14 },
    { type: 'mention', offset: 29, length: 9 },
    { type: 'hashtag', offset: 39, length: 5 },
    { type: 'email', offset: 45, length: 8 },
  ]
  expect(result[0]?.message?.entities).toEqual(found)
  expect((await call('sendMessage', { chat_id: ANN.id, text })).result.entities).toEqual(found)
  const code = await call('sendMessage', {
    chat_id: ANN.id,
    text: `<code>${text}</code>`,
    parse_mode: 'HTML',
  })
  expect(code.result.entities).toEqual([{ type: 'code', offset: 0, length: text.length }])
})
