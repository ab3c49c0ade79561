import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { preconditionFailed } from '../../../lib/errors.ts'
import { matchesEtag } from '../../../lib/etag.ts'
import type { ScimObject } from './attribute.ts'

/** Returns a resource with its version, which changes with every attribute (RFC 7644 §3.14). */
export function withVersion(resource: ScimObject): ScimObject {
  return { ...resource, meta: { ...Object(resource.meta), version: versionOf(resource) } }
}

/** Returns the check of `If-Match`, which a write runs in its transaction. */
export function assertVersion(ctx: Context): (current: ScimObject) => void {
  const expected = ctx.get('if-match')
  return (current) => {
    if (expected === '' || matchesEtag(expected, versionOf(current))) return
    throw preconditionFailed(`the resource has changed: its current version is ${versionOf(current)}`)
  }
}

/** Whether the client has the version of the response (`If-None-Match`). */
export function isNotModified(ctx: Context): boolean {
  const known = ctx.get('if-none-match')
  return known !== '' && matchesEtag(known, String(ctx.response.get('etag')))
}

function versionOf(resource: ScimObject): string {
  return `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`
}
