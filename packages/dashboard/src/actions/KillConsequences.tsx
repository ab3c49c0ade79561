import { useApprovalSettings } from '../components/feature/useApprovals.ts'

interface Props {
  readonly project: string
  /** The number of killed features with an open change request. */
  readonly waiting: number
}

/** What a kill keeps, and how a killed feature is turned on again. */
export function KillConsequences({ project, waiting }: Props) {
  const requiresApproval = useApprovalSettings(project)?.enabled === true
  return (
    <>
      <p>
        A kill requires no approval.{' '}
        {requiresApproval
          ? 'Targets are kept. Turning a feature on again in a protected environment requires approval.'
          : 'Targets are kept. Undo the kill in the history of a feature, or turn the feature on again.'}
      </p>
      {requiresApproval && waiting > 0 && (
        <p>
          {waiting === 1
            ? 'A change request stays open. Until it is applied, rejected or cancelled, its feature'
            : `${waiting} features have open change requests. Until they are applied, rejected or cancelled, the features`}{' '}
          cannot be turned on again in protected environments.
        </p>
      )}
    </>
  )
}
