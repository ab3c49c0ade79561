// The tables of roles and permissions, what each permission allows, the rules about SDK keys, and the rule of settings that need approval, for pages: without operations and
// zod. The types are those of index.ts.

export { permissions } from './access/permission.ts'
export { permissionWords } from './access/permissionWords.ts'
export { permissionsOfRole, roles } from './access/role.ts'
export { isPublicKeyType, parseSdkKeyType, usableKeys } from './access/sdkKeys.ts'
export { listLoosenedSettings } from './rules/loosenedSettings.ts'
