import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { postgresMigrationNames } from '../../../src/core/database/postgres/migrations.ts'
import { projectUrl } from '../../../src/project-url.ts'

/** No released version has worked on PostgreSQL with an earlier one. */
const FIRST = '20261125215000_servers_share_limits'
/** In front of a statement that the version before goes on with although it does not look so, or no longer needs: why. */
const REASON = /^-- contract: .{20,}$/m

/** With these the version before goes on (docs/several-machines.md): it does not know what is new, and writes as it did. */
const HARMLESS = [
  /^CREATE TABLE /,
  /^CREATE INDEX /,
  /^ALTER TABLE "\w+" ADD COLUMN "\w+" (?!.*NOT NULL(?!.* DEFAULT ))/,
]

/** The statements of a migration after which the version before might not go on. */
function harmful(migration: string): string[] {
  const isNew = (table: string | undefined) => migration.includes(`CREATE TABLE "${table}"`)
  return statementsOf(migration).filter((statement) => {
    const sql = statement.replaceAll(/^--.*\n/gm, '').replaceAll(/\s+/g, ' ')
    // What is done to a new table, before anybody knows it.
    const [, table] = /^(?:CREATE UNIQUE INDEX "\w+" ON|INSERT INTO|ALTER TABLE) "(\w+)"/.exec(sql) ?? []
    return !HARMLESS.some((kind) => kind.test(sql)) && !isNew(table) && !REASON.test(statement)
  })
}

/** With the comments in front of each; the bodies of functions stay whole. */
function statementsOf(migration: string): string[] {
  return (migration.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|--.*\n|[^;])+;/g) ?? []).map((statement) =>
    statement.trim(),
  )
}

test('the migrations for PostgreSQL let the version before go on', async () => {
  const names = (await postgresMigrationNames()).filter((name) => name >= FIRST)
  expect(names).toContain(FIRST)
  const refused = []
  for (const name of names) {
    const migration = await readFile(projectUrl(`prisma/postgres/migrations/${name}/migration.sql`), 'utf8')
    refused.push(...harmful(migration).map((statement) => ({ name, statement })))
  }
  expect(refused).toEqual([])
})

test.each([
  'ALTER TABLE "chats" DROP COLUMN "takes";',
  'DROP TABLE "chats";',
  'ALTER TABLE "chats" RENAME COLUMN "takes" TO "took";',
  'ALTER TABLE "chats" RENAME TO "talks";',
  'ALTER TABLE "chats" ADD COLUMN "takes" TEXT COLLATE "C" NOT NULL;',
  'ALTER TABLE "chats" ALTER COLUMN "takes" TYPE BIGINT;',
  'ALTER TABLE "chats" ALTER COLUMN "takes" SET NOT NULL;',
  'ALTER TABLE "chats" ADD CONSTRAINT "one" CHECK ("takes" > 1);',
  'CREATE UNIQUE INDEX "chats_takes_key" ON "chats"("takes");',
  '-- Takes\nUPDATE "chats" SET "takes" = 1;',
  'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;',
])('a migration with %s does not', (statement) => {
  expect(harmful(`CREATE TABLE "others" ("id" BIGINT PRIMARY KEY);\n${statement}`)).toEqual([statement])
})

test.each([
  '-- contract: no version since 1.1 reads this column\nALTER TABLE "chats" DROP COLUMN "takes";',
  'ALTER TABLE "chats" ADD COLUMN "takes" TEXT COLLATE "C";',
  'ALTER TABLE "chats" ADD COLUMN "takes" BIGINT NOT NULL DEFAULT 0;',
  'CREATE UNIQUE INDEX "others_id_key" ON "others"("id");',
  'INSERT INTO "others" SELECT "id" FROM "chats";',
])('one with %s does', (statement) => {
  expect(harmful(`CREATE TABLE "others" ("id" BIGINT PRIMARY KEY);\n${statement}`)).toEqual([])
})
