import { expect, test } from 'vitest'
import { formatProxy, PROXY_FORMATS, withColons } from '../../../src/core/proxy-formats.ts'

const FORMS = PROXY_FORMATS.filter((format) => format !== 'colon')

test.each(
  FORMS.flatMap((format) =>
    ['192.0.2.1', '2001:db8::1'].flatMap((ip) =>
      ['secret', 'p@ss,w:o"rd', '50%41/\u00fc?', ' '].map((password) => [format, { ip, password }] as const),
    ),
  ),
)('Written as %s, %j is read as it was', (format, { ip, password }) => {
  const proxy = { ip, port: 8000, username: 'user,1', password }
  expect(withColons(formatProxy(format, proxy))).toBe(formatProxy('colon', proxy))
})

test.each([
  [
    'a row of the exported table',
    'S1,I1,192.0.2.1,8000,user,"a,b",US,NYC,,active',
    '192.0.2.1:8000:user:a,b',
  ],
  ['cells of a spreadsheet', '192.0.2.1\t8000\tuser\tsecret', '192.0.2.1:8000:user:secret'],
  ['a table without logins', 'proxy,2001:db8::1,8000', '[2001:db8::1]:8000'],
  ['its header', 'order_no,ip,port', 'order_no,ip,port'],
])('Of %s the proxy is read', (_, line, proxy) => {
  expect(withColons(line)).toBe(proxy)
})
