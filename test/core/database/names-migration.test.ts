import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/database/database.ts'
import { postgresMigrationNames } from '../../../src/core/database/postgres/migrations.ts'
import { projectUrl } from '../../../src/project-url.ts'
import { databaseBefore } from '../../support/old-database.ts'

const MIGRATION = '20261128140000_names'
const COLUMNS = 'product_no, proxy_type, product_type, period_unit, period_length, created_at, updated_at'
const OLD_PRODUCTS = `INSERT INTO products (name_en, name_zh, description_en, description_zh, ${COLUMNS})
  VALUES ('It''s "US"', '美国', '', '很快', 'both', 103, 1, 3, 1, '', ''), ('Bare', '', '', '', 'bare', 103, 1, 3, 1, '', '');`

test('names and descriptions in columns of two languages become texts by language', async () => {
  const db = await openDatabase(`file:${await databaseBefore('names', OLD_PRODUCTS)}`)
  const rows = await db.read.product.findMany()
  await db.close()
  expect(rows.map(({ names, descriptions }) => [JSON.parse(names), JSON.parse(descriptions)])).toEqual([
    [{ en: 'It\'s "US"', zh: '美国' }, { zh: '很快' }],
    [{ en: 'Bare', zh: '' }, {}],
  ])
})

test('on PostgreSQL, servers of the version before and of this one read what the other one writes', async () => {
  const { exitCode } = process
  const postgres = await PGlite.create()
  try {
    const names = await postgresMigrationNames()
    const apply = async (name: string) =>
      postgres.exec(await readFile(projectUrl(`prisma/postgres/migrations/${name}/migration.sql`), 'utf8'))
    for (const name of names.filter((each) => each < MIGRATION)) await apply(name)
    await postgres.exec(OLD_PRODUCTS)
    for (const name of names.filter((each) => each >= MIGRATION)) await apply(name)

    interface Row {
      readonly old: readonly string[]
      readonly names: object
      readonly descriptions: object
    }
    const product = async (productNo: string) => {
      const { rows } = await postgres.query<Row>(
        `SELECT array[name_en, name_zh, description_en, description_zh] AS old, names::jsonb, descriptions::jsonb
         FROM products WHERE product_no = $1`,
        [productNo],
      )
      return rows[0]
    }
    const both = { old: ['It\'s "US"', '美国', '', '很快'], names: { en: 'It\'s "US"', zh: '美国' } }
    expect(await product('both')).toEqual({ ...both, descriptions: { zh: '很快' } })

    await postgres.exec(OLD_PRODUCTS.replace("'both'", "'old'").replace("'bare'", "'other'"))
    expect(await product('old')).toEqual({ ...both, descriptions: { zh: '很快' } })
    await postgres.exec(
      `UPDATE products SET name_en = 'Old', description_zh = '', enabled = false WHERE product_no = 'old'`,
    )
    expect(await product('old')).toMatchObject({ names: { en: 'Old', zh: '美国' }, descriptions: {} })

    const texts = `'{"en":"New","zh":"新"}', '{"en":"Fast"}'`
    await postgres.exec(
      `INSERT INTO products (names, descriptions, ${COLUMNS}) VALUES (${texts}, 'new', 103, 1, 3, 1, '', '')`,
    )
    expect(await product('new')).toEqual({
      old: ['New', '新', 'Fast', ''],
      names: { en: 'New', zh: '新' },
      descriptions: { en: 'Fast' },
    })
    await postgres.exec(`UPDATE products SET names = '{"en":"Newer","zh":"新"}' WHERE product_no = 'new'`)
    expect(await product('new')).toMatchObject({ old: ['Newer', '新', 'Fast', ''] })

    await postgres.exec(
      `INSERT INTO chats (id, language, created_at, updated_at) VALUES (1, 'en', '', '');
       INSERT INTO notices (chat_id, kind, subject, data, created_at)
       VALUES (1, 'address_freed', 'a', '{"names":{"en":"New","zh":"新"},"cidr":"192.0.2.1"}', '')`,
    )
    const { rows } = await postgres.query<{ data: string }>('SELECT data FROM notices')
    expect(JSON.parse(rows[0]?.data ?? '')).toEqual({
      names: { en: 'New', zh: '新' },
      nameEn: 'New',
      nameZh: '新',
      cidr: '192.0.2.1',
    })
  } finally {
    await postgres.close()
    // PGlite leaves an exit code of its own, 0, which would hide that tests have failed.
    process.exitCode = exitCode
  }
})
