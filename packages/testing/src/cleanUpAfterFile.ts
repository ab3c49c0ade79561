import { afterAll } from 'vitest'
import { runCleanups } from './cleanup.ts'

// Set up anew for each file of tests, unlike the modules that they share.
afterAll(runCleanups)
