import { existsSync } from 'node:fs'
import { OperatorError } from './core/operator-error.ts'

/**
 * Adds what `.env` of the working directory says to the environment, where there is such a file. What is set already stays.
 *
 * @throws OperatorError when it cannot be read
 */
export function loadEnvFile(): void {
  if (!existsSync('.env')) return
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    throw new OperatorError(`The file .env cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
