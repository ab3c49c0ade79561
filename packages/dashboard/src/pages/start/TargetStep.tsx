import { Link, useParams } from '@tanstack/react-router'
import styles from './Start.module.css'
import type { Onboarding } from './useOnboarding.ts'

/** The way to the targeting of the feature, and what comes afterwards. */
export function TargetStep({ onboarding }: { readonly onboarding: Onboarding }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const { environment, variable, isTargeted } = onboarding
  if (!environment || variable?.feature === undefined) {
    return <p className={styles.soft}>Create a feature first.</p>
  }
  return (
    <>
      <p>
        {isTargeted
          ? `The feature is on in ${environment.name} and has a target. `
          : `Turn the feature on in ${environment.name} and add a target. `}
        <Link
          to="/o/$org/p/$project/features/$feature/manage-feature"
          params={{ org, project, feature: variable.feature }}
          search={{ env: environment.key }}
        >
          {isTargeted ? 'View its targeting' : 'Add a target'}
        </Link>
      </p>
      {isTargeted && (
        <p>
          Next:{' '}
          <Link to="/o/$org/settings/people" params={{ org }}>
            invite people
          </Link>
          , and{' '}
          <Link to="/o/$org/p/$project/settings" params={{ org, project }}>
            require approval for changes
          </Link>
          .
        </p>
      )}
    </>
  )
}
