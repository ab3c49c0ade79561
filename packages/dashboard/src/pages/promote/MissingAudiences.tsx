import type { Audience, Comparison } from '@burgee/contract/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { call, useRead } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { useSingleFlight } from '../../api/useSingleFlight.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Section } from '../../components/Page.tsx'
import { ErrorBanner } from '../../components/States.tsx'
import { missingAudiences, portableFilters } from './missingAudiences.ts'
import styles from './Promote.module.css'

interface Props {
  readonly project: string
  /** The other project. */
  readonly into: { readonly key: string; readonly name: string }
  /** The chosen features. */
  readonly features: Comparison['features']
}

/** The audiences that the other project lacks, and a way to create them there. Renders nothing if it has all of them. */
export function MissingAudiences({ project, into, features }: Props) {
  const source = useRead('listAudiences', { params: { project }, query: { perPage: 1000 } }).data
  const existing = useRead('listAudiences', { params: { project: into.key }, query: { perPage: 1000 } }).data
  if (!source || !existing) return null
  const missing = missingAudiences(features, source, new Set(existing.map(({ key }) => key)))
  if (missing.length === 0) return null
  return <MissingList project={project} into={into} source={source} missing={missing} />
}

interface ListProps extends Omit<Props, 'features'> {
  readonly source: readonly Audience[]
  readonly missing: readonly Audience[]
}

function MissingList({ project, into, source, missing }: ListProps) {
  const { org = '' } = useParams({ strict: false })
  const client = useQueryClient()
  const cannotCreate = useMissingPermission('audience:write', into.key)
  const create = useSingleFlight({
    mutationFn: async () => {
      for (const audience of missing) {
        const { key, name, description, tags } = audience
        const about = { ...(description ? { description } : {}), ...(tags ? { tags } : {}) }
        const body = { key, name, ...about, filters: portableFilters(audience, source) }
        await call('createAudience', { params: { project: into.key }, body })
      }
    },
    onSettled: () => void refetchAfterWrite(client)
  })
  const count = missing.length === 1 ? '1 audience' : `${missing.length} audiences`
  return (
    <Section title={`${into.name} lacks ${count}`}>
      <p className={styles.soft}>
        The chosen features refer to {missing.length === 1 ? 'it' : 'them'}. They are refused until {into.name} has
        audiences with the same keys.
      </p>
      <ul className={styles.audiences}>
        {missing.map(({ _id, key, name }) => (
          <li key={_id}>
            <Link to="/o/$org/p/$project/audiences/$audience" params={{ org, project, audience: key }}>
              {name}
            </Link>{' '}
            <code className={styles.key}>{key}</code>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button onClick={() => create.mutate()} isBusy={create.isPending} reason={cannotCreate}>
          Create {missing.length === 1 ? 'it' : 'them'} in {into.name}
        </Button>
      </div>
      {create.error && <ErrorBanner error={create.error} title="The audiences could not be created" />}
    </Section>
  )
}
