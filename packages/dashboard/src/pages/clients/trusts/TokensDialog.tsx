import type { WorkloadTrust } from '@burgee/contract/schemas'
import { useRead, useWrite } from '../../../api/query.ts'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { ErrorBanner, Loaded } from '../../../components/States.tsx'
import { Table } from '../../../components/Table.tsx'
import { Time } from '../../../components/Time.tsx'
import styles from '../Clients.module.css'

interface Props {
  readonly trust: WorkloadTrust
  readonly onClose: () => void
}

/** The valid tokens of the jobs of a trust. */
export function TokensDialog({ trust: { _id, name }, onClose }: Props) {
  const tokens = useRead('listWorkloadTokens', { params: { trust: _id }, query: { perPage: 1000 } })
  const revoke = useWrite('revokeWorkloadToken', ['listWorkloadTokens'])
  return (
    <Dialog isOpen onClose={onClose} title={`Tokens of ${name}`} shape="wide">
      <div className={styles.form}>
        {revoke.error && <ErrorBanner error={revoke.error} />}
        <Loaded query={tokens} title="Tokens could not be loaded">
          {(rows) =>
            rows.length === 0 ? (
              <p>No job has a valid token.</p>
            ) : (
              <Table
                label="Tokens"
                rows={rows}
                rowKey={({ _id: id }) => id}
                columns={[
                  {
                    id: 'job',
                    title: 'Job',
                    cell: ({ workload: { subject, runId } }) => (
                      <span className={styles.id}>
                        <bdi>{subject}</bdi> {runId !== undefined && <span className={styles.soft}>run {runId}</span>}
                      </span>
                    )
                  },
                  { id: 'made', title: 'Issued', cell: ({ createdAt }) => <Time value={createdAt} /> },
                  { id: 'ends', title: 'Expires', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
                  {
                    id: 'actions',
                    title: <span className="visually-hidden">Actions</span>,
                    align: 'end',
                    cell: ({ _id: token, workload }) => (
                      <Button
                        aria-label={`Revoke the token of ${workload.subject}`}
                        isBusy={revoke.isPending && revoke.variables.params.token === token}
                        onClick={() => revoke.mutate({ params: { trust: _id, token } })}
                      >
                        Revoke
                      </Button>
                    )
                  }
                ]}
              />
            )
          }
        </Loaded>
      </div>
    </Dialog>
  )
}
