import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    testTimeout: 20_000,
    setupFiles: ['../../vitest.seed.ts', '../testing/src/cleanUpAfterFile.ts'],
    globalSetup: ['../testing/src/makeSigningKey.ts']
  }
})
