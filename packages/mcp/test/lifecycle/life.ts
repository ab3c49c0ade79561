import { auditing } from './auditing.ts'
import { choosing } from './choosing.ts'
import { counting } from './counting.ts'
import { creating } from './creating.ts'
import { ending } from './ending.ts'
import { listing } from './listing.ts'
import { overriding } from './overriding.ts'
import type { Chapter } from './step.ts'
import { updating } from './updating.ts'
import { varying } from './varying.ts'

/** All steps, in order. */
export const life: readonly Chapter[] = [
  ...choosing,
  ...creating,
  ...listing,
  ...updating,
  ...varying,
  ...counting,
  ...auditing,
  ...overriding,
  ...ending
]
