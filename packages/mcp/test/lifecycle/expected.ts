import { expect } from 'vitest'
import type { Seen } from './step.ts'

/** How the feature behaves in one environment, as the answer has it. */
export function configurationIn(environment: string, expected: object): (seen: Seen) => object {
  return ({ environments }) => ({
    configurations: expect.arrayContaining([
      expect.objectContaining({ _environment: environments[environment], ...expected })
    ])
  })
}
