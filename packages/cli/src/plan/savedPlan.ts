import { writeFile } from 'node:fs/promises'
import { isRecord, parseJson } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'
import { digestOf } from '../document/members.ts'
import type { DescribedProject } from '../document/read/readFiles.ts'
import type { DriftMode } from './difference/createPlan.ts'
import type { OpenPlan } from './openPlan.ts'

/** How a saved plan was made. */
export interface SavedOptions {
  readonly manage: DescribedProject['manage']
  readonly paths: readonly string[]
  readonly allowDelete: boolean
  readonly drift: DriftMode
  readonly takeOver: boolean
  /** The paths that the plan is limited to; none for everything. */
  readonly only: readonly string[]
}

/** A plan in a file. */
export interface SavedPlan extends SavedOptions {
  readonly project: string
  readonly document: DescribedProject['document']
  /** The digest of the plan: applying it requires that the project has not changed since. */
  readonly digest: string
}

/** Returns the digest of a plan. */
export function planDigest({ project, label, plan }: Pick<OpenPlan, 'project' | 'label' | 'plan'>): string {
  return digestOf([project, label, plan])
}

/** Saves a plan. */
export async function writeSavedPlan(path: string, opened: OpenPlan, options: SavedOptions): Promise<void> {
  const saved: SavedPlan = { ...options, project: opened.project, document: opened.files, digest: planDigest(opened) }
  await writeFile(path, `${JSON.stringify({ [FORMAT]: 1, ...saved }, null, 2)}\n`, { mode: 0o600 })
}

const FORMAT = 'burgeePlan'

/** Returns the plan of a text; `undefined` if it is another file. @throws {UsageError} for another version. */
export function parseSavedPlan(path: string, text: string): SavedPlan | undefined {
  const content = parseJson(text)
  if (!isRecord(content) || !(FORMAT in content)) return undefined
  if (content[FORMAT] !== 1) throw new UsageError(`${path} was made by another version of burgee: make the plan again`)
  // The file was written by this program.
  return content as unknown as SavedPlan
}
