import { listEnvironments } from '../../flags/features/readFeatureContext.ts'
import type {
  StoredAuditEntry,
  StoredEnvironment,
  StoredObservabilityEnvironment,
  StoredProject
} from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'
import { isChangeEvent } from '../outbox/buildMessage.ts'

/** What of an entry is told to an observability system. */
export interface ReportedChanges {
  /** The places of the changes in the entry, from 0. */
  readonly changes: readonly number[]
  /** The environments of the project that these changes reach, and that report to the system. */
  readonly environments: readonly StoredEnvironment[]
}

/** What of an entry is told to an observability system by a project: changes of a feature in an environment that the project maps to it. */
export async function findReportedChanges(
  store: Store,
  project: StoredProject,
  { observabilityEnvironmentId }: Pick<StoredObservabilityEnvironment, 'observabilityEnvironmentId'>,
  entry: Pick<StoredAuditEntry, 'changes'>
): Promise<ReportedChanges> {
  const { enabled, environmentMap } = project.settings.observability
  if (!enabled || !Object.values(environmentMap).includes(observabilityEnvironmentId)) return NONE
  const all = await listEnvironments(store, project)
  const mapped = all.filter(({ _id, key }) => {
    return (
      own(environmentMap, _id) === observabilityEnvironmentId || own(environmentMap, key) === observabilityEnvironmentId
    )
  })
  const reach = entry.changes.map(({ type, _environments }) => {
    // A change that names no environment reaches all of them.
    return isChangeEvent(type) ? mapped.filter(({ _id }) => _environments?.includes(_id) ?? true) : []
  })
  const changes = reach.flatMap((environments, place) => (environments.length > 0 ? [place] : []))
  return { changes, environments: mapped.filter((one) => reach.some((environments) => environments.includes(one))) }
}

const NONE: ReportedChanges = { changes: [], environments: [] }

function own(map: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
