import { isProtected } from '@burgee/contract/words'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { Code } from '../../components/Copy.tsx'
import { SelectField } from '../../components/Field.tsx'
import { UnreadKey } from '../../components/keys/MaskedKey.tsx'
import { Page } from '../../components/Page.tsx'
import { Banner, ErrorBanner, Skeleton } from '../../components/States.tsx'
import { SdkSnippet } from '../../components/snippets/SdkSnippet.tsx'
import { FeatureStep } from './FeatureStep.tsx'
import styles from './Start.module.css'
import { Step } from './Step.tsx'
import { stepStates } from './steps.ts'
import { TargetStep } from './TargetStep.tsx'
import { type Onboarding, useOnboarding } from './useOnboarding.ts'
import { WaitingStep } from './WaitingStep.tsx'

/** From an empty project to an application that evaluates, in five steps. */
export function StartPage() {
  const { org = '', project = '' } = useParams({ strict: false })
  const onboarding = useOnboarding(project)
  return (
    <Page
      title="Get started"
      width="form"
      actions={
        <Link to="/o/$org/p/$project/features" params={{ org, project }}>
          Skip to the features
        </Link>
      }
    >
      <DemoBanner org={org} project={project} />
      {onboarding.error && (
        <ErrorBanner error={onboarding.error} title="The state of the project could not be loaded" />
      )}
      {onboarding.isLoaded ? <Steps onboarding={onboarding} /> : !onboarding.error && <Skeleton rows={5} height={96} />}
    </Page>
  )
}

function DemoBanner({ org, project }: { readonly org: string; readonly project: string }) {
  const { isDemo } = useSession().server
  if (!isDemo || project !== 'demo') return null
  return (
    <Banner tone="brand">
      <span>This project holds demo data.</span>
      <Link to="/o/$org/settings/projects" params={{ org }}>
        Create your own project
      </Link>
    </Banner>
  )
}

function Steps({ onboarding }: { readonly onboarding: Onboarding }) {
  const { project = '' } = useParams({ strict: false })
  const { environment, variable, evaluations, isTargeted } = onboarding
  const isEvaluated = evaluations > 0 || environment?.firstEvaluationAt !== undefined
  const [first, second, third, fourth, fifth] = stepStates([
    true,
    variable !== undefined,
    isEvaluated,
    isEvaluated,
    isTargeted
  ])
  return (
    <ol className={styles.steps}>
      <Step number={1} state={first} title={`Project and environment`}>
        <EnvironmentChoice onboarding={onboarding} />
      </Step>
      <Step number={2} state={second} title="A feature to evaluate">
        <FeatureStep variable={variable} />
      </Step>
      <Step number={3} state={third} title="Add the code to your application">
        {environment && variable && <SdkSnippet project={project} environment={environment.key} variable={variable} />}
        {!variable && <p className={styles.soft}>The code appears here after you create a feature.</p>}
      </Step>
      <Step number={4} state={fourth} title="The first evaluation">
        <WaitingStep onboarding={onboarding} />
      </Step>
      <Step number={5} state={fifth} title="Add a target">
        <TargetStep onboarding={onboarding} />
      </Step>
    </ol>
  )
}

function EnvironmentChoice({ onboarding }: { readonly onboarding: Onboarding }) {
  const { project = '' } = useParams({ strict: false })
  const { data } = useRead('getProject', { params: { key: project } })
  const { environments, environment, chooseEnvironment } = onboarding
  if (!environment) return <p>There is no environment that you can see.</p>
  return (
    <>
      <p>
        Project <strong>{data?.name ?? project}</strong> <Code>{project}</Code>
      </p>
      <div className={styles.pair}>
        <SelectField
          label="Environment"
          value={environment.key}
          options={environments.map((item) => ({
            value: item.key,
            label: isProtected(item) ? `${item.name} (protected)` : item.name
          }))}
          onChange={chooseEnvironment}
        />
        <div>
          <div className={styles.label}>Server key</div>
          <UnreadKey key={environment.key} project={project} environment={environment.key} type="server" />
        </div>
      </div>
    </>
  )
}
