import { type Change, diff } from '../../draft/diff.ts'
import { isObject, type Path } from '../../draft/structure.ts'
import type { DiffRow } from './model.ts'

/** Members that pages do not show: ids of the resource and of what it belongs to, and who created it. */
const hiddenMembers: ReadonlySet<string | number> = new Set([
  '_id',
  '_project',
  '_organization',
  '_feature',
  '_environment',
  '_createdBy',
  '_updatedBy',
  'readonly',
  'source'
])

/** Labels of members whose names in the API are not readable as they are. */
const labels: Readonly<Record<string, string>> = {
  optInEnabled: 'Opt-in',
  optIn: 'Opt-in',
  sdkVisibility: 'Visible to SDKs',
  staticVariation: 'Served to everyone',
  controlVariation: 'Control variation',
  featureApprovalWorkflow: 'Approvals',
  sdkTypeVisibility: 'Visibility to SDKs',
  edgeDB: 'Stored user data',
  validationSchema: 'Schema',
  maintainers: 'Owners',
  applyAt: 'Apply at',
  allowPublisherBypass: 'People with the permission to publish can bypass them',
  allowEmergency: 'Allow emergency changes',
  defaultReviewers: 'Suggested reviewers'
}

/** The longest value that is shown in one line. */
const MAX_LENGTH = 120

/** Describes the members in which two versions of any resource differ. An absent version has no members. */
export function describeMembers(before: object | null, after: object | null, format = formatValue): readonly DiffRow[] {
  return diff(before ?? {}, after ?? {})
    .filter(({ path }) => !path.some((segment) => hiddenMembers.has(segment)))
    .filter((change) => change.kind !== 'added' || !isEmpty(change.after))
    .map((change) => toRow(change, format))
}

/** A row for a value before and after: in one line, or line by line for JSON and long texts. */
export function valueRow(label: string, before: unknown, after: unknown, format = formatValue): DiffRow {
  const [was, is] = [before, after].map((value) => (value === undefined ? undefined : format(value)))
  if ([was, is].some((text) => text !== undefined && (text.length > MAX_LENGTH || text.includes('\n')))) {
    return { kind: 'lines', label, before: was ?? '', after: is ?? '' }
  }
  return {
    kind: 'value',
    label,
    ...(was === undefined ? {} : { before: was }),
    ...(is === undefined ? {} : { after: is })
  }
}

/** Formats a value for reading. */
export function formatValue(value: unknown): string {
  if (value === '') return 'empty'
  if (value === null) return 'none'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) {
    return value.length === 0 ? 'none' : value.join(', ')
  }
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value)
}

/** The words for a member of a resource, from its path. */
export function memberLabel(path: Path): string {
  return path
    .filter((segment) => segment !== 'settings' || path.length === 1)
    .map((segment) => (typeof segment === 'number' ? String(segment + 1) : (labels[segment] ?? toWords(segment))))
    .join(' › ')
}

function toWords(name: string): string {
  const words = name
    .replace(/^_/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function toRow(change: Change, format: typeof formatValue): DiffRow {
  const label = memberLabel(change.path)
  switch (change.kind) {
    case 'added':
      return valueRow(label, undefined, change.after, format)
    case 'removed':
      return valueRow(label, change.before, undefined, format)
    case 'changed':
      return valueRow(label, change.before, change.after, format)
    case 'moved':
      return { kind: 'value', label, before: String(change.from + 1), after: String(change.to + 1) }
    case 'values':
      return { kind: 'values', label, added: change.added.map(format), removed: change.removed.map(format) }
  }
}

/** Whether a value of a new resource is empty, at any depth. */
function isEmpty(value: unknown): boolean {
  if (value === '' || value === null) return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isEmpty)
}
