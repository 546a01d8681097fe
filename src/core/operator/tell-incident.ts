import { dropSetting, readSetting, writeSetting } from '../database/settings.ts'
import type { OperatorFact } from '../facts/operator-facts.ts'
import { happened } from '../facts/happened.ts'
import type { Essentials } from '../jobs/essentials.ts'

/** Something that may be wrong for a while. */
export interface Incident {
  /** Key of the setting that keeps since when it is wrong. */
  readonly key: string
  /** Whether it is wrong; undefined: nothing can be said now, so nothing changes. */
  readonly wrong: boolean | undefined
  /** When it began; now by default. */
  readonly since?: string | undefined
  /** Makes the fact that is told when it has begun, or is over. */
  readonly news: (told: {
    readonly wrong: boolean
    readonly since: string
    readonly subject: string
  }) => OperatorFact
}

/** Tells the operator of an incident: once, and again when it is over. */
export async function tellIncident(deps: Essentials, { key, wrong, since, news }: Incident): Promise<void> {
  const known = await readSetting(deps, key)
  if (wrong === undefined || wrong === (known !== undefined)) return
  const begun = known ?? since ?? deps.clock.now().toISOString()
  await deps.db.write(async (tx) => {
    if (wrong) await writeSetting(tx, key, begun)
    else await dropSetting(tx, key)
    happened(tx, news({ wrong, since: begun, subject: `${key} ${begun}` }))
  })
}
