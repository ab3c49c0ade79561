import type { ExplainedFeature, Explanation } from '@burgee/contract/schemas'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useRead } from '../../api/query.ts'
import { Badge } from '../../parts/Badge.tsx'
import { type ExplainedUser, whySentence } from '../../parts/explanation/explanationWords.ts'
import type { FormUser } from '../../parts/explanation/parseUser.ts'
import styles from './Explain.module.css'
import { FeaturePath } from './FeaturePath.tsx'

interface Props {
  readonly project: string
  readonly environment: Explanation['environment']
  readonly user: FormUser
  readonly features: readonly ExplainedFeature[]
  /** The same features in another environment. */
  readonly other: Explanation | undefined
  /** The key of the feature whose path is open. */
  readonly open: string | undefined
  readonly onOpen: (feature: string | undefined) => void
}

/** A row for each feature, which opens to the path through its targets. */
export function FeatureRows({ features, other, open, ...rest }: Props) {
  const { data: properties } = useRead('listCustomProperties', {
    params: { project: rest.project },
    query: { perPage: 1000 }
  })
  const customProperties = new Map(properties?.map(({ propertyKey, name }) => [propertyKey, name]))
  const others = new Map(other?.features.map((feature) => [feature._id, feature]))
  if (features.length === 0) return null
  return (
    <ul className={styles.rows}>
      {features.map((feature) => (
        <li key={feature._id} className={styles.row}>
          <FeatureRow
            {...rest}
            feature={feature}
            there={other && others.get(feature._id)}
            otherName={other?.environment.name}
            isOpen={open === feature.key}
            customProperties={customProperties}
          />
        </li>
      ))}
    </ul>
  )
}

interface RowProps extends Omit<Props, 'features' | 'other' | 'open'> {
  readonly feature: ExplainedFeature
  readonly there: ExplainedFeature | undefined
  readonly otherName: string | undefined
  readonly isOpen: boolean
  readonly customProperties: ExplainedUser['customProperties']
}

function FeatureRow({ feature, there, otherName, isOpen, onOpen, ...path }: RowProps) {
  const { environment } = path
  const id = useId()
  const isOther = there !== undefined && there.variation?._id !== feature.variation?._id
  return (
    <>
      <button
        type="button"
        className={styles.opener}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(isOpen ? undefined : feature.key)}
      >
        <ChevronRight size={16} className={styles.chevron} aria-hidden="true" />
        <span className={styles.feature}>
          <span className={styles.name}>{feature.name}</span>
          <code className={styles.key}>{feature.key}</code>
        </span>
        <Gets feature={feature} />
        <span className={styles.why}>
          {whySentence(feature, environment.name, path)}
          {there && (
            <span className={isOther ? styles.differs : styles.same}>
              {isOther ? '≠ ' : '= '}
              {otherName}: {there.variation?.name ?? 'default'}
              {isOther && `, ${whySentence(there, otherName ?? '', path)}`}
            </span>
          )}
        </span>
      </button>
      <div id={id} hidden={!isOpen}>
        {isOpen && <FeaturePath {...path} environment={environment.key} feature={feature} />}
      </div>
    </>
  )
}

/** The variation that the user gets, or that the application uses its default. */
function Gets({ feature: { variation, outcome } }: { readonly feature: ExplainedFeature }) {
  return (
    <span className={styles.gets}>
      <span className="visually-hidden">, gets </span>
      {variation ? (
        <Badge tone={outcome === 'overridden' ? 'partly' : 'live'}>{variation.name}</Badge>
      ) : (
        <Badge tone={outcome === 'failed' ? 'danger' : 'off'}>{outcome === 'failed' ? 'error' : 'default'}</Badge>
      )}
      <span className="visually-hidden">: </span>
    </span>
  )
}
