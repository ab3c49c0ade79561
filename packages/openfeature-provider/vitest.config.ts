import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'openfeature-provider', testTimeout: 20_000, setupFiles: ['../../vitest.seed.ts'] }
})
