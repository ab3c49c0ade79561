import { afterAll, vi } from 'vitest'
import { runCleanups } from '../cleanup.ts'

// A setup file runs again for each test file, unlike modules, which test files share.
afterAll(async () => {
  await runCleanups()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
