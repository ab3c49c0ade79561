import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'
import { timeouts } from '../testing/src/vitest/timeouts.ts'

export default defineConfig({
  test: {
    name: 'cli',
    ...timeouts,
    exclude,
    // To load the server takes seconds; files of tests leave nothing behind in their process.
    isolate: false,
    // Transformed modules are kept in node_modules, by their content, for later runs.
    experimental: { fsModuleCache: true },
    // The tests drive the executable against the real server, from its source.
    setupFiles: [
      '../../vitest.seed.ts',
      '../testing/src/vitest/cleanUpAfterFile.ts',
      './test/support/defineManifest.ts'
    ],
    globalSetup: ['../testing/src/vitest/globalSetup.ts']
  }
})
