import type { Comparison, Environment, Feature } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowLeftRight } from 'lucide-react'
import { useRead } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { Protected } from '../../components/Badge.tsx'
import button from '../../components/Button.module.css'
import { Button } from '../../components/Button.tsx'
import { CheckField, SelectField } from '../../components/Field.tsx'
import { useWordContext } from '../../components/feature/useWordContext.ts'
import { Empty, Loaded, Skeleton } from '../../components/States.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { type ComparedLine, compareLines, describeOneSided, type SideNames } from './describe.ts'
import styles from './Promote.module.css'
import { type CompareSearch, defaultSides } from './search.ts'

/** What differs of a feature between two environments. */
export function ComparePage() {
  const { project = '', feature = '' } = useParams({ strict: false })
  const environments = useEnvironments(project)
  const loaded = useRead('getFeature', { params: { project, feature } })
  return (
    <Loaded query={environments} title="The environments could not be loaded">
      {(list) => (
        <Loaded query={loaded} title="The feature could not be loaded">
          {(compared) => <Sides environments={list} compared={compared} />}
        </Loaded>
      )}
    </Loaded>
  )
}

interface SidesProps {
  readonly environments: readonly Environment[]
  readonly compared: Feature
}

function Sides({ environments, compared }: SidesProps) {
  const { org = '', project = '', feature = '' } = useParams({ strict: false })
  const search: CompareSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const [from, to] = defaultSides(environments)
  const { left = from, right = to, equal = false } = search
  const query = useRead('compareEnvironments', { params: { project }, query: { a: left, b: right, feature } })
  const choose = (changed: { left?: string; right?: string; equal?: true | undefined }) => {
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...changed }), replace: true })
  }
  const options = environments.map(({ key, name }) => ({ value: key, label: name }))
  return (
    <>
      <div className={styles.sides}>
        <SelectField label="Left" value={left} options={options} onChange={(key) => choose({ left: key })} />
        <Button
          icon={<ArrowLeftRight size={16} aria-hidden="true" />}
          onClick={() => choose({ left: right, right: left })}
        >
          Swap
        </Button>
        <SelectField label="Right" value={right} options={options} onChange={(key) => choose({ right: key })} />
        <CheckField
          label="Only differences"
          isChecked={!equal}
          onChange={(isChecked) => choose({ equal: isChecked ? undefined : true })}
        />
      </div>
      {left === right ? (
        <Empty title="Both sides are the same environment.">Choose another environment on one side.</Empty>
      ) : (
        <Loaded query={query} title="The environments could not be compared" skeleton={<Skeleton rows={4} />}>
          {(comparison) => (
            <Differences
              feature={compared}
              comparison={comparison}
              sides={[left, right].map((key) => environments.find((environment) => environment.key === key))}
              showsEqual={equal}
              names={{ left: nameOf(environments, left), right: nameOf(environments, right) }}
              promotion={(kind) => (
                <Link
                  to="/o/$org/p/$project/promote"
                  params={{ org, project }}
                  search={{ features: feature, from: left, to: right }}
                  className={`${button.button} ${button[kind]}`}
                >
                  Promote {nameOf(environments, left)} → {nameOf(environments, right)}…
                </Link>
              )}
            />
          )}
        </Loaded>
      )}
    </>
  )
}

function nameOf(environments: readonly Environment[], key: string): string {
  return environments.find((environment) => environment.key === key)?.name ?? key
}

interface DifferencesProps {
  readonly feature: Feature
  readonly comparison: Comparison
  readonly sides: readonly (Environment | undefined)[]
  readonly showsEqual: boolean
  readonly names: SideNames
  /** The link to the promotion: plain if the source has nothing to promote. */
  readonly promotion: (kind: 'primary' | 'plain') => React.ReactNode
}

function Differences({ feature, comparison, sides, showsEqual, names, promotion }: DifferencesProps) {
  const { project = '' } = useParams({ strict: false })
  const context = { ...useWordContext(project, feature), now: Date.parse(comparison.a.at) }
  const [compared] = comparison.features
  if (!compared) return <Empty title="The feature does not exist in either environment." />
  const all = compareLines(compared, context)
  const oneSided = describeOneSided(compared, names, context)
  const lines = showsEqual ? all : all.filter(({ isDifferent }) => isDifferent)
  return (
    <>
      {compared.isDifferent || showsEqual ? (
        <Table
          label="Differences"
          rows={lines}
          rowKey={({ id }) => id}
          columns={[
            { id: 'subject', title: 'Part', cell: (line) => <Subject line={line} /> },
            ...(['left', 'right'] as const).map((side, index) => ({
              id: side,
              title: <Side environment={sides[index]} />,
              cell: (line: ComparedLine) => (
                <span className={line.isDifferent ? styles.value : styles.equal}>{line[side]}</span>
              )
            }))
          ]}
        />
      ) : (
        <Empty title={`${sides.map((side) => side?.name).join(' and ')} do not differ.`}>
          Both have the same targets and the same status.
        </Empty>
      )}
      {oneSided?.sentences.map((sentence) => (
        <p key={sentence} className={styles.sentence}>
          {sentence}
        </p>
      ))}
      <div className={styles.foot}>
        <span className={styles.soft}>
          Compared <Time value={comparison.a.at} />. IDs, authors and dates of changes are ignored.
        </span>
        {compared.isDifferent && promotion(oneSided?.isEmptied ? 'plain' : 'primary')}
      </div>
    </>
  )
}

function Subject({ line: { subject, part, isDifferent } }: { readonly line: ComparedLine }) {
  return (
    <span className={styles.subject}>
      <span className={isDifferent ? styles.strong : undefined}>{subject}</span>
      {part && <span className={styles.soft}>{part}</span>}
      {isDifferent && <span className="visually-hidden"> differs</span>}
    </span>
  )
}

function Side({ environment }: { readonly environment: Environment | undefined }) {
  return (
    <span className={styles.side}>
      {environment?.name}
      {environment && isProtected(environment) && <Protected />}
    </span>
  )
}
