/**
 * Loaded into a product that a test kills at an exact point (kill-points.ts). The file that KILL_POINT names
 * says which, as JSON: with the statement of the count that fits, right before it runs, or when it is committed. The process
 * deletes the file, and ends as by a power cut.
 */
import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const file = process.env.KILL_POINT
const driver = Number(process.versions.napi) >= 10 ? 'better-sqlite3-13' : 'better-sqlite3'
let fitting = 0
let isAfter = false
let atCommit = false

function die() {
  rmSync(file, { force: true })
  process.kill(process.pid, 'SIGKILL')
}

function armed() {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    fitting = 0
    isAfter = false
    return undefined
  }
}

/** Called before each statement. */
function see(sql) {
  const point = armed()
  if (!point) return
  isAfter ||= !point.after || new RegExp(point.after).test(sql)
  if (!isAfter || !new RegExp(point.statement).test(sql)) return
  fitting += 1
  if (fitting < point.count) return
  if (point.moment === 'before') die()
  atCommit = true
}

function watchSqlite() {
  const { prototype } = createRequire(import.meta.url)(driver)
  const { prepare, exec } = prototype
  prototype.exec = function (sql) {
    const result = exec.call(this, sql)
    if (atCommit && sql === 'COMMIT') die()
    return result
  }
  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql)
    const native = Object.getPrototypeOf(statement)
    if (!native.isWatched) {
      native.isWatched = true
      for (const name of ['run', 'get', 'all', 'iterate']) {
        const carryOut = native[name]
        native[name] = function (...values) {
          see(this.source)
          return carryOut.apply(this, values)
        }
      }
    }
    return statement
  }
}

/** The driver is a part of the compiled product: what it says to the server is all that can be watched. */
function watchPostgres() {
  const write = Reflect.get(Socket.prototype, 'write')
  /** Of each connection, by their names. */
  const prepared = new WeakMap()
  Socket.prototype.write = function (bytes, ...rest) {
    for (const { type, body } of messagesIn(bytes)) {
      const [first, second] = body.toString().split('\0')
      if (type === 'Q') {
        see(first)
        if (atCommit && first === 'COMMIT') dieAtAnswer(this)
      } else if (type === 'P') {
        if (!prepared.has(this)) prepared.set(this, new Map())
        prepared.get(this).set(first, second)
      } else if (type === 'B') see(prepared.get(this)?.get(second) ?? '')
    }
    return write.call(this, bytes, ...rest)
  }
}

/** Messages of PostgreSQL's protocol; none where it is another one. */
function* messagesIn(bytes) {
  for (let at = 0; Buffer.isBuffer(bytes) && at + 5 <= bytes.length;) {
    const end = at + 1 + bytes.readUInt32BE(at + 1)
    if (end > bytes.length) return
    yield { type: String.fromCharCode(bytes[at]), body: bytes.subarray(at + 5, end) }
    at = end
  }
}

function dieAtAnswer(connection) {
  const { emit } = connection
  connection.emit = function (event, ...values) {
    if (event === 'data' && values[0].includes('COMMIT\0')) die()
    return emit.call(this, event, ...values)
  }
}

if (isMainThread) {
  watchSqlite()
  watchPostgres()
}
