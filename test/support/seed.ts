import fc from 'fast-check'

/**
 * What is random in tests begins here, and is the same in every run: a change lands for what it does, not by luck.
 * Another one is tried by `SEED=$RANDOM npm test`.
 */
export const SEED = Number(process.env['SEED'] ?? 1)

fc.configureGlobal({ seed: SEED })
