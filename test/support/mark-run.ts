import { inject } from 'vitest'

// Processes inherit it from here, browsers too; the worker itself has started without it.
process.env['TEST_RUN'] = inject('testRun')
