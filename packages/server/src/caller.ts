import type { Origin, Permission } from '@burgee/contract'
import type { Current } from './configs/configs.ts'

/** Who calls an operation that takes an SDK key: the environment and type of the key, and what it evaluates with. */
export type SdkCaller = Current

/** Who calls an operation that takes a token. */
export interface TokenCaller {
  /** As audit entries and `_createdBy` name them. */
  readonly id: string
  readonly name: string
  readonly email?: string
  /** The key of their organization. */
  readonly organization: string
  readonly permissions: ReadonlySet<Permission>
  /** The kind of tool they use, as far as it says so. */
  readonly source: Origin
}
