import type { EnvironmentPreview, SampleUser } from '@burgee/contract/schemas'
import type { Config } from '@burgee/core'
import { createSeededRandom, drawItems } from './seededRandom.ts'
import { synthesizeUsers } from './syntheticUsers.ts'

/** The users of a preview in one environment. */
export interface Selection {
  readonly source: EnvironmentPreview['source']
  readonly users: readonly SampleUser[]
}

/** How many users to select, and which: the same seed selects the same ones. */
export interface SampleOptions {
  readonly size: number
  readonly seed: number
}

/** Selects recent users, or generates users for `configs` if fewer than `MIN_RECENT` are known. */
export async function selectUsers(
  recent: readonly SampleUser[],
  { size, seed, configs }: SampleOptions & { readonly configs: readonly Config[] }
): Promise<Selection> {
  const random = createSeededRandom(seed)
  if (recent.length >= Math.min(size, MIN_RECENT)) return { source: 'recent', users: drawItems(recent, size, random) }
  return { source: 'synthetic', users: await synthesizeUsers(configs, size, random) }
}

/** A share of fewer users would say little. */
const MIN_RECENT = 100
