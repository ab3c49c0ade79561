// The tables of roles and permissions for pages, which load neither operations nor zod. The types are those of index.ts.

export { permissions } from './access/permission.ts'
export { permissionsOfRole, roles } from './access/role.ts'
