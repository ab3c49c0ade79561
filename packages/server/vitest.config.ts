import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'
import { timeouts } from '../testing/src/vitest/timeouts.ts'

export default defineConfig({
  test: {
    name: 'server',
    ...timeouts,
    exclude,
    // To load the server takes seconds. Files of tests leave nothing behind in their process: cleanUpAfterFile.ts.
    isolate: false,
    // Transformed modules are kept in node_modules, by their content, for later runs.
    experimental: { fsModuleCache: true },
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts'],
    globalSetup: ['../testing/src/vitest/globalSetup.ts', '../testing/src/vitest/postgresSetup.ts']
  }
})
