import type { OrganizationSettings } from '@burgee/contract/schemas'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import type { ProjectNames } from '../../../parts/access/accessWords.ts'
import { ConfirmDialog } from '../../../parts/Dialog.tsx'
import { Banner, ErrorBanner, Loaded, Skeleton } from '../../../parts/States.tsx'
import { Table } from '../../../parts/Table.tsx'
import { accessChanges } from './accessChanges.ts'
import styles from './General.module.css'

type Permissions = OrganizationSettings['permissions']

interface Props {
  readonly before: Permissions
  readonly after: Permissions
  readonly projects: ProjectNames
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** What a change of access means for each person, before it is saved. */
export function AccessDialog({ before, after, projects, isBusy, error, onConfirm, onClose }: Props) {
  const { user } = useSession()
  const people = useRead('listUsers', { query: { perPage: 1000 } })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title="What changes for whom"
      action="Save access"
      onConfirm={onConfirm}
      isBusy={isBusy}
      error={error && <ErrorBanner error={error} title="Not saved" />}
    >
      <Loaded query={people} title="The people could not be loaded" skeleton={<Skeleton rows={3} />}>
        {(rows) => {
          const changes = accessChanges(rows, before, after, projects)
          if (changes.length === 0) return <p>Nobody’s access changes now.</p>
          const own = changes.find(({ id }) => id === user.id)
          return (
            <>
              {own && own.after === 'nothing' && (
                <Banner tone="danger">You would have no role yourself. Give yourself one first.</Banner>
              )}
              <div className={styles.people}>
                <Table
                  label="People whose access changes"
                  rows={changes}
                  rowKey={({ id }) => id}
                  columns={[
                    { id: 'name', title: 'Person', cell: ({ name }) => <bdi>{name}</bdi> },
                    { id: 'before', title: 'Now', cell: (row) => row.before },
                    {
                      id: 'after',
                      title: 'Then',
                      cell: (row) => (row.after === 'nothing' ? <strong>nothing</strong> : row.after)
                    }
                  ]}
                />
              </div>
              <p className={styles.soft}>
                Takes effect with the next request of each person. A role that is added takes effect with the next
                sign-in.
              </p>
            </>
          )
        }}
      </Loaded>
    </ConfirmDialog>
  )
}
