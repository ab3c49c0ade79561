import type { Environment, PromotionItem } from '@burgee/contract/schemas'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { revertChanges } from '../../actions/featureUndo.ts'
import { Button } from '../../components/Button.tsx'
import styles from './Promote.module.css'
import { PromotionReport } from './PromotionReport.tsx'
import { revertibleChanges, summarizeResult } from './result.ts'

interface Props {
  readonly items: readonly PromotionItem[]
  readonly environments: readonly Environment[]
  readonly onUndone: () => void
}

/** What was promoted, with links to it and the way back. */
export function PromotionResult({ items, environments, onUndone }: Props) {
  const { org = '' } = useParams({ strict: false })
  const changes = revertibleChanges(items)
  const undo = useMutation({
    mutationFn: () => revertChanges(changes),
    onSuccess: (isUndone) => isUndone && onUndone()
  })
  return (
    <>
      <div className={styles.buttons}>
        <strong role="status" className={styles.summary}>
          {summarizeResult(items)}
        </strong>
        {changes.length > 0 && (
          <Button onClick={() => undo.mutate()} isBusy={undo.isPending}>
            Undo
          </Button>
        )}
      </div>
      <PromotionReport
        items={items}
        environments={environments}
        linkOf={(item) => <ItemLink org={org} item={item} />}
      />
    </>
  )
}

interface LinkProps {
  readonly org: string
  readonly item: PromotionItem
}

function ItemLink({ org, item: { feature, to, changeRequest } }: LinkProps) {
  const { project } = to
  if (changeRequest) {
    return (
      <Link
        to="/o/$org/p/$project/features/$feature/change-requests/$request"
        params={{ org, project, feature, request: changeRequest._id }}
        aria-label={`Change request of ${feature}`}
      >
        Change request
      </Link>
    )
  }
  return (
    <Link
      to="/o/$org/p/$project/features/$feature/manage-feature"
      params={{ org, project, feature }}
      search={{ env: to.environment }}
      aria-label={`Targeting of ${feature} in ${to.environment}`}
    >
      Targeting
    </Link>
  )
}
