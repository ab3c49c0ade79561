import type { Operation } from '../operation.ts'

/** What a client reads of an operation. Each record is one. */
export interface OperationRow extends Pick<Operation, 'id' | 'method' | 'path' | 'status'> {
  readonly noContent?: 204
  readonly responseKind?: Exclude<Operation['responseKind'], undefined>
  readonly readsBody?: true
  readonly hasRevision?: true
  readonly credential: { readonly type: Operation['credential']['type'] }
}

/**
 * Returns the rows of operations, as JSON that a build can put into a bundle for `createTableClient`.
 *
 * @example
 * import { operations } from '@burgee/contract'
 * const table = JSON.stringify(operationTable(operations))
 */
export function operationTable(operations: Readonly<Record<string, OperationRow>>): readonly OperationRow[] {
  return Object.values(operations).map(
    ({ id, method, path, status, noContent, responseKind, readsBody, hasRevision, credential: { type } }) => ({
      id,
      method,
      path,
      status,
      ...(noContent && { noContent }),
      ...(responseKind && { responseKind }),
      ...(readsBody && { readsBody }),
      ...(hasRevision && { hasRevision }),
      credential: { type }
    })
  )
}
