import { hash } from '@node-rs/argon2'

/**
 * A hash with the least that argon2id takes, for accounts that are there before a test: a log-in takes as long as its hash
 * says, and hundreds of log-ins would take half of the time of all tests.
 */
export const fastHash = (password: string) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
