import { type Operations, operations } from '@burgee/contract'
import type { ChangeRequestContext } from './transitions.ts'

/** Formats an operation for a message: `PATCH /v2/projects/shop/features/new-checkout`. */
export function formatRequestLine(id: keyof Operations, params: Readonly<Record<string, string>>): string {
  const { method, path } = operations[id]
  return `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name)}`
}

/** Formats an operation on a change request for a message. */
export function formatChangeRequestLine(
  action: 'update' | 'rebase',
  { project, feature, request }: ChangeRequestContext
): string {
  const params = { project: project.key, id: request._id }
  return feature
    ? formatRequestLine(`${action}ChangeRequest`, { ...params, feature: feature.key })
    : formatRequestLine(`${action}ProjectChangeRequest`, params)
}
