import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'dashboard', setupFiles: ['../../vitest.seed.ts'] } })
