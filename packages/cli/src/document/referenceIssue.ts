import type { Section } from './projectDocument.ts'

/** A reference to something that is neither in the files nor on the server. */
export interface ReferenceIssue {
  readonly section: Section
  readonly key: string
  readonly path: readonly string[]
  readonly message: string
}

/** What a reference can refer to. */
export type ReferenceKind = 'audience' | 'environment' | 'feature' | 'metric' | 'variable' | 'variation'
