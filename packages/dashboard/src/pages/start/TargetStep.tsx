import { Link, useParams } from '@tanstack/react-router'
import styles from './Start.module.css'
import type { Onboarding } from './useOnboarding.ts'

/** The way to the targeting of the feature, and what comes afterwards. */
export function TargetStep({ onboarding }: { readonly onboarding: Onboarding }) {
  const { org = '', project = '' } = useParams({ strict: false })
  const { environment, variable, isTargeted } = onboarding
  if (!environment || variable?.feature === undefined) {
    return <p className={styles.soft}>Decide who is served, once there is a feature.</p>
  }
  return (
    <>
      <p>
        {isTargeted
          ? `The feature is on in ${environment.name} and has a target. `
          : `Switch the feature on in ${environment.name} and say who is served. `}
        <Link
          to="/o/$org/p/$project/features/$feature/manage-feature"
          params={{ org, project, feature: variable.feature }}
          search={{ env: environment.key }}
        >
          {isTargeted ? 'See its targeting' : 'Add a target'}
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
            have changes approved
          </Link>
          .
        </p>
      )}
    </>
  )
}
