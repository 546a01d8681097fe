import { CompiledQuery } from 'kysely'
import type { Database, LogInAttempt, LogInAttempts } from '../client.ts'

/** Run in the turn to write, so that no other server adds an attempt between the counts and the insert. */
const BEGIN = `
  INSERT INTO log_in_attempts (username, network, at, failed)
  SELECT $1, $2, $3, false
  WHERE (SELECT count(*) FROM log_in_attempts WHERE username = $1 AND network = $2 AND at > $4) < $5
    AND (SELECT count(*) FROM log_in_attempts WHERE username = $1 AND at > $4) < $6
    AND (SELECT count(*) FROM log_in_attempts WHERE network = $2 AND at > $4) < $7
  RETURNING id`
const OF =
  'SELECT username, network, at, failed FROM log_in_attempts WHERE (username = $1 OR network = $2) AND at > $3 ORDER BY at'
const FAIL = `
  WITH old AS (DELETE FROM log_in_attempts WHERE at <= $3)
  UPDATE log_in_attempts SET failed = true, at = $2 WHERE id = $1`
const FORGET = 'DELETE FROM log_in_attempts WHERE id = $1'

/** Makes the store of the log-ins of all servers, in a table that only PostgreSQL has. */
export function logInAttempts({ read, write }: Pick<Database, 'read' | 'write'>): LogInAttempts {
  const change = async <Row>(sql: string, values: unknown[]) => {
    const { rows } = await write(
      (tx) => tx.$run<Row>(CompiledQuery.raw(sql, values) as CompiledQuery<Row>),
      'one_statement',
    )
    return rows
  }
  return {
    begin: async ({ username, network, at }, limits, since) => {
      const values = [
        username,
        network,
        at,
        since,
        limits.usernameFromNetwork,
        limits.username,
        limits.network,
      ]
      const [begun] = await change<{ id: number }>(BEGIN, values)
      return begun?.id
    },
    of: async ({ username, network }, since) => {
      const query = CompiledQuery.raw(OF, [username, network, since]) as CompiledQuery<LogInAttempt>
      return (await read.$run(query)).rows
    },
    fail: async (id, at, since) => void (await change(FAIL, [id, at, since])),
    forget: async (id) => void (await change(FORGET, [id])),
  }
}
