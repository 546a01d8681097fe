import { createRequire } from 'node:module'
import type Driver from 'better-sqlite3'

/**
 * better-sqlite3 in the version for this Node.js. Version 12 aborts the process on Node.js 24.19 and newer when garbage is
 * collected outside of JavaScript: Node's `ObjectWrap`, from which it derives, then looks for an environment that does not exist.
 * Version 13 is written with Node-API and ships its binaries, but needs Node-API 10, which Node.js 20 does not have. Both are pinned
 * to SQLite 3.53: from 13.1 on it is 3.54, in which JSON from a subquery is text.
 */
export const SQLITE_DRIVER = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'

export const SqliteDatabase = createRequire(import.meta.url)(SQLITE_DRIVER) as typeof Driver

export type SqliteConnection = Driver.Database
export type SqliteStatement = Driver.Statement
export type SqliteColumn = Driver.ColumnDefinition
