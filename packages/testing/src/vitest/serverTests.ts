import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exclude } from './exclude.ts'
import { timeouts } from './timeouts.ts'

/**
 * Configures the tests of a package that load the server from its source. A package can have a `test/setup.ts`, which
 * runs before each file, and a `test/globalSetup.ts`, which runs once.
 *
 * Transformed modules are kept in node_modules, by their content and the root of the project. These projects have the
 * same root, so that the server is transformed once for all of them, and for later runs.
 */
export function serverTests(root: string, name: string) {
  const directory = join(root, 'packages', name)
  const own = (path: string) => [join(directory, path)].filter((file) => existsSync(file))
  return {
    root,
    test: {
      name,
      dir: directory,
      ...timeouts,
      exclude,
      // To load the server takes seconds. Files of tests leave nothing behind in their process: cleanUpAfterFile.ts.
      isolate: false,
      experimental: { fsModuleCache: true },
      setupFiles: [
        join(root, 'vitest.seed.ts'),
        join(root, 'packages/testing/src/vitest/cleanUpAfterFile.ts'),
        ...own('test/setup.ts')
      ],
      globalSetup: [join(root, 'packages/testing/src/vitest/globalSetup.ts'), ...own('test/globalSetup.ts')]
    }
  }
}
