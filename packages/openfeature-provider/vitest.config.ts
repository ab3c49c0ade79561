import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'
import { timeouts } from '../testing/src/vitest/timeouts.ts'

export default defineConfig({
  test: {
    name: 'openfeature-provider',
    ...timeouts,
    exclude,
    // To load the published SDKs takes seconds; files of tests leave nothing behind in their process.
    isolate: false,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts']
  }
})
