import type { OffValue } from './config.ts'
import type { BucketedFeature } from './feature.ts'
import type { Problem } from './problem.ts'
import type { BucketedVariable } from './variable.ts'

/** What became of one variable for one user. */
export type Resolution =
  /** The user gets a value from a variation of this feature. */
  | { readonly status: 'served'; readonly variable: BucketedVariable; readonly feature: BucketedFeature }
  /** No target serves this user; the application's own default applies. */
  | { readonly status: 'unserved'; readonly offValue: OffValue | undefined }
  /** No feature that is live in this environment carries the variable. */
  | { readonly status: 'disabled'; readonly offValue: OffValue | undefined }
  /** There is no such variable. */
  | { readonly status: 'unknown' }
  /** The feature could not be decided. */
  | { readonly status: 'failed'; readonly problem: Problem }
