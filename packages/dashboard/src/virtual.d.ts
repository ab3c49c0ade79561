declare module 'virtual:operations' {
  import type { OperationRow } from '@burgee/contract/client'
  export const table: readonly OperationRow[]
  /** The reads that return what a write returns, by the id of the write. */
  export const readsOf: Readonly<Record<string, readonly string[] | undefined>>
}
