const cleanups: (() => unknown)[] = []

/** Registers a cleanup to run after the tests of this file, in reverse order of registration. */
export function addCleanup(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

/** Runs the registered cleanups. */
export async function runCleanups(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
}
