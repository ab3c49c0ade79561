import { defineConfig } from 'vitest/config'
import { timeouts } from '../testing/src/vitest/timeouts.ts'

export default defineConfig({
  test: {
    name: 'dashboard',
    ...timeouts,
    // Files of tests leave nothing behind in their process.
    isolate: false,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts']
  }
})
