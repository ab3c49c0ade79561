import { expect } from 'vitest'
import type { Seen } from './step.ts'

/** Returns the expected configuration of an environment, as in results. */
export function configurationIn(environment: string, expected: object): (seen: Seen) => object {
  return ({ environments }) => ({
    configurations: expect.arrayContaining([
      expect.objectContaining({ _environment: environments[environment], ...expected })
    ])
  })
}
