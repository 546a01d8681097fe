import { build } from './process.ts'

/** Before all tests: compiles once what the tests start as processes. */
export default build
