import type { Comparison, CreatePromotion, Environment } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/words'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useFeatureRows } from '../../api/featureRows.ts'
import { call, type Request, useRead, useWrite } from '../../api/query.ts'
import { useEnvironments } from '../../api/useEnvironments.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { useProjects } from '../../components/access/useProjectNames.ts'
import { Button } from '../../components/Button.tsx'
import { ConfirmDialog } from '../../components/Dialog.tsx'
import { Page, Section } from '../../components/Page.tsx'
import { ErrorBanner, Loaded } from '../../components/States.tsx'
import { Destinations, FeatureChoice } from './Choices.tsx'
import { CopyOptions, defaultOptions, type Options } from './CopyOptions.tsx'
import { MissingAudiences } from './MissingAudiences.tsx'
import styles from './Promote.module.css'
import { PromotionReport } from './PromotionReport.tsx'
import { PromotionResult } from './PromotionResult.tsx'
import { defaultSides, type PromoteSearch, splitList } from './search.ts'

/** Copies features from one environment to others, of this or another project: choose, preview, apply. */
export function PromotePage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const search: PromoteSearch = useSearch({ strict: false })
  const into = search.into === project ? undefined : search.into
  const environments = useEnvironments(project)
  const destinations = useEnvironments(into ?? project)
  return (
    <Page
      title="Promote features"
      above={
        <Link to="/o/$org/p/$project/features" params={{ org, project }}>
          ← Features
        </Link>
      }
    >
      <Loaded query={environments} title="The environments could not be loaded">
        {(sources) => (
          <Loaded query={destinations} title="The environments of the other project could not be loaded">
            {(list) => <Promotion sources={sources} destinations={list} into={into} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface PromotionProps {
  /** The environments of this project. */
  readonly sources: readonly Environment[]
  /** Those of the project that the features are copied to. */
  readonly destinations: readonly Environment[]
  /** The other project, or undefined for environments of this one. */
  readonly into: string | undefined
}

function Promotion({ sources, destinations, into }: PromotionProps) {
  const { project = '' } = useParams({ strict: false })
  const projects = useProjects()
  const names = new Map(useFeatureRows(project).data?.map(({ key, name }) => [key, name]))
  const { from, to, features, choose } = useChoices(sources, destinations, into)
  const [options, setOptions] = useState<Options>(defaultOptions)
  const other = into === undefined ? {} : { bProject: into }
  const compared = useRead(
    'compareEnvironments',
    { params: { project }, query: { a: from, b: to[0] ?? '', ...other, onlyDifferent: 'true' } },
    { enabled: to.length > 0 }
  )
  const destination = into === undefined ? undefined : projects.find(({ key }) => key === into)
  const body: CreatePromotion = {
    from: { environment: from },
    to: to.map((environment) => ({ ...(into === undefined ? {} : { project: into }), environment })),
    features: [...features],
    ...options,
    include: [...options.include]
  }
  return (
    <>
      <Destinations
        projects={projects}
        project={project}
        into={into}
        sources={sources}
        destinations={destinations}
        from={from}
        to={to}
        onChoose={choose}
      />
      <Section title="Features">
        {to.length === 0 ? (
          <p className={styles.soft}>Choose a destination first.</p>
        ) : (
          <Loaded query={compared} title="The environments could not be compared">
            {(comparison: Comparison) => (
              <FeatureChoice
                comparison={comparison}
                names={names}
                destination={destination?.name}
                chosen={features}
                onChoose={(keys) => choose({ features: keys.join(',') })}
              />
            )}
          </Loaded>
        )}
      </Section>
      <CopyOptions options={options} onChange={setOptions} />
      {destination && compared.data && options.include.includes('targets') && (
        <MissingAudiences
          project={project}
          into={destination}
          features={compared.data.features.filter(({ feature }) => features.includes(feature))}
        />
      )}
      <Run environments={destinations} body={body} names={names} />
    </>
  )
}

/** The choices in the address, and a function that changes them. */
function useChoices(sources: readonly Environment[], destinations: readonly Environment[], into: string | undefined) {
  const search: PromoteSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const [left] = defaultSides(sources)
  const [, right] = defaultSides(destinations)
  const from = search.from ?? left
  const to = splitList(search.to ?? right).filter((key) => into !== undefined || key !== from)
  const choose = (changed: PromoteSearch) => {
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...changed }), replace: true })
  }
  return { from, to, features: splitList(search.features), choose }
}

interface RunProps {
  readonly environments: readonly Environment[]
  readonly body: CreatePromotion
  /** The names of features by key. */
  readonly names: ReadonlyMap<string, string>
}

/** Previews the promotion and applies what the preview shows. A changed choice needs another preview. */
function Run({ environments, body, names }: RunProps) {
  const { project = '' } = useParams({ strict: false })
  const cannotWrite = useMissingPermission('feature:write', project)
  const [isAsking, setAsking] = useState(false)
  const preview = useMutation({ mutationFn: (request: Request<'createPromotion'>) => call('createPromotion', request) })
  const apply = useWrite('createPromotion')
  const arguments_ = JSON.stringify(body)
  const isOf = (request: Request<'createPromotion'> | undefined) => {
    const { preview: _, digest: __, ...sent } = request?.body ?? {}
    return JSON.stringify(sent) === arguments_
  }
  const applied = isOf(apply.variables) ? apply.data : undefined
  const previewed = isOf(preview.variables) ? preview.data : undefined
  const ready = previewed?.items.filter(({ outcome }) => outcome.startsWith('would')) ?? []
  const look = () => {
    apply.reset()
    preview.mutate({ params: { project }, body })
  }
  const run = () => {
    if (!previewed) return
    const request = { params: { project }, body: { ...body, preview: false, digest: previewed.digest } }
    apply.mutate(request, { onSettled: () => setAsking(false) })
  }
  const protectedNames = environments
    .filter((environment) => isProtected(environment) && ready.some(({ to }) => to.environment === environment.key))
    .map(({ name }) => name)
  const reason = cannotWrite ?? reasonAgainst(body)
  const act = `Promote ${ready.length} of ${previewed?.items.length ?? 0}`
  return (
    <Section title={applied ? 'Result' : 'Preview'}>
      {!applied && (
        <p className={styles.soft}>
          A preview changes nothing. It shows what would change for each feature, and the share of users that its
          rollouts would include.
        </p>
      )}
      <div className={styles.buttons}>
        {!applied && (
          <Button
            kind={ready.length > 0 ? 'plain' : 'primary'}
            onClick={look}
            isBusy={preview.isPending}
            reason={reason}
          >
            {previewed ? 'Preview again' : 'Preview'}
          </Button>
        )}
        {reason && <span className={styles.soft}>This {reason}.</span>}
        {previewed && !applied && ready.length > 0 && (
          <Button
            kind="primary"
            isBusy={apply.isPending}
            onClick={() => (protectedNames.length > 0 ? setAsking(true) : run())}
          >
            {act}
          </Button>
        )}
      </div>
      {preview.error && isOf(preview.variables) && <ErrorBanner error={preview.error} title="The preview failed" />}
      {apply.error && isOf(apply.variables) && <ErrorBanner error={apply.error} title="Nothing was promoted" />}
      {applied && <PromotionResult items={applied.items} environments={environments} onUndone={look} />}
      {!applied && previewed && <PromotionReport items={previewed.items} environments={environments} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Promote to ${protectedNames.join(' and ')}?`}
        action={act}
        onConfirm={run}
        isBusy={apply.isPending}
      >
        <ul>
          {ready.map(({ feature, to, outcome }) => (
            <li key={`${feature} ${to.environment}`}>
              <bdi>{names.get(feature) ?? feature}</bdi>{' '}
              {outcome === 'wouldRequest' ? 'becomes a change request for' : 'changes at once for the users of'}{' '}
              {environments.find(({ key }) => key === to.environment)?.name ?? to.environment}.
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </Section>
  )
}

/** Why there can be no preview. */
function reasonAgainst({ features, to, include }: CreatePromotion): string | undefined {
  if (to.length === 0) return 'needs a destination'
  if (features.length === 0) return 'needs at least one feature'
  if (include?.length === 0) return 'needs something to copy'
  return undefined
}
