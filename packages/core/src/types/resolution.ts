import type { OffValue } from './config.ts'
import type { BucketedFeature } from './feature.ts'
import type { Problem } from './problem.ts'
import type { BucketedVariable } from './variable.ts'

/** The result of evaluating one variable for one user. */
export type Resolution =
  /** A variation of this feature has a value for the user. */
  | { readonly status: 'served'; readonly variable: BucketedVariable; readonly feature: BucketedFeature }
  /** No target serves the user. The application uses its default. */
  | { readonly status: 'unserved'; readonly offValue: OffValue | undefined }
  /** No feature that is active in the environment has values for the variable. */
  | { readonly status: 'disabled'; readonly offValue: OffValue | undefined }
  /** The variable does not exist. */
  | { readonly status: 'unknown' }
  /** The feature could not be evaluated. */
  | { readonly status: 'failed'; readonly problem: Problem }
