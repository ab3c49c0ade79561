import type { ExplainedFeature } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { useRead } from '../../api/query.ts'
import { Badge } from '../../components/Badge.tsx'
import { type ExplainedUser, whySentence } from '../../components/explanation/explanationWords.ts'
import styles from './Explain.module.css'
import { FeaturePath } from './FeaturePath.tsx'
import { type FeaturePair, type Side, sideTitles } from './side.ts'

interface Props {
  readonly project: string
  readonly first: Side
  /** The other user or environment of a comparison. */
  readonly second: Side | undefined
  readonly pairs: readonly FeaturePair[]
  /** The key of the feature whose path is open. */
  readonly open: string | undefined
  readonly onOpen: (feature: string | undefined) => void
}

/** A row for each feature, which opens to the path through its targets. */
export function FeatureRows({ pairs, open, ...rest }: Props) {
  const { project, first, second } = rest
  const { data: properties } = useRead('listCustomProperties', { params: { project }, query: { perPage: 1000 } })
  const customProperties = new Map(properties?.map(({ propertyKey, name }) => [propertyKey, name]))
  if (pairs.length === 0) return null
  return (
    <div className={styles.rows}>
      {second && (
        <div className={`${styles.heads} ${styles.isPair}`} aria-hidden="true">
          <span>Feature</span>
          {sideTitles(first, second).map((title) => (
            <bdi key={title}>{title}</bdi>
          ))}
        </div>
      )}
      <ul>
        {pairs.map((pair) => (
          <li key={pair.first._id} className={styles.row}>
            <FeatureRow {...rest} pair={pair} isOpen={open === pair.first.key} customProperties={customProperties} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps extends Omit<Props, 'pairs' | 'open'> {
  readonly pair: FeaturePair
  readonly isOpen: boolean
  readonly customProperties: ExplainedUser['customProperties']
}

function FeatureRow({ pair, isOpen, onOpen, first, second, project, customProperties }: RowProps) {
  const { org = '' } = useParams({ strict: false })
  const id = useId()
  const { _id, key, name } = pair.first
  const titles = second && sideTitles(first, second)
  return (
    <>
      <button
        type="button"
        className={second ? `${styles.opener} ${styles.isPair}` : styles.opener}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => onOpen(isOpen ? undefined : key)}
      >
        <ChevronRight size={16} className={styles.chevron} aria-hidden="true" />
        <span className={styles.feature}>
          <span className={styles.name}>{name}</span>
          <code className={styles.key}>{key}</code>
        </span>
        <Outcome feature={pair.first} side={first} title={titles?.[0]} customProperties={customProperties} />
        {second && pair.second && (
          <Outcome
            feature={pair.second}
            side={second}
            title={titles?.[1]}
            isDifferent={pair.isDifferent}
            customProperties={customProperties}
          />
        )}
      </button>
      <div id={id} hidden={!isOpen} className={styles.details}>
        {isOpen && (
          <>
            {second && titles ? (
              <div className={styles.paths}>
                {titles.map((title, index) => (
                  <section key={title} aria-label={title}>
                    <h3 className={styles.sideTitle}>{title}</h3>
                    <FeaturePath
                      project={project}
                      side={index === 0 ? first : second}
                      feature={_id}
                      customProperties={customProperties}
                    />
                  </section>
                ))}
              </div>
            ) : (
              <FeaturePath project={project} side={first} feature={_id} customProperties={customProperties} />
            )}
            <Link to="/o/$org/p/$project/features/$feature/overview" params={{ org, project, feature: key }}>
              Open the feature
            </Link>
          </>
        )}
      </div>
    </>
  )
}

interface OutcomeProps {
  readonly feature: ExplainedFeature
  readonly side: Side
  /** How the side is called, if there are two. */
  readonly title: string | undefined
  readonly isDifferent?: boolean
  readonly customProperties: ExplainedUser['customProperties']
}

/** The variation that a user gets, or that the application uses its default, and why. */
function Outcome({ feature, side, title, isDifferent, customProperties }: OutcomeProps) {
  const { variation, outcome } = feature
  return (
    <span className={styles.outcome}>
      {title !== undefined && <span className={styles.sideName}>{title}</span>}
      <span className={styles.gets}>
        {isDifferent !== undefined && (
          <span
            className={isDifferent ? styles.differs : styles.same}
            role="img"
            aria-label={isDifferent ? 'differs' : 'same'}
          >
            {isDifferent ? '≠' : '='}
          </span>
        )}
        <span className="visually-hidden">, gets </span>
        {variation ? (
          <Badge tone={outcome === 'overridden' ? 'partly' : 'live'}>{variation.name}</Badge>
        ) : (
          <Badge tone={outcome === 'failed' ? 'danger' : 'off'}>{outcome === 'failed' ? 'error' : 'default'}</Badge>
        )}
        <span className="visually-hidden">: </span>
      </span>
      <span className={styles.why}>
        {whySentence(feature, side.environment.name, { user: side.user, customProperties })}
      </span>
    </span>
  )
}
