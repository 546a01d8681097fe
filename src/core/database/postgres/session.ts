import type { ClientBase } from 'pg'

/** Settings of PostgreSQL that a session begins with: milliseconds of its limits, and whether it only reads. */
export interface SessionSettings {
  readonly statement_timeout?: number
  readonly lock_timeout?: number
  readonly idle_in_transaction_session_timeout?: number
  readonly default_transaction_read_only?: 'on'
}

/** Sets them in one round trip, and not while it connects: a pooler refuses a connection that begins with them. */
export async function setUp(client: ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join('; '),
  )
}
