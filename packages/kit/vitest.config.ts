import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { name: 'kit', setupFiles: ['../../vitest.seed.ts'] } })
