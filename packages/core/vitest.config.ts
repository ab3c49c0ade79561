import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'core',
    testTimeout: 20_000,
    setupFiles: ['../../vitest.seed.ts'],
    coverage: {
      include: ['src/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { statements: 99, branches: 97, functions: 99, lines: 99 }
    }
  }
})
