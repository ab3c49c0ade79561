import { defineConfig } from 'vitest/config'
import { exclude } from '../testing/src/vitest/exclude.ts'

export default defineConfig({
  test: { name: 'openfeature-provider', testTimeout: 20_000, exclude, setupFiles: ['../../vitest.seed.ts'] }
})
