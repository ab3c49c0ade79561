export { type Permission, permissions } from './access/permission.ts'
export {
  type PermissionMode,
  permissionModes,
  permissionsOfRole,
  type Role,
  roles,
  rolesByPermission
} from './access/role.ts'
export { apiScopes, FULL_ACCESS_SCOPE, permissionsInScope } from './access/scope.ts'
export { type ErrorType, errorTypes, isErrorType } from './errorType.ts'
export {
  type Input,
  type Operation,
  type OperationRequest,
  type Output,
  type ResponseKind,
  type SdkKeyCredential,
  type SdkKeyType,
  type SdkType,
  sdkKeyTypes,
  sdkTypes,
  type TokenCredential
} from './operation.ts'
export { type Operations, operations } from './operations.ts'
