import { badFile, type CsvLine, readCells } from '../csv.ts'
import { fromText, toNumber } from '../money.ts'
import { MAX_SUB_USERS_AT_ONCE, type SubUserOfMany } from './create-sub-users.ts'

/** The columns in their order in a list without a header, each with the names that a header may use. */
const COLUMNS = {
  username: ['username', '用户名', 'логин'],
  password: ['password', '密码', 'пароль'],
  balance: ['balance', '余额', 'баланс'],
  email: ['email', '邮箱', 'почта'],
  phone: ['phone', '手机', 'телефон'],
  remark: ['remark', '备注', 'заметка'],
} as const
type Column = keyof typeof COLUMNS
export const LIST_COLUMNS = Object.keys(COLUMNS) as Column[]

export interface ListedSubUser {
  /** Line in the text, from 1. */
  readonly line: number
  readonly user: SubUserOfMany
}

/**
 * Reads sub-users from a list that somebody pasted or sent as a file (rules 2.19): a table with the columns
 * `username,password,balance,email,phone,remark`; the header may be left out. The values are checked by {@link createSubUsers}; without a
 * password, one is generated.
 *
 * @throws validation_error (data: errors, each with line and the rule: misplaced_quotation_mark, unknown_column, too_many_columns,
 *   blanks_between_columns, divider_in_username)
 */
export function readSubUserList(text: string): ListedSubUser[] {
  // The header and one user more than allowed: a longer list is refused for its length later.
  const { lines, byBlanks } = readCells(text, MAX_SUB_USERS_AT_ONCE + 2)
  const [first] = lines
  const header = first && headerOf(byBlanks ? withoutBlanks(first) : first)
  const columns = header ?? LIST_COLUMNS
  const users = (header ? lines.slice(1) : lines).map((line) =>
    byBlanks && withoutBlanks(line).cells.length === columns.length ? withoutBlanks(line) : line,
  )
  const bad = users.flatMap(({ line, cells }) => {
    const message =
      byBlanks && cells.includes('')
        ? 'blanks_between_columns'
        : cells.length > columns.length
          ? 'too_many_columns'
          : DIVIDER.test(cells[columns.indexOf('username')] ?? '')
            ? 'divider_in_username'
            : undefined
    return message === undefined ? [] : [{ line, message }]
  })
  if (bad.length > 0) throw badFile(bad)
  return users.map(({ line, cells }) => ({ line, user: subUser(columns, cells) }))
}

/** Dividers in a username show that the cells of its line are divided by another character than those of the other lines. */
const DIVIDER = /[,;\uFF0C\uFF1B]/

/** Drops the empty cells of a line whose columns are aligned by several blanks. */
function withoutBlanks({ line, cells }: CsvLine): CsvLine {
  return { line, cells: cells.filter((cell) => cell !== '') }
}

/** Returns the columns that a header names; undefined when the line is no header. */
function headerOf({ line, cells }: CsvLine): Column[] | undefined {
  const columns = cells.map((cell) =>
    LIST_COLUMNS.find((column) => (COLUMNS[column] as readonly string[]).includes(cell.toLowerCase())),
  )
  if (!columns.includes('username')) return undefined
  if (columns.some((column) => column === undefined)) throw badFile([{ line, message: 'unknown_column' }])
  return columns as Column[]
}

function subUser(columns: readonly Column[], cells: readonly string[]): SubUserOfMany {
  const values: Partial<Record<Column, string>> = Object.fromEntries(
    columns.map((column, index) => [column, cells[index] ?? '']),
  )
  const { username = '', password, balance, email, phone, remark } = values
  return {
    username,
    password: password || undefined,
    balance: balance ? typedAmount(balance) : undefined,
    email,
    phone,
    remark,
  }
}

/** Parses a typed initial balance, in units of the currency; -1 for what is no amount, which is refused later. */
function typedAmount(text: string): number {
  const amount = fromText(text)
  return amount === undefined ? -1 : toNumber(amount)
}
