import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'kit',
    testTimeout: 60_000,
    // Files of tests leave nothing behind in their process.
    isolate: false,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts']
  }
})
