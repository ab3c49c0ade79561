import { type Operations, operations } from '@burgee/contract'

/** Formats an operation for a message: `PATCH /v2/projects/shop/features/new-checkout`. */
export function formatRequestLine(id: keyof Operations, params: Readonly<Record<string, string>>): string {
  const { method, path } = operations[id]
  return `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name)}`
}
