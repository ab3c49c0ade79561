import type { AuditLogEntry } from '@burgee/contract/schemas'

type Changes = AuditLogEntry['changes']

const special: Readonly<Record<string, string>> = {
  enabledEnvironment: 'turned on',
  disabledEnvironment: 'turned off',
  reorderedTargets: 'targets reordered',
  modifiedFeature: 'details changed',
  modifiedFeatureStatus: 'status changed',
  modifiedSettings: 'settings changed',
  appliedInEmergency: 'applied in an emergency'
}

const verbs: Readonly<Record<string, string>> = { modified: 'changed' }

/** What an entry of the audit log changed, as in "target changed, turned on". */
export function entryWords(changes: Changes): string {
  const words = new Set(changes.map(({ type }) => typeWords(type)))
  const [first = 'changed', second, ...more] = words
  if (second === undefined) return first
  return more.length === 0 ? `${first}, ${second}` : `${first}, ${second} and ${more.length} more`
}

function typeWords(type: string): string {
  const [, verb, noun] = /^([a-z]+)([A-Z]\w*)$/.exec(type) ?? []
  if (special[type] !== undefined) return special[type]
  if (verb === undefined || noun === undefined) return type
  return `${noun.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()} ${verbs[verb] ?? verb}`
}
