import type { Environment, Feature } from '@burgee/contract/schemas'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/query.ts'
import { describeActor, usePeopleNames } from '../../../components/Actor.tsx'
import { Banner } from '../../../components/States.tsx'
import { Time } from '../../../components/Time.tsx'
import { useFeatureParams } from '../useFeature.ts'

interface Props {
  readonly feature: Feature
  readonly environments: readonly Environment[]
}

/** Who killed a feature, when and why, for each kill that an environment is still off by. */
export function KillNotices({ feature, environments }: Props) {
  if (feature.status === 'archived') return null
  const killed = feature.configurations.filter(isKilled)
  const times = [...new Set(killed.map(({ killedAt }) => killedAt))].sort().reverse()
  return times.map((time) => {
    const ids = killed.filter(({ killedAt }) => killedAt === time).map(({ _environment }) => _environment)
    const names = environments.filter(({ _id }) => ids.includes(_id)).map(({ name }) => name)
    return <KillNotice key={time} killedAt={time} names={names} />
  })
}

type Configuration = Feature['configurations'][number]

function isKilled(configuration: Configuration): configuration is Configuration & { readonly killedAt: string } {
  return configuration.status !== 'active' && configuration.killedAt !== undefined
}

interface NoticeProps {
  readonly killedAt: string
  /** The names of the environments that are off by the kill. */
  readonly names: readonly string[]
}

const list = new Intl.ListFormat('en')

function KillNotice({ killedAt, names }: NoticeProps) {
  const params = useFeatureParams()
  const { project, feature } = params
  const people = usePeopleNames()
  // The entry of a kill has the time of the kill.
  const query = { startDate: killedAt, endDate: killedAt }
  const { data: entries } = useRead('getFeatureAudit', { params: { project, feature }, query })
  const entry = entries?.find(({ changes }) => changes.some(isKill))
  const reason = entry?.changes.find(isKill)?.newContents?.reason
  return (
    <Banner tone="danger">
      <span>
        Killed{' '}
        {entry && (
          <>
            by <bdi>{describeActor(entry, people)}</bdi>{' '}
          </>
        )}
        <Time value={killedAt} />, and off in <bdi>{list.format(names)}</bdi> since.
        {typeof reason === 'string' && (
          <>
            {' '}
            Reason: <bdi>{reason}</bdi>
          </>
        )}
      </span>
      {entry && (
        <Link to="/o/$org/p/$project/features/$feature/audit-log" params={params} search={{ entry: entry._id }}>
          Show in the history
        </Link>
      )}
    </Banner>
  )
}

function isKill({ type }: { readonly type: string }): boolean {
  return type === 'killedFeature'
}
