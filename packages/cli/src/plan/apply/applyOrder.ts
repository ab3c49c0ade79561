import type {
  DocumentConfiguration,
  Operator,
  ProjectDocument,
  Resource,
  Section
} from '../../document/projectDocument.ts'
import { audienceDepths, audiencesOf } from '../difference/audienceReferences.ts'
import type { ResourceChange } from '../difference/createPlan.ts'

/**
 * Returns changes in the order in which they can be applied: audiences after those that they refer to, metrics before
 * the features that use them, settings after the changes that they could forbid, and removals last, in reverse order.
 */
export function inOrder(changes: readonly ResourceChange[], files: ProjectDocument): readonly ResourceChange[] {
  const order: readonly Section[] = [
    'customProperties',
    'audiences',
    'variables',
    'metrics',
    'features',
    'webhooks',
    'settings'
  ]
  const isRemoval = ({ action }: ResourceChange) => action === 'delete' || action === 'archive'
  const placed = (list: readonly ResourceChange[]) =>
    order.flatMap((name) => list.filter(({ section }) => section === name))
  const depths = audienceDepths(files)
  const written = placed(changes.filter((change) => !isRemoval(change)))
  const sorted = [
    ...written.filter(({ section }) => section === 'customProperties'),
    ...written
      .filter(({ section }) => section === 'audiences')
      .sort((one, other) => (depths.get(one.key) ?? 0) - (depths.get(other.key) ?? 0)),
    ...written.filter(({ section }) => section !== 'customProperties' && section !== 'audiences')
  ]
  return [...sorted, ...placed(changes.filter(isRemoval)).toReversed()]
}

/** Returns the resources that have to exist before a change. */
export function referencesOf({ section, key, action }: ResourceChange, files: ProjectDocument): readonly string[] {
  if (action === 'delete' || action === 'archive') return []
  const resource = files[section][key]
  if (section === 'audiences')
    return audiencesOf(resource?.for as Operator | undefined).map((one) => `audiences.${one}`)
  if (section === 'webhooks') return resource?.feature ? [`features.${resource.feature}`] : []
  if (section !== 'features') return []
  const metrics = ((resource?.metrics ?? []) as readonly string[]).map((one) => `metrics.${one}`)
  return [...targetAudiences(resource).map((one) => `audiences.${one}`), ...metrics]
}

function targetAudiences(resource: Resource | undefined): readonly string[] {
  const configurations = Object.values(
    (resource?.environments ?? {}) as Readonly<Record<string, DocumentConfiguration>>
  )
  return configurations.flatMap(({ targets = [] }) => targets.flatMap((target) => audiencesOf(target.for)))
}
