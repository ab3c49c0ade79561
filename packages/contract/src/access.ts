// The tables of roles and permissions, and the rule of settings that need approval, for pages: without operations and
// zod. The types are those of index.ts.

export { permissions } from './access/permission.ts'
export { permissionsOfRole, roles } from './access/role.ts'
export { listLoosenedSettings } from './rules/loosenedSettings.ts'
