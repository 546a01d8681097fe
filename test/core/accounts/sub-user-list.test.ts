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
    [
      'a Russian header',
      'Логин;Пароль;Баланс;Почта;Телефон;Заметка\nanna;pass-1;2.5;a@b.cd;13800138000;new',
      2,
    ],
    ['what a spreadsheet copies', 'anna\tpass-1\t2.5\ta@b.cd\t13800138000\tnew', 1],
    ['commas of a Chinese keyboard', 'anna，pass-1， 2.5，a@b.cd，13800138000，new', 1],
    ['semicolons', 'anna;pass-1;2.5;a@b.cd;13800138000;new', 1],
    ['semicolons of a Chinese keyboard', 'anna；pass-1；2.5；a@b.cd；13800138000；new', 1],
    ['blanks, as which Telegram shows tabs', 'anna pass-1 2.5 a@b.cd 13800138000 new', 1],
    ['several blanks, when no column is empty', ' anna   pass-1  2.5  a@b.cd\u3000\u300013800138000 new ', 1],
    [
      'a header divided by several blanks',
      'username  password balance email  phone remark\nanna   pass-1  2.5  a@b.cd 13800138000 new',
      2,
    ],
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
    expect(users('anna\nben,,\rcleo')).toEqual([
      [1, { username: 'anna' }],
      [2, { username: 'ben' }],
      [3, { username: 'cleo' }],
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

  it('takes what is divided by blanks only where it is sure which column is meant', () => {
    expect(users('anna secret-1 5\nben secret-2')).toEqual([
      [1, { username: 'anna', password: 'secret-1', balance: 5 }],
      [2, { username: 'ben', password: 'secret-2' }],
    ])
    expect(badLines('anna secret-1 5\nben  250000')).toEqual([{ line: 2, message: 'blanks_between_columns' }])
    expect(users('username  balance\nanna   5')).toEqual([[2, { username: 'anna', balance: 5 }]])
  })

  it('makes no name of a line that is divided otherwise', () => {
    expect(badLines('anna,secret-1,5\nben;secret-2;7')).toEqual([{ line: 2, message: 'divider_in_username' }])
    expect(badLines('anna\tsecret-1\nben,secret-2')).toEqual([{ line: 2, message: 'divider_in_username' }])
    expect(users('anna;"a;b,c";5')).toEqual([[1, { username: 'anna', password: 'a;b,c', balance: 5 }]])
  })

  it('is not read further than it can be taken', () => {
    expect(readSubUserList('a\n'.repeat(120_000))).toHaveLength(202)
  })
})
