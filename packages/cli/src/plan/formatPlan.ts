import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatPath, isEqual } from '../document/members.ts'
import { formatPercentage } from '../document/percentage.ts'
import type { DocumentTarget, Section } from '../document/projectDocument.ts'
import { formatMember, formatTarget } from '../document/write/formatFile.ts'
import type { AppliedItem } from './apply/applyPlan.ts'
import type { KeptItem, MemberChange, Plan, ResourceChange } from './difference/createPlan.ts'
import type { PreviewedItem } from './previewPlan.ts'
import { maskMember } from './project/webhooks.ts'

/** Formats a plan for people. */
export function formatPlan(
  plan: Plan,
  title: string,
  previews: readonly PreviewedItem[] = [],
  takeOver = false
): string {
  const { changes, kept, conflicts } = plan
  const byResource = new Map(previews.map((item) => [item.resource, item]))
  if (changes.length + kept.length + conflicts.length === 0)
    return `${title}\nNo changes: the project is as the files describe it.`
  const lines = [
    ...changes.flatMap((change) => [
      ...formatChange(change),
      ...formatPreview(byResource.get(formatPath([change.section, change.key])))
    ]),
    ...kept.map(formatKept),
    ...conflicts.map(
      ({ section, key, path, label }) =>
        `! ${formatPath([section, key, path])}  described by the files of "${label}" (${takeOver ? 'apply takes it over' : 'take over with --take-over'})`
    )
  ]
  return [title, ...lines.map((line) => `  ${line}`), summarize(plan)].join('\n')
}

function formatPreview(found: PreviewedItem | undefined): readonly string[] {
  if (!found) return []
  const { outcome, place = '', reason = '', environments } = found
  if (outcome !== 'accepted') {
    return [
      `    ${place === '' ? '' : `${place}: `}${outcome === 'refused' ? 'the server would refuse it' : 'not previewed'}: ${escapeLine(reason)}`
    ]
  }
  return environments.map(({ environment, moved, sampleSize, source }) => {
    const share = formatPercentage(Number((moved / sampleSize).toFixed(3)))
    return `    in ${environment}, ${share} of ${sampleSize} ${source} users would get another variation`
  })
}

const signs = { create: '+', update: '~', archive: '-', delete: '-' } as const

function formatChange({ section, key, action, members, onIn = [] }: ResourceChange): readonly string[] {
  const name = formatPath([section, key])
  if (action === 'archive' || action === 'delete')
    return [
      `${signs[action]} ${name}  ${action}: no longer in the files`,
      ...(onIn.length > 0
        ? [`    on in ${onIn.join(', ')}: burgee apply refuses this without --force, or turn it off first`]
        : [])
    ]
  if (action === 'create') return [`${signs.create} ${name}`]
  return [`${signs.update} ${name}`, ...members.flatMap((member) => formatMemberChange(section, member))]
}

function formatMemberChange(section: Section, { path, before, after, isDrift }: MemberChange): readonly string[] {
  const drift = isDrift ? '  (changed by hand since it was applied)' : ''
  const name = formatPath(path)
  if (path.at(-1) === 'targets' && Array.isArray(after)) {
    return [`    ${name}${drift}`, ...formatTargets((before ?? []) as readonly DocumentTarget[], after)]
  }
  const [old, current] = [before, after].map((value) => formatValue(section, path, value))
  const masked = old === current ? '  (another address with the same origin)' : ''
  return [`    ${name}: ${old} → ${current}${masked}${drift}`]
}

/** Shows the targets that differ, each on a line. */
function formatTargets(before: readonly DocumentTarget[], after: readonly DocumentTarget[]): readonly string[] {
  const show = (target: DocumentTarget) => escapeLine(JSON.stringify(formatTarget(target)))
  const isIn = (target: DocumentTarget, list: readonly DocumentTarget[]) => list.some((other) => isEqual(target, other))
  const lines = [
    ...before.filter((target) => !isIn(target, after)).map((target) => `      - ${show(target)}`),
    ...after.filter((target) => !isIn(target, before)).map((target) => `      + ${show(target)}`)
  ]
  return lines.length > 0 ? lines : ['      in another order']
}

function formatValue(section: Section, path: readonly string[], value: unknown): string {
  if (value === undefined) return 'none'
  const written = formatMember(section, path, maskMember(section, path, value))
  return typeof written === 'string' && written !== '' && !written.includes('\n')
    ? escapeLine(written)
    : escapeLine(isRecord(written) && Object.keys(written).length === 0 ? '{}' : JSON.stringify(written))
}

function formatKept({ section, key, path, reason }: KeptItem): string {
  const name = formatPath([section, key, ...path])
  const reasons = {
    onRemoved: 'no longer in the files (kept: manage.onRemoved is not delete)',
    allowDelete: 'no longer in the files (kept: delete it with --allow-delete)',
    settings: 'no longer in the files (kept: a project always has settings)',
    drift: 'changed by hand since it was applied (kept: --drift keep)'
  }
  return `= ${name}  ${reasons[reason]}`
}

function summarize({ changes, kept, conflicts }: Plan): string {
  const count = (action: ResourceChange['action']) => changes.filter((change) => change.action === action).length
  const drift = changes.flatMap(({ members }) => members).filter(({ isDrift }) => isDrift).length
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to change'],
    [count('archive'), 'to archive'],
    [count('delete'), 'to delete'],
    [drift, 'changed by hand, to put back'],
    [kept.length, 'kept'],
    [conflicts.length, 'described by other files']
  ] as const
  const shown = parts.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`)
  return `${shown.join(', ')}.`
}

/** Formats a plan as Markdown, for a comment on a pull request. */
export function formatMarkdown(
  plan: Plan,
  title: string,
  previews: readonly PreviewedItem[] = [],
  takeOver = false
): string {
  const [heading = '', ...lines] = formatPlan(plan, title, previews, takeOver).split('\n')
  const diff = lines.map((line) =>
    line
      .replace(/^ {2}([+-])/, '$1')
      .replace(/^ {2}~/, '!')
      .replace(/^ {2}/, ' ')
  )
  return [
    `### ${heading.replace(/[<>]/g, '')}`,
    '',
    '```diff',
    ...diff.map((line) => line.replaceAll('```', "'''")),
    '```'
  ].join('\n')
}

/** Formats the outcome of each change of a plan, and how many changes have each outcome. */
export function formatApplied(items: readonly AppliedItem[]): string {
  const lines = items.map(({ resource, action, outcome, changeRequests = [], reason = '' }) => {
    const details = [...changeRequests, reason].filter(Boolean).join(' ')
    return `  ${signs[action]} ${resource}  ${outcomeWords[outcome]}${details ? `: ${escapeLine(details)}` : ''}`
  })
  const counts = Object.entries(outcomeWords).flatMap(([outcome, words]) => {
    const count = items.filter((item) => item.outcome === outcome).length
    return count > 0 ? [`${count} ${words}`] : []
  })
  return [...lines, `${counts.join(', ')}.`].join('\n')
}

const outcomeWords: Readonly<Record<AppliedItem['outcome'], string>> = {
  applied: 'done',
  requested: 'change request',
  failed: 'failed',
  skipped: 'skipped',
  notStarted: 'not started'
}
