import { onTestFinished, TestRunner } from 'vitest'

const cleanups: (() => unknown)[] = []

/** Registers a cleanup to run after the tests of this file, in reverse order of registration. */
export function addCleanup(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/**
 * Registers a cleanup to run after the present test, or after the tests of this file if called outside of a test: for
 * what costs time as long as it exists.
 */
export function addCleanupOfTest(cleanup: () => unknown): void {
  if (TestRunner.getCurrentTest()) onTestFinished(async () => void (await cleanup()))
  else addCleanup(cleanup)
}

/** Runs the registered cleanups. */
export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
