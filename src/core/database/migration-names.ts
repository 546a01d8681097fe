import { readdir } from 'node:fs/promises'
import { projectUrl } from '../../project-url.ts'

export const migrationsDirectory = projectUrl('prisma/migrations/')

/** Names of the migrations in prisma/migrations, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const entries = await readdir(migrationsDirectory, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
}
