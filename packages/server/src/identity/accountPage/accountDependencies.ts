import type { Provider } from 'oidc-provider'
import type { EditRunner } from '../../access/audit/edit.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Store } from '../../storage/store.ts'
import type { SigningKeys } from '../keys/signingKeys.ts'

/** What the pages of an account use. */
export interface AccountDependencies {
  readonly provider: () => Promise<Provider>
  readonly store: Store
  readonly edit: EditRunner
  readonly keys: Pick<SigningKeys, 'privateJwks'>
  readonly ids: IdGenerator
  readonly log: Logger
  readonly now: () => number
  /** The public URL of the server, known once it listens. */
  readonly publicUrl: () => string
}
