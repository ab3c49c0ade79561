import { afterAll, vi } from 'vitest'
import { runCleanups } from './cleanup.ts'

// A setup file: unlike the modules of tests, which files share, it runs anew for each file.
afterAll(async () => {
  await runCleanups()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
