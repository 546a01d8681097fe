import type { ClientBase } from 'pg'

/** Session settings of PostgreSQL: timeouts in ms, and whether the session only reads. */
export interface SessionSettings {
  readonly statement_timeout?: number
  readonly lock_timeout?: number
  readonly idle_in_transaction_session_timeout?: number
  readonly default_transaction_read_only?: 'on'
}

/** Applies the settings in one round trip, and only once connected: a pooler refuses them as parameters of the connection. */
export async function setUp(client: ClientBase, settings: SessionSettings): Promise<void> {
  await client.query(
    Object.entries(settings)
      .map(([name, value]) => `SET ${name} = ${value}`)
      .join('; '),
  )
}
