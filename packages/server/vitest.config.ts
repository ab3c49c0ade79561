import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'

export default defineConfig({
  test: {
    name: 'server',
    testTimeout: 20_000,
    exclude,
    // To load the server takes seconds. Files of tests leave nothing behind in their process: cleanUpAfterFile.ts.
    isolate: false,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts'],
    globalSetup: ['../testing/src/vitest/globalSetup.ts', '../testing/src/vitest/postgresSetup.ts']
  }
})
