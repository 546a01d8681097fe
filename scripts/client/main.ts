/** `npm run client`: writes anew what `clients` has of the API document. */
import { projectUrl } from '../../src/project-url.ts'
import { writeClients } from './write.ts'

await writeClients(projectUrl('clients').pathname)
