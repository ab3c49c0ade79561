import type { AuditLogChange } from '@burgee/contract/schemas'
import type { StoredEnvironment } from '../../storage/resources/project.ts'
import type { WebhookPayload } from './webhookPayload.ts'

/** Formats a payload as one line for a chat: author, change, feature and environments. */
export function formatChatText(
  { changes, key, projectId, user, test }: WebhookPayload,
  environments: readonly Pick<StoredEnvironment, '_id' | 'name'>[]
): string {
  const warnings = changes.flatMap(({ type, metadata }) => formatWarning(type, { key, projectId, ...metadata }) ?? [])
  if (warnings.length > 0) return markTest(warnings.join('; '), test)
  const types = new Set(changes.map(({ type }) => type))
  const names = new Map(environments.map(({ _id, name }) => [_id, name]))
  const details = [...types].flatMap((type) => {
    const words = changeDescriptions[type]
    if (words === undefined) return []
    const affected = new Set(changes.flatMap((change) => (change.type === type ? (change._environments ?? []) : [])))
    const where = formatList([...affected].map((id) => sanitizeName(names.get(id) ?? 'a deleted environment')))
    return where === '' ? [words] : [`${words} in ${where}`]
  })
  const project = `project ${sanitizeName(projectId)}`
  const subject = isOfProject(changes) ? project : `feature ${sanitizeName(key)} of ${project}`
  const who = `${sanitizeName(user.name)} ${verbOf(types)} ${subject}`
  const line = details.length === 0 ? who : `${who}: ${details.join(', ')}`
  return markTest(line, test)
}

function verbOf(types: ReadonlySet<AuditLogChange['type']>): string {
  if (types.has('createdFeature')) return 'created'
  if (types.has('deletedFeature')) return 'deleted'
  return types.has('killedFeature') ? 'killed' : 'changed'
}

function markTest(line: string, test: true | undefined): string {
  return test ? `This is a test; nothing has changed. ${line}` : line
}

/** Formats a warning that a credential expires soon; `undefined` for other types. */
function formatWarning(type: AuditLogChange['type'], details: Readonly<Record<string, unknown>>): string | undefined {
  const { key, projectId, type: keyType = '', clientId, trust, name, environment, expiresAt = 'soon' } = details
  const at = sanitizeName(String(expiresAt))
  if (type === 'expiringApiClient') return `API client ${sanitizeName(String(clientId ?? key))} expires: ${at}`
  if (type === 'expiringScimToken') return `SCIM token ${sanitizeName(String(name ?? key))} expires: ${at}`
  if (type === 'expiringWorkloadTrust') return `Trust ${sanitizeName(String(trust ?? key))} expires: ${at}`
  if (type !== 'expiringSdkKey') return undefined
  const [masked, place, project] = [key, environment ?? '', projectId].map((text) => sanitizeName(String(text)))
  return `SDK key ${masked} (${sanitizeName(String(keyType))}) of ${place} in project ${project} expires: ${at}`
}

/** Whether the changes are those of a project, without a feature. */
function isOfProject(changes: WebhookPayload['changes']): boolean {
  return changes.some(({ type, metadata }) => type === 'appliedInEmergency' && metadata?.feature === undefined)
}

/** The descriptions of change types; types without one are implied by the verb. */
const changeDescriptions: { readonly [Type in AuditLogChange['type']]?: string } = {
  modifiedFeature: 'details changed',
  modifiedFeatureStatus: 'status changed',
  modifiedSettings: 'settings changed',
  addedVariable: 'variables added',
  modifiedVariable: 'variables changed',
  removedVariable: 'variables removed',
  addedVariation: 'variations added',
  modifiedVariation: 'variations changed',
  removedVariation: 'variations removed',
  addedTarget: 'targets added',
  modifiedTarget: 'targets changed',
  removedTarget: 'targets removed',
  reorderedTargets: 'targets reordered',
  enabledEnvironment: 'turned on',
  disabledEnvironment: 'turned off',
  appliedInEmergency: 'applied in an emergency, without approval'
}

function formatList(names: readonly string[]): string {
  const more = names.length - MAX_LISTED
  return [...names.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

const MAX_LISTED = 3

/**
 * Sanitizes a name for a chat: one line, limited length, no mentions and no links with other text. `&`, `<` and `>` are
 * escaped, because chats read links and mentions in angle brackets; a zero-width space after `@` prevents mentions by
 * name, and one after `]` prevents links in Markdown, `[text](address)`.
 */
function sanitizeName(name: string): string {
  const oneLine = name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const characters = [...oneLine]
  const short = characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : oneLine
  return short.replace(/[&<>@\]]/g, (character) => escapes[character] ?? character)
}

const MAX_NAME_LENGTH = 80

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '@': '@\u200b',
  ']': ']\u200b'
}
