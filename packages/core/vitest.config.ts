import { defineConfig } from 'vitest/config'
import { timeouts } from '../testing/src/vitest/timeouts.ts'

export default defineConfig({
  test: {
    name: 'core',
    ...timeouts,
    // Files of tests leave nothing behind in their process.
    isolate: false,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/vitest/cleanUpAfterFile.ts'],
    coverage: {
      include: ['src/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { statements: 99, branches: 97, functions: 99, lines: 99 }
    }
  }
})
