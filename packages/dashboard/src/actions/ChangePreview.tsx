import type { Environment, Feature, FeaturePreview, PreviewRequest } from '@burgee/contract/schemas'
import { useRead } from '../api/query.ts'
import { variationNames } from '../components/feature/useWordContext.ts'
import { Loaded, Skeleton } from '../components/States.tsx'
import styles from './Actions.module.css'
import { affectedShare } from './affectedShare.ts'

type EnvironmentPreview = FeaturePreview['environments'][string]

interface Props {
  readonly project: string
  readonly feature: Feature
  /** The update that is about to be saved, or the change request that is about to be reviewed. */
  readonly change: Pick<PreviewRequest, 'update' | 'changeRequest'>
  readonly environments: readonly Environment[]
  /** Whether the change is being saved; the preview stays as it is meanwhile. */
  readonly isSaving?: boolean
}

function useChangePreview({ project, feature, change, environments, isSaving = false }: Props) {
  return useRead(
    'previewFeature',
    {
      params: { project, feature: feature.key },
      body: { ...change, environments: environments.map(({ key }) => key) }
    },
    { enabled: !isSaving }
  )
}

/** Who of a sample of users would get another variation by a change, for each environment. */
export function ChangePreview(props: Props) {
  const { feature, environments } = props
  const preview = useChangePreview(props)
  const names = variationNames(feature)
  return (
    <Loaded query={preview} title="Affected users could not be computed" skeleton={<Skeleton rows={2} height={40} />}>
      {(data) => (
        <>
          {environments.map(({ key, name }) => {
            const moves = data.environments[key]
            return (
              moves && (
                <div key={key} className={styles.moves}>
                  {environments.length > 1 && (
                    <h4>
                      <bdi>{name}</bdi>
                    </h4>
                  )}
                  <Moves preview={moves} names={names} />
                </div>
              )
            )
          })}
          {Object.values(data.environments).some(({ source }) => source === 'synthetic') && (
            <p className={styles.note}>
              The server has seen too few users, so it generates synthetic users from the conditions. The share of your
              users can differ.
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

/** The share of users that would get another variation, in a sentence for each environment. */
export function ChangeSummary(props: Props) {
  const { data } = useChangePreview(props)
  return props.environments.map(({ key, name }) => {
    const preview = data?.environments[key]
    if (!preview) return null
    const { share, base } = affectedShare(preview)
    return (
      <p key={key}>
        <strong>{share}</strong> {base} in <bdi>{name}</bdi> would get another variation.
      </p>
    )
  })
}

const numbers = new Intl.NumberFormat('en')

interface MovesProps {
  readonly preview: EnvironmentPreview
  readonly names: ReadonlyMap<string, string>
}

function Moves({ preview, names }: MovesProps) {
  const nameOf = (key: string | null) => (key === null ? 'the code’s default' : (names.get(key) ?? key))
  const rows = preview.matrix.filter(({ from, to }) => from !== to)
  const { share, base } = affectedShare(preview)
  if (rows.length === 0)
    return (
      <p>
        {share} {base} would get another variation.
      </p>
    )
  return (
    <>
      <p>
        <strong>{share}</strong> {base} would get another variation:
      </p>
      <ul className={styles.matrix}>
        {rows.map(({ from, to, count }) => (
          <li key={`${from} ${to}`}>
            <span>
              <bdi>{nameOf(from)}</bdi> → <bdi>{nameOf(to)}</bdi>
            </span>
            <span className={styles.count}>{numbers.format(count)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
