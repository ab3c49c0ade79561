import { defineConfig } from 'vitest/config'

/** Tests that kill and stop what a server needs, for minutes or hours: `npm run chaos`. */
export default defineConfig({
  test: {
    name: 'chaos',
    include: ['test/chaos/*.chaos.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    isolate: false,
    setupFiles: ['../testing/src/vitest/cleanUpAfterFile.ts']
  }
})
