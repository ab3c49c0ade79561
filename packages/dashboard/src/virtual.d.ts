declare module 'virtual:operations' {
  import type { OperationRow } from '@burgee/contract/client'
  export const table: readonly OperationRow[]
}
