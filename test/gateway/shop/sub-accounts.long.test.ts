import { test } from 'vitest'
import { proveChangesDuringDownloads } from './changes-during-downloads.ts'

test('A sub-account in the middle of a download, with 2 processes', () => proveChangesDuringDownloads(2))
