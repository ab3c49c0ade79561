export { ApiError } from './client/apiError.ts'
export { collect } from './client/collect.ts'
export { type ClientOptions, createClient } from './client/createClient.ts'
export type {
  ClientCredentials,
  Credentials,
  HeaderCredentials,
  SdkKeyCredentials,
  TokenCredentials,
  TokenSource,
  TokenSourceCredentials
} from './client/credentials.ts'
export { describeNetworkError, wasSent } from './client/describeNetworkError.ts'
export { listPage, type Page } from './client/listPage.ts'
export { type OperationRow, operationTable } from './client/operationTable.ts'
export { paginate } from './client/paginate.ts'
export { revisionOf } from './client/revisionOf.ts'
export { type Client, createTableClient, type TableClientOptions } from './client/tableClient.ts'
export {
  cachedTokenSource,
  createTokenSource,
  type ExpiringToken,
  type TokenSourceOptions
} from './client/tokenSource.ts'
export { REQUEST_TIMEOUT_MS } from './client/transport.ts'
