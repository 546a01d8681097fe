import { describe, expect, it } from 'vitest'
import { readSubUserList } from '../../../src/core/accounts/sub-user-list.ts'
import type { ServiceError } from '../../../src/core/errors.ts'

/** What the list says about each user, without what it does not say. */
function users(text: string) {
  return readSubUserList(text).map(({ line, user }) => [
    line,
    Object.fromEntries(Object.entries(user).filter(([, value]) => value !== undefined && value !== '')),
  ])
}

function badLines(text: string) {
  try {
    return users(text)
  } catch (error) {
    return (error as ServiceError).data?.['errors']
  }
}

describe('a list of sub-users', () => {
  it.each([
    ['the columns in their order', 'anna,pass-1,2.5,a@b.cd,13800138000,new', 1],
    [
      'a header in another order',
      '\uFEFFUsername,remark,Balance,phone,email,password\nanna,new,2.5,13800138000,a@b.cd,pass-1',
      2,
    ],
    ['a Chinese header', '用户名,密码,余额,邮箱,手机,备注\r\nanna,pass-1,2.5,a@b.cd,13800138000,new\r\n', 2],
    ['what a spreadsheet copies', 'anna\tpass-1\t2.5\ta@b.cd\t13800138000\tnew', 1],
    ['commas of a Chinese keyboard', 'anna，pass-1， 2.5，a@b.cd，13800138000，new', 1],
    ['quotation marks, spaces and empty lines', '\n "anna" , pass-1,"2.5", a@b.cd ,13800138000,new\n\n', 2],
  ])('may have %s', (_name, text, line) => {
    expect(users(text)).toEqual([
      [
        line,
        {
          username: 'anna',
          password: 'pass-1',
          balance: 2.5,
          email: 'a@b.cd',
          phone: '13800138000',
          remark: 'new',
        },
      ],
    ])
  })

  it('needs no more than usernames', () => {
    expect(users('anna\nben,,\rcleo\tx')).toEqual([
      [1, { username: 'anna' }],
      [2, { username: 'ben' }],
      [3, { username: 'cleo\tx' }],
    ])
    expect(users('\n  \n')).toEqual([])
  })

  it('takes quotation marks literally inside, and commas inside of quotation marks', () => {
    expect(users('anna,pa"ss,1\nben,"a ""b"", c"')).toEqual([
      [1, { username: 'anna', password: 'pa"ss', balance: 1 }],
      [2, { username: 'ben', password: 'a "b", c' }],
    ])
  })

  it('makes an amount that is refused of what is none', () => {
    expect(users('anna,,1e3\nben,,5 USD\ncleo,,-5\ndora,,0.1234567')).toEqual([
      [1, { username: 'anna', balance: -1 }],
      [2, { username: 'ben', balance: -1 }],
      [3, { username: 'cleo', balance: -5 }],
      [4, { username: 'dora', balance: -1 }],
    ])
  })

  it('names the lines that cannot be read', () => {
    expect(badLines('anna\n\nben,1,2,3,4,5,6\ncleo,1,2,3,4,5,6')).toEqual([
      { line: 3, message: 'too_many_columns' },
      { line: 4, message: 'too_many_columns' },
    ])
    expect(badLines('username,amount\nanna,5')).toEqual([{ line: 1, message: 'unknown_column' }])
    expect(badLines('anna,pa"ss\nben,"open\ncleo')).toEqual([
      { line: 2, message: 'misplaced_quotation_mark' },
    ])
    expect(badLines('anna\nben,"closed"too early')).toEqual([
      { line: 2, message: 'misplaced_quotation_mark' },
    ])
  })

  it('is not read further than it can be taken', () => {
    expect(readSubUserList('a\n'.repeat(120_000))).toHaveLength(202)
  })
})
