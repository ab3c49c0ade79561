import { operations } from '@burgee/contract'
import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'
import { describeOperations } from './src/manifest/describeOperations.ts'

export default defineConfig({
  define: { MANIFEST: JSON.stringify(JSON.stringify(describeOperations(operations))) },
  test: {
    name: 'cli',
    testTimeout: 20_000,
    exclude,
    // To load the server takes seconds; files of tests leave nothing behind in their process.
    isolate: false,
    // The tests drive the executable against the real server, from its source.
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts'],
    globalSetup: ['../testing/src/vitest/globalSetup.ts']
  }
})
